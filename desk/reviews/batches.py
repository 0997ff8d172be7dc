"""What a reviewer looks at: the list of submitted batches, and one batch beside its controls."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.safestring import SafeString

from annotation.models import Annotation, Assignment, AssignmentUnit, Rater, Study, Unit
from annotation.views.filled_form import draw_answer
from desk.workers.records.accuracy import Score, controls_met, scores
from desk.workers.records.timing import BatchTime, batch_times
from results.units.page import Asked, Said, asked_about_each

NONE_MET = Score(0, 0)


def submitted_batches(study: Study, filters: Mapping[str, Any]) -> QuerySet[Assignment]:
    """The study's submitted batches, the newest first; `filters` as the form gives them."""
    rows = Assignment.objects.filter(
        participation__study=study, state=Assignment.State.SUBMITTED
    ).select_related("participation", "round")
    for field, name in (
        ("verdict", "verdict"),
        ("round", "round"),
        ("participation__number", "worker"),
    ):
        if filters.get(name):
            rows = rows.filter(**{field: filters[name]})
    return rows.order_by("-submitted_at", "-pk")


@dataclass(frozen=True)
class BatchLine:
    """One batch as the list shows it."""

    assignment: Assignment
    controls: Score
    time: BatchTime | None
    problems: int

    @property
    def estimated(self) -> bool:
        """Whether the time runs from the lease to the submission."""
        return self.time is not None and not self.time.measured

    @property
    def minutes(self) -> float | None:
        return None if self.time is None else self.time.seconds / 60


def lines_of(study: Study, assignments: Sequence[Assignment]) -> list[BatchLine]:
    """What the list says of these batches; the queries do not grow with their number."""
    keys = [one.pk for one in assignments]
    controls = scores(controls_met(study, assignments=keys), by="assignment") if keys else {}
    times = {time.assignment: time for time in batch_times(study, assignments=keys)}
    reported = AssignmentUnit.objects.filter(assignment__in=keys).exclude(problem="")
    problems = Counter(reported.values_list("assignment", flat=True))
    return [
        BatchLine(one, controls.get(one.pk, NONE_MET), times.get(one.pk), problems[one.pk])
        for one in assignments
    ]


@dataclass(frozen=True)
class AnsweredHere:
    """A question of the batch: what this worker said, and everybody else.

    right is None where no right answer is known, and where there is no answer (any more).
    """

    asked: Asked
    mine: Said | None
    others: Sequence[Said]
    right: bool | None
    shown: SafeString | None


@dataclass(frozen=True)
class ReviewedUnit:
    """A unit of the batch with its questions."""

    batch_unit: AssignmentUnit
    questions: Sequence[AnsweredHere]

    @property
    def is_control(self) -> bool:
        return self.batch_unit.unit.role in Unit.CONTROLS

    @property
    def is_retired(self) -> bool:
        return self.batch_unit.unit.check_state == Unit.Check.RETIRED

    @property
    def right(self) -> bool | None:
        """Whether a control was answered right; None for what is none."""
        judged = [one.right for one in self.questions if one.right is not None]
        measures = self.is_control and not self.is_retired
        return all(judged) if measures and judged else None


def reviewed_units(study: Study, assignment: Assignment) -> list[ReviewedUnit]:
    """Every unit of the batch in the order it was met; a constant number of queries.

    Others are people alone: that machines see it otherwise says nothing of how somebody works.
    """
    batch = list(assignment.assignment_units.select_related("unit__source").order_by("position"))
    asked = asked_about_each(study, [one.unit_id for one in batch], kinds=[Rater.Kind.HUMAN])
    return [
        ReviewedUnit(one, [_here(assignment, question) for question in asked[one.unit_id]])
        for one in batch
    ]


def _here(assignment: Assignment, asked: Asked) -> AnsweredHere:
    mine = next((said for said in asked.answers if _is_of(said, assignment)), None)
    others = [said for said in asked.answers if said is not mine]
    if mine is None or mine.annotation is None or mine.annotation.withdrawn_at is not None:
        return AnsweredHere(asked, mine, others, right=None, shown=None)
    answer = asked.question.typed_answer(mine.annotation.answer)
    prefix = f"of-{mine.annotation.pk}"
    return AnsweredHere(
        asked,
        mine,
        others,
        right=asked.question.is_right(answer) if asked.reference is not None else None,
        shown=draw_answer(asked.question, answer, prefix=prefix),
    )


def _is_of(said: Said, assignment: Assignment) -> bool:
    annotation: Annotation | None = said.annotation
    return annotation is not None and annotation.assignment_id == assignment.pk


def styles_of(study: Study) -> list[str]:
    """The style sheets that the study's questions are drawn with."""
    files = [file for block in study.blocks.all() for file in block.task_type.styles]
    return list(dict.fromkeys(files))
