"""The answers of workers, and how many of the controls among them are right."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

from annotation.models import Annotation, Question, Study, Unit
from annotation.models.answers import AnnotationQuerySet


def answers_of(
    study: Study, participations: Collection[int] = (), assignments: Collection[int] = ()
) -> AnnotationQuerySet:
    """The answers of these participations, or in these batches.

    With excluded and surplus answers, which say as much about how somebody works; without
    superseded and withdrawn ones.
    """
    rows = Annotation.objects.filter(study=study, superseded_at=None, withdrawn_at=None)
    if assignments:
        return rows.filter(assignment__in=assignments)
    return rows.filter(rater__participation__in=participations)


@dataclass(frozen=True)
class Score:
    """Controls met, and how many of them were answered right."""

    right: int
    met: int

    @property
    def share(self) -> float | None:
        """From 0 to 1; None where none was met."""
        return self.right / self.met if self.met else None


@dataclass(frozen=True)
class ControlMet:
    """A control unit in a worker's batch: right if all its questions with a reference were
    answered right."""

    participation: int
    assignment: int | None
    unit: int
    right: bool


def controls_met(
    study: Study, *, participations: Collection[int] = (), assignments: Collection[int] = ()
) -> list[ControlMet]:
    """The controls that these people met, or that were in these batches. Two queries.

    Excluded answers stay in the record; withdrawn ones do not.
    """
    rows = answers_of(study, participations, assignments).filter(
        question__unit__role__in=Unit.CONTROLS, question__reference__isnull=False
    )
    rows = rows.exclude(question__unit__check_state__in=Unit.UNUSED)
    answers = list(
        rows.order_by("pk").values_list(
            "rater__participation", "assignment", "question__unit", "question", "answer"
        )
    )
    is_right = _grader_of({question for *_, question, _ in answers})
    right: dict[tuple[int, int | None, int], bool] = {}
    for participation, assignment, unit, question, answer in answers:
        key = (participation, assignment, unit)
        right[key] = right.get(key, True) and is_right(question, answer)
    return [ControlMet(*key, fits) for key, fits in right.items()]


def _grader_of(questions: Collection[int]) -> Callable[[int, Any], bool]:
    """A function that says whether an answer to one of these questions is right. Each question is
    parsed once."""
    rows = Question.objects.filter(pk__in=questions).select_related("block")
    loaded = {row.pk: (row, row.typed_payload, row.typed_reference) for row in rows}

    def is_right(key: int, answer: Any) -> bool:
        question, payload, reference = loaded[key]
        task_type = question.block.task_type
        return task_type.is_right(payload, question.typed_answer(answer), reference)

    return is_right


def scores(met: Iterable[ControlMet], *, by: str = "participation") -> dict[int, Score]:
    """One score per participation, or per `assignment`."""
    right_by_key: dict[int, list[bool]] = defaultdict(list)
    for control in met:
        right_by_key[getattr(control, by)].append(control.right)
    return {key: Score(sum(right), len(right)) for key, right in right_by_key.items()}
