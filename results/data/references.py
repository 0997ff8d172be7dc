"""The right answers, taken apart like any other: what sets are scored against."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from django.db.models import QuerySet

from annotation.answers.item_names import name_items
from annotation.models import Question, Study, Unit
from tasktypes.contract import RatingValue, Value

CHUNK = 500


@dataclass(frozen=True, eq=False)
class References:
    """(question id, element) -> the right value, per facet."""

    of_facet: Mapping[str, Mapping[tuple[int, str], Value]]

    def get(self, facet: str) -> Mapping[tuple[int, str], Value]:
        return self.of_facet.get(facet, {})


def load_references(study: Study, facets: Sequence[str]) -> References:
    """The references of a study's normal questions; one streamed query beside the blocks'."""
    blocks = {block.pk: block for block in study.blocks.all()}
    found: dict[str, dict[tuple[int, str], Value]] = {name: {} for name in facets}
    questions = Question.objects.filter(
        study=study, reference__isnull=False, unit__role=Unit.Role.NORMAL
    ).order_by("pk")
    for chunk in _chunks(questions):
        for question in chunk:
            question.block = blocks[question.block_id]
        for question, ratings in zip(chunk, rate_references(chunk), strict=True):
            for rating in ratings:
                found[rating.facet][question.pk, rating.element] = rating.value
    return References(found)


def _chunks(questions: QuerySet[Question]) -> Iterator[list[Question]]:
    streamed = questions.iterator(CHUNK)
    while chunk := list(islice(streamed, CHUNK)):
        yield chunk


def rate_reference(question: Question) -> Sequence[RatingValue]:
    """The ratings that the right answer of a question would have; empty without one."""
    return rate_references([question])[0]


def rate_references(questions: Sequence[Question]) -> list[list[RatingValue]]:
    """The same for each of several questions."""
    return name_items((question.unit_id, _taken_apart(question)) for question in questions)


def _taken_apart(question: Question) -> Sequence[RatingValue]:
    reference = question.typed_reference
    if reference is None:
        return ()
    ratings: Sequence[RatingValue] = question.block.task_type.ratings(
        question.typed_payload, reference
    )
    return ratings
