"""What an importance question and its answer consist of."""

from collections.abc import Iterable
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, field_validator, model_validator

from tasktypes.prepared_lists import Number, check_once
from tasktypes.schemas import Schema
from tasktypes.texts.surroundings import Surroundings
from tasktypes.texts.written import InSentences

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]

Label = Literal["vital", "okay", "less-important"]
Support = Literal["supported", "unsupported"]
NuggetSupport = Literal["supported", "partly", "not"]
LABELS: tuple[Label, ...] = ("vital", "okay", "less-important")
SUPPORT: tuple[Support, ...] = ("supported", "unsupported")
NUGGET_SUPPORT: tuple[NuggetSupport, ...] = ("supported", "partly", "not")

AskedPart = Literal["importance", "order", "support", "nuggets"]
PARTS: tuple[AskedPart, ...] = ("importance", "order", "support", "nuggets")
AskedParts = Annotated[tuple[AskedPart, ...], Field(min_length=1)]
OrderOf = Literal["claims", "vital"]
WeightsName = Literal["default", "published"]


class Options(Schema):
    """What a study may set."""

    parts: AskedParts = PARTS
    """What is asked."""
    order_of: OrderOf = "claims"
    """All claims are put in order, or only those that the same answer labels `vital`: the order
    then says nothing of the others."""
    gaps: Literal["refused", "allowed"] = "refused"
    """Published files may lack labels; people never may."""
    weights: WeightsName = "default"
    """How the scores of metrics.py are computed."""
    as_published: bool = False
    """How the scores of metrics.py are computed."""
    claims: Literal["sentences", "prepared"] = "sentences"
    """Where a file lists none, the sentences of the response are its claims, or it is no unit until
    they are prepared."""

    @field_validator("parts")
    @classmethod
    def _in_order(cls, parts: tuple[AskedPart, ...]) -> tuple[AskedPart, ...]:
        if len(set(parts)) < len(parts):
            raise ValueError("a part occurs twice")
        return tuple(part for part in PARTS if part in parts)

    @model_validator(mode="after")
    def _vital_is_asked(self) -> Self:
        if self.order_of == "vital" and "importance" not in self.parts:
            raise ValueError("order_of: which claims are vital is not asked (parts: importance)")
        return self


class Payload(InSentences, Surroundings):
    """A response to a query, the claims it makes, and the facts that a good one would hold.

    Nobody's labels are here, neither a machine's of the claims nor the source's of its nuggets.
    """

    sentences: Annotated[tuple[str, ...], Field(min_length=1)]
    claims: Annotated[tuple[Words, ...], Field(min_length=1)]
    nuggets: tuple[str, ...]
    parts: AskedParts
    # Absent where it is what it always was, so that payloads stay the same.
    order_of: Annotated[OrderOf, Field(exclude_if=lambda of: of == "claims")] = "claims"
    gaps: Literal["refused", "allowed"]

    def asks(self, part: AskedPart) -> bool:
        """Whether that part is asked: without nuggets, none about nuggets."""
        return part in self.parts and (part != "nuggets" or bool(self.nuggets))

    @property
    def orders_vital(self) -> bool:
        """Whether only the vital claims are put in order."""
        return self.order_of == "vital" and self.asks("order")

    def ordered(self, claims: Iterable["ClaimAnswer"]) -> list[int]:
        """The claims that an answer with these labels puts in order."""
        return [c.claim for c in claims if c.importance == "vital" or not self.orders_vital]

    @property
    def labels(self) -> bool:
        """Whether claims get a label of importance."""
        return self.asks("importance")

    @property
    def ranks(self) -> bool:
        """Whether claims are weighed against each other, by label or in order."""
        return self.labels or self.asks("order")


class ClaimAnswer(Schema):
    """About one claim: how important it is to the query, and whether the documents support it."""

    claim: Number
    importance: Label | None = None
    support: Support | None = None


class NuggetAnswer(Schema):
    """Whether the response holds one of the source's facts."""

    nugget: Number
    support: NuggetSupport


class Answer(Schema):
    """Every claim and every nugget, numbered from 0; the claims' order, most important first: of
    all, or of the vital ones.

    What was not asked is null, or without entries.
    """

    claims: tuple[ClaimAnswer, ...]
    order: tuple[Number, ...] | None = None
    nuggets: tuple[NuggetAnswer, ...] = ()

    @field_validator("claims")
    @classmethod
    def _claims_in_order(cls, claims: tuple[ClaimAnswer, ...]) -> tuple[ClaimAnswer, ...]:
        check_once("claim", [claim.claim for claim in claims])
        return tuple(sorted(claims, key=lambda claim: claim.claim))

    @field_validator("order")
    @classmethod
    def _each_claim_once(cls, order: tuple[int, ...] | None) -> tuple[int, ...] | None:
        check_once("claim", order or (), done="listed")
        return order

    @field_validator("nuggets")
    @classmethod
    def _nuggets_in_order(cls, nuggets: tuple[NuggetAnswer, ...]) -> tuple[NuggetAnswer, ...]:
        check_once("nugget", [nugget.nugget for nugget in nuggets])
        return tuple(sorted(nuggets, key=lambda nugget: nugget.nugget))
