"""Seconds that batches took: active ones or, where no browser counted, lease to submission."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Count, Q, Sum

from annotation.models import Assignment, Study

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
