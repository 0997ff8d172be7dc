"""The right answers in a study: the consensus of people, or the references."""

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Literal

from agreement import consensus
from annotation.models import Annotation, Question, Rater, Study, Unit
from tasktypes.facets import RatingValue, Value

CHUNK = 500
RatingKey = tuple[str, str]  # facet and element
Values = Mapping[RatingKey, Value]


@dataclass(frozen=True)
class KnownAnswers:
    """Right answers by the question's id. raters: the ids of the people who agree on them."""

    fitted_on: Literal["humans", "references"]
    values: Mapping[int, Values]
    raters: Mapping[int, Set[int]]


def consensus_of_people(study: Study) -> KnownAnswers:
    """The consensus of people, by the rules of reports and from the answers that they count."""
    people = Annotation.objects.filter(study=study, rater__kind=Rater.Kind.HUMAN).counted()
    people = people.filter(replicate=0).select_related("question__block").order_by("pk")
    answers: dict[int, dict[RatingKey, list[Value]]] = defaultdict(lambda: defaultdict(list))
    raters: dict[int, set[int]] = defaultdict(set)
    for annotation in people.iterator(chunk_size=CHUNK):
        raters[annotation.question_id].add(annotation.rater_id)
        for key, value in values_of(annotation.question, annotation.answer).items():
            answers[annotation.question_id][key].append(value)
    agreed = {question: _consensus(values) for question, values in answers.items()}
    return KnownAnswers("humans", agreed, raters)


def references(study: Study) -> KnownAnswers:
    """The reference answers of the study's questions."""
    questions = Question.objects.filter(
        study=study, reference__isnull=False, unit__role=Unit.Role.NORMAL
    ).select_related("block")
    values = {
        question.pk: values_of(question, question.reference)
        for question in questions.iterator(chunk_size=CHUNK)
    }
    return KnownAnswers("references", values, {})


def _consensus(answers: Mapping[RatingKey, Sequence[Value]]) -> Values:
    """One value for each facet and element that has a consensus, by the rule of reports."""
    agreed = {key: consensus(values, kind=kind_of(values[0])) for key, values in answers.items()}
    return {key: value for key, value in agreed.items() if value is not None}


def kind_of(value: Value) -> Literal["set", "label", "number"]:
    """The kind of facet that has such a value."""
    if isinstance(value, frozenset):
        return "set"
    return "label" if isinstance(value, str) else "number"


def values_of(question: Question, answer: Any) -> Values:
    """The values of an answer. Items are identified by their index, the same for every rater."""
    payload, typed = question.typed_payload, question.typed_answer(answer)
    ratings: Sequence[RatingValue] = question.block.task_type.ratings(payload, typed)
    return {(rating.facet, rating.element): rating.value for rating in ratings}
