"""Parts of a study file: rounds, pay, comprehension questions, consent and conclusions."""

from decimal import Decimal
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    field_validator,
    model_validator,
)

from agreement import DISTANCES
from imports.study_file.doors import drawn
from tasktypes.schemas import DESCRIBED

Text = Annotated[str, Field(min_length=1)]
Short = Annotated[str, StringConstraints(min_length=1, max_length=80)]
Money = Annotated[Decimal, Field(ge=0, max_digits=8, decimal_places=2)]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0, le=1000)]


class StudyFilePart(BaseModel):
    """Base of all parts of a study file: frozen, strict about unknown keys."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", str_strip_whitespace=True, use_attribute_docstrings=DESCRIBED
    )


class BatchPart(StudyFilePart):
    """How many units of each role a batch holds."""

    normal: Count = drawn(1, "Units per batch")
    """Units that are asked about; in a round that shows answers, training units."""
    positive: Count = drawn(0, "Positive controls per batch")
    """Controls with one right answer."""
    negative: Count = drawn(0, "Negative controls per batch")
    """Controls where "none" is right."""

    @model_validator(mode="after")
    def _holds_something(self) -> Self:
        if not (self.normal or self.positive or self.negative):
            raise ValueError("normal: a batch needs at least one unit")
        return self


class PayPart(StudyFilePart):
    """What a submitted batch earns. Money is exact: write amounts in quotes."""

    base: Money = drawn(Decimal(0), "Pay for a batch", control="money")
    """For every batch."""
    bonus: Money = drawn(Decimal(0), "Bonus for a batch", control="money")
    """For batches that reach `pass`; without a mark, for all."""
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = drawn("USD", section="study")
    """One for all rounds of a study."""

    @property
    def is_something(self) -> bool:
        return bool(self.base or self.bonus)


class RoundPart(StudyFilePart):
    """A round of a study."""

    name: Annotated[str, Field(min_length=1, max_length=40)] = drawn(...)
    """Once in a study."""
    counts: bool = drawn(default=True, label="Its answers count in the results", section="kinds")
    """Whether its answers enter estimates."""
    shows_answers: bool = drawn(
        default=False, label="Training: the right answer follows each question", section="kinds"
    )
    """Training; the right answer and its reasons follow each question."""
    batch: BatchPart = BatchPart()
    """What a batch is made of."""
    calibration: Annotated[int, Field(ge=0, le=100_000)] = drawn(
        0,
        "Calibration: sources that every member answers in this round",
        "Drawn at random, and not used in later rounds. Members wait after it until you release "
        "the next round",
        section="team",
    )
    """In a team: so many sources, drawn at random, are answered in this round by every member, and
    in no other."""
    expected_minutes: Annotated[int, Field(ge=1, le=60 * 24)] | None = drawn(
        None, "Minutes that a batch takes"
    )
    """How long a batch takes, as workers are told at first; needed to open."""
    pass_: Share | None = drawn(
        None,
        "To pass, % of controls right",
        "For the next round; in the last one only for the bonus",
        alias="pass",
        control="percent",
        section="rules",
    )
    """The share of controls to be right for going on to the next round; in the last round only the
    bonus depends on it."""
    keep: Share | None = drawn(
        None, "To stay in, % of controls right", control="percent", section="rules"
    )
    """The share of controls to be right so far for staying in."""
    min_controls: Annotated[int, Field(ge=1, le=1000)] = drawn(
        4, "Controls before that rule is applied", section="rules"
    )
    """Controls answered before `keep` is applied."""
    failing: Literal["screen_out", "end"] = drawn(
        "screen_out",
        "Who fails",
        choices=(("screen_out", "is screened out with the panel's code"), ("end", "has ended")),
        section="rules",
    )
    """Those who fail are screened out with the panel's code, or have simply ended."""
    max_batches: Annotated[int, Field(ge=1, le=100_000)] | None = drawn(
        None, "Batches of it that one worker does at most", section="rules"
    )
    """Batches that one worker does at most; without it 1 in a round that must be passed or shows
    its answers, else `max_batches_per_worker`."""
    pay: PayPart = PayPart()
    """What a submitted batch earns."""

    @model_validator(mode="after")
    def _rules_can_be_met(self) -> Self:
        controls = self.batch.positive + self.batch.negative
        for name, mark in (("pass", self.pass_), ("keep", self.keep)):
            if mark is not None and not (controls or self.shows_answers):
                raise ValueError(f"{name}: can never be met (the batch has no controls)")
        if self.shows_answers and self.counts:
            raise ValueError("counts: must be false where the right answers are shown")
        return self


class PickedPart(StudyFilePart):
    """A unit of the items that serves as a control, a worked example or for training."""

    unit: Text
    """Its key."""
    role: Literal["positive", "negative", "example", "training"]
    """`positive` and `negative` are controls."""
    round: str = ""
    """Where a control or a training unit is met; without it the only round, or every round that
    shows answers."""
    answers: Annotated[dict[str, JsonValue], Field(min_length=1)]
    """The right answer to each block, by the block's key; a block without one grades nobody."""
    reasons: str = ""
    """Why they are right, shown with worked examples and in training."""


class ComprehensionPart(StudyFilePart):
    """A question about the instructions."""

    question: Text
    """What is asked."""
    options: Annotated[tuple[Text, ...], Field(min_length=2)]
    """What there is to choose from."""
    right: Text
    """One of the options, word for word."""
    explanation: str = ""
    """Shown with the right option after a failed try."""

    @model_validator(mode="after")
    def _right_is_an_option(self) -> Self:
        if len(set(self.options)) < len(self.options):
            raise ValueError("options: one of them occurs twice")
        if self.right not in self.options:
            raise ValueError(f"right: {self.right!r} is none of the options")
        return self


class ConsentPart(StudyFilePart):
    """The consent form. Those who agreed to another version or text are asked again."""

    text: Text = drawn(
        ..., "Consent text", "What people agree to before they see anything else", rows=10, place=3
    )
    """What people agree to."""
    version: Annotated[str, Field(min_length=1, max_length=40)] = drawn(
        "1",
        "Version of the consent",
        "Stored with each consent. People who agreed to another version or text are asked again",
        place=4,
    )
    """Stored with each consent."""


class EthicsPart(StudyFilePart):
    """What the consent page names. A study does not open while a part is missing."""

    board: str = drawn(
        "",
        "Ethics board",
        "Who reviewed the study; “none needed”, with the reason, where no review was needed",
    )
    """Who reviewed the study."""
    reference: str = drawn("", "Number of the approval")
    """The number of the approval."""
    contact: str = drawn("", "Contact for questions", "An address that somebody reads")
    """Contact for questions."""
    controller: str = drawn("", "Responsible for the data", "A university or a company")
    """Who is responsible for the data."""
    lawful_basis: str = drawn("", "Lawful basis of processing", "Most often consent")
    """Of processing it."""
    retention_days: Annotated[int, Field(ge=1)] | None = drawn(
        None, "Days for which identifiers are kept", "After a person's last activity", most=36_500
    )
    """How long identifiers are kept after the last activity."""
    minimum_age: Annotated[int, Field(ge=0, le=120)] | None = None
    """0 for people of any age."""


class ConclusionPart(StudyFilePart):
    """A published sentence that says one system is better than another by a metric."""

    text: Text
    """The sentence; several entries with one text are one conclusion."""
    metric: Text
    """By which, such as `mean` or `coverage/mean_rank`."""
    better: Text
    """The two systems."""
    worse: Text
    """The two systems."""


# Metrics with intervals that hold at every look, on which a rule may rest.
LIVE_METRICS = (
    *(f"krippendorff_alpha_{distance}" for distance in DISTANCES),
    *("raw_agreement", "cohen_kappa", "cohen_kappa_linear", "cohen_kappa_quadratic"),
    *("fleiss_kappa", "gwet_ac1", "gwet_ac2", "precision", "recall", "f1", "mean", "share"),
    *("win_share", "mean_difference"),
)


class StopPart(StudyFilePart):
    """When the study closes by itself: nothing more is given out, open batches may be submitted."""

    metric: Text
    """Of which figure, such as `krippendorff_alpha_nominal` or `mean_difference`."""
    facet: str = ""
    """Of the figure; empty where one facet has it."""
    raters: Text = "humans"
    """`humans`, or a pair such as `humans~lexical`."""
    group: dict[str, str] = {}
    """Of the figure, such as `{system: a, other_system: b}`; without it the whole study."""
    half_width: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    """Narrow enough: half of the interval that holds at every look is at most this."""
    excludes: Annotated[float, Field(allow_inf_nan=False)] | None = None
    """Decided: this value lies outside that interval; 0 for a difference."""

    @field_validator("metric")
    @classmethod
    def _is_live(cls, metric: str) -> str:
        if metric not in LIVE_METRICS:
            known = ", ".join(LIVE_METRICS)
            raise ValueError(f"{metric!r} has no interval that holds at every look ({known})")
        return metric

    @model_validator(mode="after")
    def _has_one_end(self) -> Self:
        if (self.half_width is None) == (self.excludes is None):
            raise ValueError("half_width: give either half_width or excludes")
        return self

    def as_stored(self) -> dict[str, Any]:
        """The rule as `Study.stop_rule` holds it."""
        return self.model_dump(exclude_none=True)


class JudgePart(StudyFilePart):
    """A judge of the study's own: what it is made of is checked when it is first asked for."""

    name: Short
    """As commands and pages have it."""
    method: Short
    """The method's name."""
    backend: Annotated[str, Field(max_length=80)] = ""
    """What the method asks, where it has a choice."""
    model: Annotated[str, Field(max_length=200)] = ""
    """The name of the model, or a folder."""
    family: Annotated[str, Field(max_length=200)] = ""
    """Of the model, such as `gpt-4`."""
    parameters: dict[str, JsonValue] = {}
    """What the method offers; a text within may stand in a file beside this one, as `{file: NAME}`.
    """
