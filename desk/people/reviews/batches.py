"""The contents of the review pages: the list of submitted batches, and one batch."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.safestring import SafeString

from annotation.models import Annotation, Assignment, AssignmentUnit, Rater, Study, Unit
from annotation.views.filled_form import draw_answer
from annotation.work.batch_times import BatchTime, batch_times
from annotation.work.control_answers import Score, controls_met, scores
from desk.worker_records.signs import Sign
from results.units.page import AnsweredQuestion, StoredAnswer, asked_about_each

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
    signs: int | None  # of the worker, in the whole study; None where they are being counted

    @property
    def estimated(self) -> bool:
        """Whether the time runs from the lease to the submission."""
        return self.time is not None and not self.time.measured

    @property
    def minutes(self) -> float | None:
        return None if self.time is None else self.time.seconds / 60


def lines_of(
    study: Study,
    assignments: Sequence[Assignment],
    signs: Mapping[int, Sequence[Sign]] | None,
) -> list[BatchLine]:
    """The lines of these batches; the number of queries does not depend on theirs. signs: those
    that each participation shows, where they are counted."""
    keys = [assignment.pk for assignment in assignments]
    controls = scores(controls_met(study, assignments=keys), by="assignment") if keys else {}
    times = {time.assignment: time for time in batch_times(study, assignments=keys)}
    reported = AssignmentUnit.objects.filter(assignment__in=keys).exclude(problem="")
    problems = Counter(reported.values_list("assignment", flat=True))
    return [
        BatchLine(
            assignment,
            controls.get(assignment.pk, NONE_MET),
            times.get(assignment.pk),
            problems[assignment.pk],
            None if signs is None else len(signs.get(assignment.participation_id, ())),
        )
        for assignment in assignments
    ]


@dataclass(frozen=True)
class ReviewedQuestion:
    """A question of the batch with the answers of this worker and of other people.

    right: None where no right answer is known, or where there is no answer (any more).
    """

    unit_question: AnsweredQuestion
    mine: StoredAnswer | None
    others: Sequence[StoredAnswer]
    right: bool | None
    shown: SafeString | None


@dataclass(frozen=True)
class ReviewedUnit:
    """A unit of the batch with its questions."""

    batch_unit: AssignmentUnit
    questions: Sequence[ReviewedQuestion]

    @property
    def is_control(self) -> bool:
        return self.batch_unit.unit.role in Unit.CONTROLS

    @property
    def is_retired(self) -> bool:
        return self.batch_unit.unit.check_state == Unit.Check.RETIRED

    @property
    def right(self) -> bool | None:
        """Whether a control was answered right; None for other units."""
        judged = [question.right for question in self.questions if question.right is not None]
        measures = self.is_control and not self.is_retired
        return all(judged) if measures and judged else None


def reviewed_units(study: Study, assignment: Assignment) -> list[ReviewedUnit]:
    """The units of the batch in order, in a constant number of queries.

    Only people's answers are shown beside the worker's: that judges disagree says nothing about
    how a person works.
    """
    batch = list(assignment.assignment_units.select_related("unit__source").order_by("position"))
    by_unit = asked_about_each(
        study, [batch_unit.unit_id for batch_unit in batch], kinds=[Rater.Kind.HUMAN]
    )
    return [
        ReviewedUnit(
            batch_unit,
            [
                _reviewed_question(assignment, question, study.text_form)
                for question in by_unit[batch_unit.unit_id]
            ],
        )
        for batch_unit in batch
    ]


def _reviewed_question(
    assignment: Assignment, unit_question: AnsweredQuestion, text_form: str
) -> ReviewedQuestion:
    mine = next(
        (answer_row for answer_row in unit_question.answers if _is_of(answer_row, assignment)), None
    )
    others = [answer_row for answer_row in unit_question.answers if answer_row is not mine]
    if mine is None or mine.annotation is None or mine.annotation.withdrawn_at is not None:
        return ReviewedQuestion(unit_question, mine, others, right=None, shown=None)
    answer = unit_question.question.typed_answer(mine.annotation.answer)
    prefix = f"of-{mine.annotation.pk}"
    return ReviewedQuestion(
        unit_question,
        mine,
        others,
        right=unit_question.question.is_right(answer)
        if unit_question.reference is not None
        else None,
        shown=draw_answer(unit_question.question, answer, prefix=prefix, text_form=text_form),
    )


def _is_of(answer_row: StoredAnswer, assignment: Assignment) -> bool:
    annotation: Annotation | None = answer_row.annotation
    return annotation is not None and annotation.assignment_id == assignment.pk
