"""What is known to be right in a study: what people agree on, else the references."""

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Literal

from agreement import consensus
from annotation.models import Annotation, Question, Rater, Study, Unit
from tasktypes.contract import RatingValue, Value

CHUNK = 500
Place = tuple[str, str]  # facet and element
Values = Mapping[Place, Value]


@dataclass(frozen=True)
class Known:
    """What is taken to be right, by question, and whose word that is; `by`: the people's ids."""

    fitted_on: Literal["humans", "references"]
    of: Mapping[int, Values]
    by: Mapping[int, Set[int]]


def agreed_by_people(study: Study) -> Known:
    """The consensus of people, by the rules of a report and from what a report counts."""
    people = Annotation.objects.filter(study=study, rater__kind=Rater.Kind.HUMAN).counted()
    people = people.filter(replicate=0).select_related("question__block").order_by("pk")
    answers: dict[int, dict[Place, list[Value]]] = defaultdict(lambda: defaultdict(list))
    by: dict[int, set[int]] = defaultdict(set)
    for annotation in people.iterator(chunk_size=CHUNK):
        by[annotation.question_id].add(annotation.rater_id)
        for place, value in values_of(annotation.question, annotation.answer).items():
            answers[annotation.question_id][place].append(value)
    agreed = {question: _consensus(places) for question, places in answers.items()}
    return Known("humans", agreed, by)


def references(study: Study) -> Known:
    """The right answers that the material itself determines."""
    asked = Question.objects.filter(
        study=study, reference__isnull=False, unit__role=Unit.Role.NORMAL
    ).select_related("block")
    found = {one.pk: values_of(one, one.reference) for one in asked.iterator(chunk_size=CHUNK)}
    return Known("references", found, {})


def _consensus(places: Mapping[Place, Sequence[Value]]) -> Values:
    """One value per place, by the rule that reports use; without a place where there is none."""
    agreed = {place: consensus(values, kind=kind_of(values[0])) for place, values in places.items()}
    return {place: value for place, value in agreed.items() if value is not None}


def kind_of(value: Value) -> Literal["set", "label", "number"]:
    """Which kind of facet holds such a value."""
    if isinstance(value, frozenset):
        return "set"
    return "label" if isinstance(value, str) else "number"


def values_of(question: Question, answer: Any) -> Values:
    """An answer as its values; items go by their places, which are the same for everybody."""
    payload, typed = question.typed_payload, question.typed_answer(answer)
    ratings: Sequence[RatingValue] = question.block.task_type.ratings(payload, typed)
    return {(one.facet, one.element): one.value for one in ratings}
