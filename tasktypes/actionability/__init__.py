"""Actionability: can somebody who reads this explanation act on it?

A rubric: what is false in the claim, whether the explanation points it out and gives the
correction, and whether its links exist, are relevant and support what is right.
"""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from pydantic import TypeAdapter

from tasktypes.actionability import schema
from tasktypes.actionability.combining import combined
from tasktypes.actionability.errors import ERRORS
from tasktypes.actionability.example import EXAMPLE
from tasktypes.actionability.form import YES_OR_NO as OFFERED
from tasktypes.actionability.form import RubricForm
from tasktypes.actionability.links import links_in
from tasktypes.actionability.metrics import BEST, MEASURES, score
from tasktypes.actionability.slots import SLOTS
from tasktypes.contract import TaskType
from tasktypes.facets import Facet, RatingValue, label_facet, text_at
from tasktypes.machines.parts import InParts, Part, Value
from tasktypes.pages.comparison import Compared, listed, part_name
from tasktypes.pages.elicitation import Elicitation
from tasktypes.plans import Focus
from tasktypes.prepared_lists import check_numbers, listed_in
from tasktypes.texts.material import Item, Source, only_item
from tasktypes.texts.surroundings import EVERYTHING, shown

_ERRORS = TypeAdapter(tuple[schema.FactualError, ...])
_LINKS = TypeAdapter(tuple[schema.Link, ...])
YES_OR_NO = ("yes", "no")
# Facets whose elements are errors, and those whose elements are links.
OF_ERRORS = ("error", "correction")
OF_LINKS = ("link_exists", "link_relevant", "link_supports")


class Actionability(
    TaskType[schema.Options, schema.Payload, schema.Answer],
    InParts[schema.Payload, schema.Answer],
):
    """Fill in the rubric about an explanation's errors and links."""

    slug = "actionability"
    title = "Actionability"
    elicitation = Elicitation("output classification or labelling")
    Options = schema.Options
    Payload = schema.Payload
    Answer = schema.Answer
    Form = RubricForm
    example = EXAMPLE
    slots = SLOTS
    first_options = ("link_score",)
    measured = MEASURES
    prepared_lists = (ERRORS,)
    has_parts = True
    styles = (
        "css/material.css",
        "css/parts.css",
        "css/conversation.css",
        "css/choices.css",
        "actionability/form.css",
    )

    def facets(self, options: schema.Options) -> tuple[Facet, ...]:
        return (
            label_facet("error", "Error pointed out", YES_OR_NO),
            label_facet("correction", "Correction given", YES_OR_NO),
            label_facet("link_exists", "Link exists", YES_OR_NO),
            label_facet("link_relevant", "Link is relevant", YES_OR_NO),
            label_facet("link_supports", "Link supports the correction", YES_OR_NO),
            Facet(
                name="actionability",
                title="Actionability",
                kind="number",
                distance="interval",
                low=0.0,
                high=BEST,
                compared_with=options.compared_with,
            ),
        )

    def awaits_list(self, items: Sequence[Item], focus: Focus, options: schema.Options) -> bool:
        """Without a link, nothing can be asked until an error of the claim is listed."""
        sentences = (sentence.text for item in items for sentence in item.sentences)
        return not (focus.get("errors") or focus.get("links", links_in(sentences)))

    def payload(
        self,
        source: Source,
        items: Sequence[Item],
        focus: Focus,
        options: schema.Options,
    ) -> schema.Payload:
        """Focus: `errors`, none by default, and `links`, by default those in the text."""
        item = only_item(items, "actionability")
        sentences = tuple(sentence.text for sentence in item.sentences)
        errors = listed_in(focus, "errors", (), _ERRORS)
        links = listed_in(focus, "links", links_in(sentences), _LINKS)
        if len(set(links)) < len(links):
            raise ValueError("focus.links: a link occurs twice")
        if not errors and not links:
            raise ValueError("focus.errors: none, and no link either, so nothing can be asked")
        return schema.Payload(
            **shown(source, EVERYTHING, items),
            **item.shown(),
            errors=errors,
            links=links,
            link_score=options.link_score,
        )

    def ratings(self, payload: schema.Payload, answer: schema.Answer) -> tuple[RatingValue, ...]:
        """Every yes and no, and the score where the claim has listed errors."""
        ratings = [*_of_errors(answer), *_of_links(answer)]
        value = score(answer, link_score=payload.link_score).value
        if value is not None:
            ratings.append(RatingValue(facet="actionability", value=value))
        return tuple(ratings)

    def element_text(self, payload: schema.Payload, facet: str, element: str) -> str:
        """The sentence that is false, or the link."""
        falsehoods = [error.sentence for error in payload.errors]
        return text_at(falsehoods if facet in OF_ERRORS else payload.links, element)

    def measures(
        self,
        source: Source,
        payload: schema.Payload,
        answer: schema.Answer,
        options: schema.Options,
    ) -> dict[str, float | None]:
        """The score, 0 to 5, and its three parts, 0 to 2 each."""
        return score(answer, link_score=payload.link_score).measures

    def check(self, payload: schema.Payload, answer: schema.Answer) -> None:
        """The whole rubric: half of one has no score."""
        check_numbers("errors", [error.error for error in answer.errors], len(payload.errors))
        check_numbers("links", [link.link for link in answer.links], len(payload.links))

    def compared(
        self, payload: schema.Payload, answer: schema.Answer, reference: schema.Answer
    ) -> list[Compared]:
        """Every yes and no; the score follows from them."""
        own = [*_of_errors(answer), *_of_links(answer)]
        right = [*_of_errors(reference), *_of_links(reference)]
        return [
            Compared(part, "right")
            if given.value == wanted.value
            else Compared(part, "wrong", right=dict(OFFERED)[str(wanted.value)])
            for given, wanted in zip(own, right, strict=True)
            for part in (part_name(given.facet, given.element),)
        ]

    def summary(self, payload: schema.Payload, answer: schema.Answer) -> str:
        """The answers about each error and each link."""
        words = {
            yes: str(word) for yes, word in zip((True, False), dict(OFFERED).values(), strict=True)
        }
        errors = [(words[error.points_out], words[error.corrects]) for error in answer.errors]
        links = [
            (words[link.exists], words[link.relevant], words[link.supports])
            for link in answer.links
        ]
        return listed(
            [
                *(
                    _("Error %(number)d:") % {"number": n} + " " + ", ".join(row)
                    for n, row in enumerate(errors, start=1)
                ),
                *(
                    _("Link %(number)d:") % {"number": n} + " " + ", ".join(row)
                    for n, row in enumerate(links, start=1)
                ),
            ]
        )

    def combined(
        self, payload: schema.Payload, answers: Sequence[schema.Answer], *, how: str | None = None
    ) -> schema.Answer:
        return combined(answers, how)

    def parts(self, payload: schema.Payload) -> tuple[Part, ...]:
        """Every yes and no about errors, then about links."""
        text = " ".join(payload.sentences)
        asked = [
            *((name, error.correction) for error in payload.errors for name in OF_ERRORS),
            *((name, link) for link in payload.links for name in OF_LINKS),
        ]
        return tuple(Part(name, text, source, YES_OR_NO) for name, source in asked)

    def to_parts(self, payload: schema.Payload, answer: schema.Answer) -> list[Value]:
        return [str(rating.value) for rating in (*_of_errors(answer), *_of_links(answer))]

    def from_parts(self, payload: schema.Payload, values: Sequence[Value]) -> schema.Answer:
        said = iter(value == YES_OR_NO[0] for value in values)
        return schema.Answer(
            errors=tuple(
                schema.ErrorAnswer(error=number, points_out=next(said), corrects=next(said))
                for number in range(len(payload.errors))
            ),
            links=tuple(
                schema.LinkAnswer(
                    link=number, exists=next(said), relevant=next(said), supports=next(said)
                )
                for number in range(len(payload.links))
            ),
        )


def _of_errors(answer: schema.Answer) -> Iterator[RatingValue]:
    for error in answer.errors:
        element = str(error.error)
        yield RatingValue("error", _word(error.points_out), element)
        yield RatingValue("correction", _word(error.corrects), element)


def _of_links(answer: schema.Answer) -> Iterator[RatingValue]:
    for link in answer.links:
        element = str(link.link)
        yield RatingValue("link_exists", _word(link.exists), element)
        yield RatingValue("link_relevant", _word(link.relevant), element)
        yield RatingValue("link_supports", _word(link.supports), element)


def _word(yes: bool) -> str:
    return "yes" if yes else "no"


ACTIONABILITY = Actionability()
