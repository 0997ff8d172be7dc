"""Parts of a study file: rounds, pay, recruitment and comprehension questions."""

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
from annotation.panels.contract import is_origin, link_or_nothing
from annotation.panels.registry import PANELS

Text = Annotated[str, Field(min_length=1)]
Short = Annotated[str, StringConstraints(min_length=1, max_length=80)]
Money = Annotated[Decimal, Field(ge=0, max_digits=8, decimal_places=2)]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0, le=1000)]
Code = Annotated[str, Field(max_length=100)]
ParameterName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]*$", max_length=100)]


class Part(BaseModel):
    """Base of all parts of a study file: frozen, strict about unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


class BatchPart(Part):
    """How many units of each role a batch holds.

    normal: units that are asked about; in a round that shows answers, training units.
    positive: controls with one right answer. negative: controls where "none" is right.
    """

    normal: Count = 1
    positive: Count = 0
    negative: Count = 0

    @model_validator(mode="after")
    def _holds_something(self) -> Self:
        if not (self.normal or self.positive or self.negative):
            raise ValueError("normal: a batch needs at least one unit")
        return self


class PayPart(Part):
    """What a submitted batch earns. Money is exact: write amounts in quotes.

    base: for every batch. bonus: for batches that reach `pass`; without a mark, for all.
    currency: one for all rounds of a study.
    """

    base: Money = Decimal(0)
    bonus: Money = Decimal(0)
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = "USD"

    @property
    def is_something(self) -> bool:
        return bool(self.base or self.bonus)


class RoundPart(Part):
    """A round of a study.

    name: once in a study. counts: whether its answers enter estimates. shows_answers: training;
    the right answer and its reasons follow each question. batch: what a batch is made of.
    max_batches: batches that one worker does at most; without it 1 in a round that must be passed
    or shows its answers, else `max_batches_per_worker`. expected_minutes: how long a batch takes,
    as workers are told at first; needed to open. pass: the share of controls to be right for
    going on to the next round; in the last round only the bonus depends on it. failing: those who
    fail are screened out with the panel's code, or have simply ended. keep: the share of controls
    to be right so far for staying in. min_controls: controls answered before `keep` is applied.
    pay: what a submitted batch earns.
    """

    name: Annotated[str, Field(min_length=1, max_length=40)]
    counts: bool = True
    shows_answers: bool = False
    batch: BatchPart = BatchPart()
    max_batches: Annotated[int, Field(ge=1, le=100_000)] | None = None
    expected_minutes: Annotated[int, Field(ge=1, le=60 * 24)] | None = None
    pass_: Share | None = Field(default=None, alias="pass")
    failing: Literal["screen_out", "end"] = "screen_out"
    keep: Share | None = None
    min_controls: Annotated[int, Field(ge=1, le=1000)] = 4
    pay: PayPart = PayPart()

    @model_validator(mode="after")
    def _rules_can_be_met(self) -> Self:
        controls = self.batch.positive + self.batch.negative
        for name, mark in (("pass", self.pass_), ("keep", self.keep)):
            if mark is not None and not (controls or self.shows_answers):
                raise ValueError(f"{name}: can never be met (the batch has no controls)")
        if self.shows_answers and self.counts:
            raise ValueError("counts: must be false where the right answers are shown")
        return self


class ParametersPart(Part):
    """The names under which a panel puts its ids into the address.

    worker: the person's id. session: the id of this visit. study: the study's id there.
    """

    worker: ParameterName = ""
    session: ParameterName = ""
    study: ParameterName = ""


class RecruitmentPart(Part):
    """Where workers come from, and how they go back.

    panel: `invitation` (without it), `prolific`, `generic`, `mturk` or `account`. parameters: what
    the panel calls its ids. completion_code: for submitted work. screenout_code: for a screen-out.
    return_code: for leaving, or finding nothing to do, before anything was submitted.
    completion_url: the link back, with `{code}`, `{worker}`, `{session}` and `{study}` filled in.
    frame_origins: origins whose pages may show the study in a frame. invite_qualified: those
    who pass a round wait until a researcher invites them to the next. workspace: where the
    installation has several accounts at the panel, the name of the one that pays.
    """

    panel: str = ""
    parameters: ParametersPart = ParametersPart()
    completion_code: Code = ""
    screenout_code: Code = ""
    return_code: Code = ""
    completion_url: str = ""
    frame_origins: tuple[str, ...] = ()
    invite_qualified: bool = False
    workspace: Annotated[str, Field(pattern=r"^[A-Za-z0-9_]{0,40}$")] = ""

    @field_validator("panel")
    @classmethod
    def _is_known(cls, panel_slug: str) -> str:
        names = [panel.slug for panel in PANELS]
        if panel_slug and panel_slug not in names:
            raise ValueError(f"no such panel: {panel_slug!r} (there are: {', '.join(names)})")
        return panel_slug

    @field_validator("completion_url")
    @classmethod
    def _is_link(cls, address: str) -> str:
        if address and not link_or_nothing(address):
            raise ValueError("not an address such as https://panel.example/done?code={code}")
        return address

    @field_validator("frame_origins")
    @classmethod
    def _are_origins(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for origin in origins:
            if not is_origin(origin):
                raise ValueError(f"{origin!r} is not an origin such as https://panel.example")
        return origins


class PickedPart(Part):
    """A unit of the items that serves as a control, a worked example or for training.

    unit: its key. role: `positive` and `negative` are controls. round: where a control or a
    training unit is met; without it the only round, or every round that shows answers. answers:
    the right answer to each block, by the block's key; a block without one grades nobody. reasons:
    why they are right, shown with worked examples and in training.
    """

    unit: Text
    role: Literal["positive", "negative", "example", "training"]
    round: str = ""
    answers: Annotated[dict[str, JsonValue], Field(min_length=1)]
    reasons: str = ""


class ComprehensionPart(Part):
    """A question about the instructions.

    question: what is asked. options: what there is to choose from. right: one of the options, word
    for word. explanation: shown with the right option after a failed try.
    """

    question: Text
    options: Annotated[tuple[Text, ...], Field(min_length=2)]
    right: Text
    explanation: str = ""

    @model_validator(mode="after")
    def _right_is_an_option(self) -> Self:
        if len(set(self.options)) < len(self.options):
            raise ValueError("options: one of them occurs twice")
        if self.right not in self.options:
            raise ValueError(f"right: {self.right!r} is none of the options")
        return self


class ConsentPart(Part):
    """The consent form. Those who agreed to another version or text are asked again.

    text: what people agree to. version: stored with each consent.
    """

    text: Text
    version: Annotated[str, Field(min_length=1, max_length=40)] = "1"


class EthicsPart(Part):
    """What the consent page names. A study does not open while a part is missing.

    board: who reviewed the study. reference: the number of the approval. contact: whom people can
    ask. controller: who is responsible for the data. lawful_basis: of processing it.
    retention_days: how long identifiers are kept after the last activity. minimum_age: 0 for people
    of any age.
    """

    board: str = ""
    reference: str = ""
    contact: str = ""
    controller: str = ""
    lawful_basis: str = ""
    retention_days: Annotated[int, Field(ge=1)] | None = None
    minimum_age: Annotated[int, Field(ge=0, le=120)] | None = None


class ConclusionPart(Part):
    """A published sentence that says one system is better than another by a metric.

    text: the sentence; several entries with one text are one conclusion. metric: by which, such as
    `mean` or `coverage/mean_rank`. better, worse: the two systems.
    """

    text: Text
    metric: Text
    better: Text
    worse: Text


# Metrics with intervals that hold at every look, on which a rule may rest.
LIVE_METRICS = (
    *(f"krippendorff_alpha_{distance}" for distance in DISTANCES),
    *("raw_agreement", "cohen_kappa", "cohen_kappa_linear", "cohen_kappa_quadratic"),
    *("fleiss_kappa", "gwet_ac1", "gwet_ac2", "precision", "recall", "f1", "mean", "share"),
    *("win_share", "mean_difference"),
)


class StopPart(Part):
    """When the study closes by itself: nothing more is given out, open batches may be submitted.

    metric: of which figure, such as `krippendorff_alpha_nominal` or `mean_difference`. facet: of
    the figure; empty where one facet has it. raters: `humans`, or a pair such as
    `humans~lexical`. group: of the figure, such as `{system: a, other_system: b}`; without it the
    whole study. half_width: narrow enough: half of the interval that holds at every look is at
    most this. excludes: decided: this value lies outside that interval; 0 for a difference.
    """

    metric: Text
    facet: str = ""
    raters: Text = "humans"
    group: dict[str, str] = {}
    half_width: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    excludes: Annotated[float, Field(allow_inf_nan=False)] | None = None

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


class JudgePart(Part):
    """A judge of the study's own: what it is made of is checked when it is first asked for.

    name: as commands and pages have it. method: the method's name. backend: what
    the method asks, where it has a choice. model: the name of the model, or a folder. family: of
    the model, such as `gpt-4`. parameters: what the method offers; a text within may stand in a
    file beside this one, as `{file: NAME}`.
    """

    name: Short
    method: Short
    backend: Annotated[str, Field(max_length=80)] = ""
    model: Annotated[str, Field(max_length=200)] = ""
    family: Annotated[str, Field(max_length=200)] = ""
    parameters: dict[str, JsonValue] = {}
