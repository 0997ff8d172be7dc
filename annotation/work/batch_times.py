"""Seconds that batches took: active ones or, where no browser counted, lease to submission."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Count, DurationField, ExpressionWrapper, F, Q, QuerySet, Sum, Value
from django.db.models.functions import Greatest

from annotation.models import Annotation, Assignment, Study
from annotation.queries.compiled import fetch

State = Assignment.State
NO_TIME = timedelta(0)


@dataclass(frozen=True)
class BatchTime:
    """The seconds that a submitted batch took.

    measured: the browser counted them for every answer; else they run from the lease to the
    submission, breaks and all; 0 where the server's clock was set back by more than that.
    """

    assignment: int
    participation: int
    seconds: float
    answers: int
    measured: bool


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
            seconds=active if 0 < n == n_measured else max(end - start, NO_TIME).total_seconds(),
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


@dataclass(frozen=True)
class TimeSpent:
    """The seconds of all submitted batches of a worker, and how many of these were measured."""

    participation: int
    seconds: float
    batches: int
    measured: int


def times_spent(study: Study) -> list[TimeSpent]:
    """Of every worker who submitted a batch; one query, which adds the batches up."""
    batches = Assignment.objects.filter(participation__study=study, state=State.SUBMITTED)
    between = ExpressionWrapper(F("submitted_at") - F("leased_at"), DurationField())
    lasted = Greatest(between, Value(NO_TIME, DurationField()))
    answers = Annotation.objects.filter(
        study=study, superseded_at=None, assignment__isnull=False
    ).order_by()
    measured = Count("pk", filter=Q(active_seconds__gt=0))
    return [
        TimeSpent(participation, (active or 0.0) + _seconds(lasted), n, n_measured)
        for participation, active, lasted, n, n_measured in _added_up(
            batches.values("participation", key=F("pk"), lasted=lasted),
            answers.values(key=F("assignment")).annotate(
                n=Count("pk"), n_measured=measured, active=Sum("active_seconds")
            ),
        )
    ]


# Django groups what is grouped already no further. The answers of a batch are counted before they
# are joined with it: otherwise the times of a batch are read once for each of its answers.
ADDED_UP = """
    SELECT participation,
           SUM(CASE WHEN answers.n = n_measured THEN active END),
           SUM(CASE WHEN answers.n = n_measured THEN NULL ELSE lasted END),
           COUNT(*),
           SUM(CASE WHEN answers.n = n_measured THEN 1 ELSE 0 END)
      FROM ({batches}) batches LEFT JOIN ({answers}) answers ON answers.key = batches.key
     GROUP BY 1 ORDER BY 1
"""


def _added_up(batches: QuerySet[Any, Any], answers: QuerySet[Any, Any]) -> list[tuple[Any, ...]]:
    (of_batches, first), (of_answers, then) = (
        rows.query.sql_with_params() for rows in (batches, answers)
    )
    return fetch(ADDED_UP.format(batches=of_batches, answers=of_answers), [*first, *then])


def _seconds(lasted: timedelta | int | None) -> float:
    """What the driver gives for a sum of durations; SQLite's are microseconds."""
    if isinstance(lasted, timedelta):
        return lasted.total_seconds()
    return (lasted or 0) / 1_000_000
