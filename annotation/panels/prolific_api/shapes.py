"""What Prolific's API answers, as far as it is used. Unknown fields are ignored."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, field_validator


class StudyStatus(StrEnum):
    """Where a study stands at Prolific."""

    DRAFT = "UNPUBLISHED"
    PUBLISHING = "PUBLISHING"
    SCHEDULED = "SCHEDULED"
    ACTIVE = "ACTIVE"
    PAUSED = "PAUSED"
    REVIEW = "AWAITING REVIEW"
    COMPLETED = "COMPLETED"


class _Shape(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class StudyReply(_Shape):
    """A study. total_cost: in the minor unit, fees included, where it is told."""

    id: str
    status: str = ""
    internal_name: str = ""
    currency: str = Field(
        "", validation_alias=AliasChoices("presentment_currency_code", "currency_code")
    )
    total_available_places: int = 0
    places_taken: int | None = None
    total_cost: float | None = None

    @field_validator("currency", "status", "internal_name", mode="before")
    @classmethod
    def _text(cls, value: object) -> object:
        return value or ""


class SubmissionReply(_Shape):
    """A submission in a list, or a single one, which calls some fields otherwise.

    bonuses: paid ones in the minor unit; None where the reply does not tell.
    """

    id: str
    status: str
    participant: str = Field("", validation_alias=AliasChoices("participant_id", "participant"))
    code: str = Field("", validation_alias=AliasChoices("study_code", "entered_code"))
    started_at: datetime | None = None
    completed_at: datetime | None = None
    return_requested: datetime | None = None
    bonuses: tuple[int, ...] | None = Field(None, validation_alias="bonus_payments")

    @field_validator("participant", "code", mode="before")
    @classmethod
    def _text(cls, value: object) -> object:
        return value or ""

    @field_validator("status", mode="before")
    @classmethod
    def _one_spelling(cls, value: object) -> object:
        """Documents spell some words with a hyphen, some with a space or an underscore."""
        return str(value or "").upper().replace("_", " ").replace("TIMED OUT", "TIMED-OUT")

    @field_validator("bonuses", mode="before")
    @classmethod
    def _amounts(cls, value: Any) -> Any:
        """Numbers, or objects that hold an amount; whatever else is no amount."""
        if value is None:
            return None
        return [round(float(one["amount"] if isinstance(one, dict) else one)) for one in value]


class BonusReply(_Shape):
    """Bonuses that were set up, in the minor unit. total_amount: with fees and VAT."""

    id: str
    amount: float
    fees: float = 0.0
    vat: float = 0.0
    total_amount: float


class BalanceReply(_Shape):
    """What can still be spent, in the minor unit."""

    currency: str = Field("", validation_alias="currency_code")
    available: int = Field(validation_alias="available_balance")
