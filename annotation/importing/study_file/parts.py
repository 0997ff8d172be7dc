"""Parts of a study file: rounds, pay, recruitment and comprehension questions."""

from decimal import Decimal
from typing import Annotated, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    field_validator,
    model_validator,
)

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
    """How many units of each role a batch holds."""

    normal: Count = 1
    positive: Count = 0
    negative: Count = 0

    @model_validator(mode="after")
    def _holds_something(self) -> Self:
        if not (self.normal or self.positive or self.negative):
            raise ValueError("normal: a batch needs at least one unit")
        return self


class PayPart(Part):
    """What a submitted batch earns. Money is exact: write amounts in quotes."""

    base: Money = Decimal(0)
    bonus: Money = Decimal(0)
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = "USD"

    @property
    def is_something(self) -> bool:
        return bool(self.base or self.bonus)


class RoundPart(Part):
    """A round of a study. `pass`: the share of controls to be right; `keep`: to stay in."""

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
    """The names under which a panel puts its ids into the address."""

    worker: ParameterName = ""
    session: ParameterName = ""
    study: ParameterName = ""


class RecruitmentPart(Part):
    """Where workers come from, and how they go back."""

    panel: str = ""
    parameters: ParametersPart = ParametersPart()
    completion_code: Code = ""
    screenout_code: Code = ""
    return_code: Code = ""
    completion_url: str = ""
    frame_origins: tuple[str, ...] = ()
    invite_qualified: bool = False

    @field_validator("panel")
    @classmethod
    def _is_known(cls, given: str) -> str:
        names = [panel.slug for panel in PANELS]
        if given and given not in names:
            raise ValueError(f"no such panel: {given!r} (there are: {', '.join(names)})")
        return given

    @field_validator("completion_url")
    @classmethod
    def _is_link(cls, given: str) -> str:
        if given and not link_or_nothing(given):
            raise ValueError("not an address such as https://panel.example/done?code={code}")
        return given

    @field_validator("frame_origins")
    @classmethod
    def _are_origins(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        for origin in given:
            if not is_origin(origin):
                raise ValueError(f"{origin!r} is not an origin such as https://panel.example")
        return given


class ComprehensionPart(Part):
    """A question about the instructions. `right` is one of the options, word for word."""

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
