"""Time spent: active seconds or, where no browser counted them, from lease to submission."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from statistics import median

from django.db.models import Count, Q, Sum

from annotation.models import Assignment, Study
from desk.workers.records.answers import answers_of

State = Assignment.State


@dataclass(frozen=True)
class BatchTime:
    """The seconds that a submitted batch took.

    measured: the browser counted them for every answer; else they run from the lease to the
    submission, breaks and all.
    """

    assignment: int
    participation: int
    seconds: float
    answers: int
    measured: bool


@dataclass(frozen=True)
class Pace:
    """The median of seconds per question, and how many of the batches behind it were measured."""

    seconds: float
    measured: int
    batches: int

    @property
    def estimated(self) -> bool:
        """Whether some of it runs from leases to submissions."""
        return self.measured < self.batches


def batch_times(
    study: Study,
    participations: Collection[int] | None = None,
    *,
    assignments: Collection[int] | None = None,
) -> list[BatchTime]:
    """The submitted batches of these people, or these batches, or all; one query."""
    rows = Assignment.objects.filter(participation__study=study, state=State.SUBMITTED)
    if participations is not None:
        rows = rows.filter(participation__in=participations)
    if assignments is not None:
        rows = rows.filter(pk__in=assignments)
    last = Q(annotations__superseded_at=None)
    counted = rows.annotate(
        n=Count("annotations", filter=last),
        n_measured=Count("annotations", filter=last & Q(annotations__active_seconds__gt=0)),
        active=Sum("annotations__active_seconds", filter=last),
    )
    return [
        BatchTime(
            assignment=key,
            participation=participation,
            seconds=active if 0 < n == n_measured else (end - start).total_seconds(),
            answers=n,
            measured=0 < n == n_measured,
        )
        for key, participation, start, end, n, n_measured, active in counted.order_by(
            "pk"
        ).values_list(
            "pk", "participation", "leased_at", "submitted_at", "n", "n_measured", "active"
        )
        if end is not None
    ]


def paces(study: Study, participations: Collection[int]) -> dict[int, Pace]:
    """Participation -> its pace, in two queries.

    In a batch that was not measured, all questions get the same share of its time.
    """
    answers = answers_of(study, participations).exclude(assignment=None)
    active: dict[int, list[float]] = defaultdict(list)
    for assignment, seconds in answers.values_list("assignment", "active_seconds"):
        active[assignment].append(seconds or 0.0)
    batches: dict[int, list[BatchTime]] = defaultdict(list)
    for time in batch_times(study, participations):
        if time.answers:
            batches[time.participation].append(time)
    return {participation: _pace(times, active) for participation, times in batches.items()}


def _pace(times: Collection[BatchTime], active: dict[int, list[float]]) -> Pace:
    seconds: list[float] = []
    for time in times:
        even = [time.seconds / time.answers] * time.answers
        seconds += (active[time.assignment] or even) if time.measured else even
    return Pace(median(seconds), sum(time.measured for time in times), len(times))


def seconds_each(study: Study, participations: Collection[int]) -> dict[int, float | None]:
    """The median of seconds per question, per participation."""
    return {
        participation: pace.seconds for participation, pace in paces(study, participations).items()
    }
