"""Seconds that batches took: active ones or, where no browser counted, lease to submission."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import connection
from django.db.models import Case, Count, DurationField, F, Q, QuerySet, Sum, When

from annotation.models import Assignment, Study
from annotation.queries.compiled import fetch

State = Assignment.State
LAST = Q(annotations__superseded_at=None)
COUNTS: dict[str, Any] = {
    "n": Count("annotations", filter=LAST),
    "n_measured": Count("annotations", filter=LAST & Q(annotations__active_seconds__gt=0)),
    "active": Sum("annotations__active_seconds", filter=LAST),
}


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
    counted = rows.annotate(**COUNTS)
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


@dataclass(frozen=True)
class TimeSpent:
    """The seconds of all submitted batches of a worker, and how many of these were measured."""

    participation: int
    seconds: float
    batches: int
    measured: int


def times_spent(study: Study) -> list[TimeSpent]:
    """Of every worker who submitted a batch; one query, which adds the batches up."""
    measured = Q(n__gt=0, n=F("n_measured"))
    lasted = Case(
        When(measured, then=None),
        default=F("submitted_at") - F("leased_at"),
        output_field=DurationField(),
    )
    rows = Assignment.objects.filter(participation__study=study, state=State.SUBMITTED)
    batches = rows.annotate(**COUNTS, lasted=lasted).order_by()
    return [
        TimeSpent(participation, (active or 0.0) + _seconds(lasted), n, n_measured)
        for participation, active, lasted, n, n_measured in _added_up(
            batches.values("participation", "n", "n_measured", "active", "lasted")
        )
    ]


def _added_up(batches: QuerySet[Assignment, dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Sums over the batches of each worker: Django groups what is grouped already no further."""
    sql, params = batches.query.sql_with_params()
    name = connection.ops.quote_name
    return fetch(
        f"SELECT {name('participation')}, SUM(CASE WHEN n > 0 AND n = n_measured THEN active END),"  # noqa: S608
        " SUM(lasted), COUNT(*), SUM(CASE WHEN n > 0 AND n = n_measured THEN 1 ELSE 0 END)"
        f" FROM ({sql}) batch GROUP BY 1 ORDER BY 1",
        list(params),
    )


def _seconds(lasted: timedelta | int | None) -> float:
    """What the driver gives for a sum of durations; SQLite's are microseconds."""
    if isinstance(lasted, timedelta):
        return lasted.total_seconds()
    return (lasted or 0) / 1_000_000
