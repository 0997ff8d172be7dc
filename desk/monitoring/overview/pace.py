"""How fast answers come in, and when the last is to be expected."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q

from annotation.models import Assignment, Study, Unit

HOURS = 24
HOUR = timedelta(hours=1)
# A pace of fewer answers says too little of what is to come; nor does one that is a year off.
FEWEST, LONGEST = 3, timedelta(days=365)


@dataclass(frozen=True)
class Pace:
    """Units, without controls, that people answered in each of the last 24 hours, the oldest
    first. since: from when on the study's pace is measured, at most 24 hours ago. excluded: units
    answered in that time beside these, in batches that were excluded since."""

    per_hour: Sequence[int]
    since: datetime
    until: datetime
    excluded: int = 0

    @property
    def total(self) -> int:
        return sum(self.per_hour)

    @property
    def hours(self) -> float:
        """The length of what is measured, at least an hour."""
        return max(1.0, (self.until - self.since) / HOUR)

    @property
    def rate(self) -> float:
        """Units answered in an hour, on average."""
        return self.total / self.hours

    def end(self, missing: int) -> datetime | None:
        """When so many more have been answered if it goes on like that; None where that cannot be
        said."""
        if self.total < FEWEST or not missing:
            return None
        left = timedelta(hours=missing / self.rate)
        return None if left > LONGEST else self.until + left


def recent_pace(study: Study, now: datetime) -> Pace:
    """The pace of the last 24 hours, by submitted batches; one query."""
    batches = Assignment.objects.filter(
        participation__study=study,
        round__counts=True,
        state=Assignment.State.SUBMITTED,
        submitted_at__gt=now - HOURS * HOUR,
        submitted_at__lte=now,
    )
    normal = Q(assignment_units__place__role=Unit.Role.NORMAL)
    counted = batches.order_by().annotate(n=Count("assignment_units", filter=normal))
    per_hour, earliest, excluded = [0] * HOURS, now, 0
    fields = ("submitted_at", "leased_at", "verdict", "n")
    for submitted_at, leased_at, verdict, n in counted.values_list(*fields):
        assert submitted_at is not None
        earliest = min(earliest, leased_at)
        if verdict == Assignment.Verdict.EXCLUDED:
            excluded += n
        else:
            per_hour[HOURS - 1 - int((now - submitted_at) / HOUR)] += n
    return Pace(per_hour, max(earliest, now - HOURS * HOUR), now, excluded)
