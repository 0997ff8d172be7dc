"""Importance: which of a response's claims matter to the query, and do they hold?

Claims are labelled and put in order by what they mean to the query, whether true or not; apart
from that each is held against the documents.
"""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext_lazy
from pydantic import TypeAdapter

from tasktypes.contract import TaskType
from tasktypes.facets import Facet, RatingValue, label_facet, text_at
from tasktypes.importance import parts as answer_parts
from tasktypes.importance import schema
from tasktypes.importance.claims import CLAIMS
from tasktypes.importance.combining import combined, first_claim
from tasktypes.importance.comparison import compared_parts, in_short
from tasktypes.importance.example import EXAMPLE
from tasktypes.importance.form import ImportanceForm
from tasktypes.importance.measures import MEASURES
from tasktypes.importance.metrics import scores
from tasktypes.importance.nuggets import NUGGETS, source_with_nuggets
from tasktypes.importance.wording import SLOTS
from tasktypes.machines.needs import EVIDENCE, TEXT, Need
from tasktypes.machines.parts import InParts, Part, Value
from tasktypes.machines.replies import ReplyError, answer_in
from tasktypes.pages.comparison import Compared
from tasktypes.pages.elicitation import Elicitation
from tasktypes.plans import Focus
from tasktypes.prepared_lists import check_numbers, listed_in
from tasktypes.texts.material import Item, Source, only_item
from tasktypes.texts.surroundings import EVERYTHING, shown

_CLAIMS = TypeAdapter(tuple[schema.Words, ...])

FACETS = {
    "importance": label_facet("importance", "Importance to the query", schema.LABELS, ordered=True),
    "order": Facet(
        name="order",
        title="Place in the order",
        kind="number",
        distance="ordinal",
        low=1.0,
        ranks=True,
    ),
    "support": label_facet("support", "Support by the documents", schema.SUPPORT),
    "nuggets": label_facet("nugget", "Facts in the response", schema.NUGGET_SUPPORT),
}


class Importance(
    TaskType[schema.Options, schema.Payload, schema.Answer],
    InParts[schema.Payload, schema.Answer],
):
    """Label a response's claims by importance, order them, hold them against the documents."""

    slug = "importance"
    title = "Importance of claims"
    elicitation = Elicitation("output classification or labelling")
    Options = schema.Options
    Payload = schema.Payload
    Answer = schema.Answer
    Form = ImportanceForm
    example = EXAMPLE
    slots = SLOTS
    first_options = ("parts",)
    measured = MEASURES
    prepared_lists = (CLAIMS, NUGGETS)
    keys = (
        ("1–9", gettext_lazy("choose an answer and move to the next one")),
        ("O", gettext_lazy("order the claims by your labels")),
    )
    has_parts = True
    scripts = ("importance/form.js",)
    styles = (
        "css/material.css",
        "css/parts.css",
        "css/conversation.css",
        "css/choices.css",
        "importance/form.css",
    )

    def facets(self, options: schema.Options) -> tuple[Facet, ...]:
        return tuple(FACETS[part] for part in options.parts)

    def source_with(self, source: Source, focus: Focus) -> Source:
        """With the nuggets in its focus in place of its own."""
        return source_with_nuggets(source, focus)

    def awaits_list(self, items: Sequence[Item], focus: Focus, options: schema.Options) -> bool:
        """A response is its sentences, unless the block has its claims prepared."""
        return options.claims == "prepared" and "claims" not in focus

    def payload(
        self,
        source: Source,
        items: Sequence[Item],
        focus: Focus,
        options: schema.Options,
    ) -> schema.Payload:
        """Focus: `claims`, by default the sentences of the response, and `nuggets`, by default the
        source's."""
        if self.awaits_list(items, focus, options):
            raise ValueError("focus.claims: missing (in this block claims are prepared first)")
        item = only_item(items, "importance")
        if not (source.query or source.claim):
            raise ValueError("query: missing (what should the claims be important to?)")
        sentences = tuple(sentence.text for sentence in item.sentences)
        claims = listed_in(focus, "claims", sentences, _CLAIMS)
        if not claims:
            raise ValueError("focus.claims: there is none")
        payload = schema.Payload(
            **shown(source, EVERYTHING, items),
            **item.shown(),
            claims=claims,
            nuggets=tuple(nugget.text for nugget in self.source_with(source, focus).nuggets),
            parts=options.parts,
            order_of=options.order_of,
            gaps=options.gaps,
        )
        _check_documents(payload)
        return payload

    def needs(self, options: schema.Options | schema.Payload) -> frozenset[Need]:
        """Support is support by something."""
        return TEXT | EVIDENCE if "support" in options.parts else TEXT

    def ratings(self, payload: schema.Payload, answer: schema.Answer) -> tuple[RatingValue, ...]:
        """What is there: a published answer may have gaps."""
        return tuple(
            rating
            for ratings in (_of_claims(answer), _of_order(answer), _of_nuggets(answer))
            for rating in ratings
        )

    def element_text(self, payload: schema.Payload, facet: str, element: str) -> str:
        """The claim of the response, or the fact of the source."""
        texts = payload.nuggets if facet == "nugget" else payload.claims
        return text_at(texts, element)

    def measures(
        self,
        source: Source,
        payload: schema.Payload,
        answer: schema.Answer,
        options: schema.Options,
    ) -> dict[str, float | None]:
        """The scores of the response, by the claims that matter and the nuggets it holds."""
        return scores(
            answer, source.nuggets, weights=options.weights, as_published=options.as_published
        )

    def check(self, payload: schema.Payload, answer: schema.Answer) -> None:
        """All that was asked and nothing else; labels may lack where gaps are allowed."""
        check_numbers("claims", [claim.claim for claim in answer.claims], len(payload.claims))
        if answer.order is not None and payload.asks("order"):
            _check_order(payload, answer, answer.order)
        facts = [nugget.nugget for nugget in answer.nuggets]
        if facts or payload.gaps == "refused":
            check_numbers("nuggets", facts, len(payload.nuggets) if payload.asks("nuggets") else 0)
        _check_asked(payload, answer)
        if payload.gaps == "refused":
            _check_whole(payload, answer)

    def is_right(
        self, payload: schema.Payload, answer: schema.Answer, reference: schema.Answer
    ) -> bool:
        """The same claims vital and supported, the same facts there.

        The order, and where "okay" ends, are matters of judgement.
        """
        return _beyond_taste(answer) == _beyond_taste(reference)

    def compared(
        self, payload: schema.Payload, answer: schema.Answer, reference: schema.Answer
    ) -> list[Compared]:
        """Every label. Where "okay" ends is a matter of judgement, and so is the order."""
        own, right = self.ratings(payload, answer), self.ratings(payload, reference)
        return compared_parts(own, right)

    def summary(self, payload: schema.Payload, answer: schema.Answer) -> str:
        return in_short(answer)

    def combined(
        self, payload: schema.Payload, answers: Sequence[schema.Answer], *, how: str | None = None
    ) -> schema.Answer:
        return combined(answers, how, vital=payload.orders_vital)

    def key_statement(self, payload: schema.Payload, answers: Sequence[schema.Answer]) -> str:
        """The claim that stands first in the order, or the only vital one."""
        first = first_claim(answers)
        return "" if first is None else payload.claims[first]

    def parse_reply(self, payload: schema.Payload, reply: str) -> schema.Answer:
        """An answer without gaps: a label that a machine leaves out is no answer."""
        answer = answer_in(reply, self, payload)
        try:
            self.check(payload.model_copy(update={"gaps": "refused"}), answer)
        except ValueError as error:
            raise ReplyError(str(error)) from error
        return answer

    def parts(self, payload: schema.Payload) -> tuple[Part, ...]:
        return answer_parts.parts(payload)

    def to_parts(self, payload: schema.Payload, answer: schema.Answer) -> list[Value | None]:
        return answer_parts.to_parts(payload, answer)

    def from_parts(self, payload: schema.Payload, values: Sequence[Value]) -> schema.Answer:
        return answer_parts.from_parts(payload, values)


def _check_documents(payload: schema.Payload) -> None:
    if payload.gaps == "allowed" or not payload.asks("support"):
        return
    if not (payload.passages or payload.document):
        raise ValueError("passages: missing, and no document either, to hold the claims against")


def _check_order(payload: schema.Payload, answer: schema.Answer, order: Sequence[int]) -> None:
    """Every claim that is put in order, and no other."""
    ordered = payload.ordered(answer.claims)
    for number in order:
        if payload.orders_vital and number not in ordered:
            raise ValueError(f"order: claim {number} is not labelled vital")
        if number >= len(payload.claims):
            raise ValueError(f"order: there is no number {number} in this question")
    for number in ordered:
        if number not in order:
            raise ValueError(f"order: number {number} is missing")


def _check_asked(payload: schema.Payload, answer: schema.Answer) -> None:
    """Nothing is answered that was not asked."""
    for claim in answer.claims:
        if claim.importance is not None and not payload.asks("importance"):
            raise ValueError(f"claims.{claim.claim}.importance: not asked")
        if claim.support is not None and not payload.asks("support"):
            raise ValueError(f"claims.{claim.claim}.support: not asked")
    if answer.order is not None and not payload.asks("order"):
        raise ValueError("order: not asked")


def _check_whole(payload: schema.Payload, answer: schema.Answer) -> None:
    """Everything is answered that was asked."""
    for claim in answer.claims:
        if claim.importance is None and payload.asks("importance"):
            raise ValueError(f"claims.{claim.claim}.importance: missing")
        if claim.support is None and payload.asks("support"):
            raise ValueError(f"claims.{claim.claim}.support: missing")
    if answer.order is None and payload.asks("order"):
        raise ValueError("order: missing")


def _of_claims(answer: schema.Answer) -> Iterator[RatingValue]:
    for claim in answer.claims:
        if claim.importance is not None:
            yield RatingValue("importance", claim.importance, str(claim.claim))
        if claim.support is not None:
            yield RatingValue("support", claim.support, str(claim.claim))


def _of_order(answer: schema.Answer) -> Iterator[RatingValue]:
    for position, claim in enumerate(answer.order or (), start=1):
        yield RatingValue("order", float(position), str(claim))


def _of_nuggets(answer: schema.Answer) -> Iterator[RatingValue]:
    for nugget in answer.nuggets:
        yield RatingValue("nugget", nugget.support, str(nugget.nugget))


def _beyond_taste(answer: schema.Answer) -> tuple[object, ...]:
    vital = {claim.claim for claim in answer.claims if claim.importance == "vital"}
    support = [(claim.claim, claim.support) for claim in answer.claims]
    return vital, support, answer.nuggets


IMPORTANCE = Importance()
