"""Who is at work in a study now."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, IntegerField, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.models import Assignment, AssignmentUnit, Draft, Participation, Study

State = Assignment.State
# Of so many people the page says where they are.
SHOWN = 12
ABOUT_TO_END = timedelta(minutes=10)
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class AtWork:
    """A worker with a batch. answered: questions with a complete answer so far, of all of them."""

    participation: Participation
    round: str
    answered: int
    questions: int
    began_at: datetime
    lease_until: datetime
    last_seen: datetime
    now: datetime

    @property
    def minutes(self) -> int:
        """Since they got the batch."""
        return int((self.now - self.began_at) / MINUTE)

    @property
    def minutes_left(self) -> int:
        """Until the lease ends."""
        return max(0, int((self.lease_until - self.now) / MINUTE))

    @property
    def is_about_to_end(self) -> bool:
        return self.lease_until - self.now <= ABOUT_TO_END


@dataclass(frozen=True)
class Presence:
    """Those at work, the first leases to end first. n: all of them; n_ending: those whose lease is
    about to end; n_expired: batches whose lease ran out, and which may still be finished."""

    people: Sequence[AtWork]
    n: int
    n_ending: int
    n_expired: int


def who_is_at_work(study: Study, blocks: int, now: datetime) -> Presence:
    """Two queries, whatever the number of people. blocks: how many questions a unit has."""
    opened = Assignment.objects.filter(
        participation__study=study, state__in=[State.ACTIVE, State.EXPIRED]
    )
    ends = list(opened.order_by().values_list("state", "lease_until"))
    running = [until for state, until in ends if state == State.ACTIVE and until > now]
    shown = opened.filter(state=State.ACTIVE, lease_until__gt=now).order_by("lease_until", "pk")
    return Presence(
        people=[_at_work(row, blocks, now) for row in _with_counts(shown)[:SHOWN]],
        n=len(running),
        n_ending=sum(until - now <= ABOUT_TO_END for until in running),
        n_expired=len(ends) - len(running),
    )


def _with_counts(batches: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """With the units and the answers of each. Subqueries, as two joins would multiply the rows."""
    units = AssignmentUnit.objects.filter(assignment=OuterRef("pk")).order_by()
    drafts = Draft.objects.filter(assignment=OuterRef("pk")).order_by()
    complete = drafts.filter(complete=True).values("assignment").annotate(n=Count("pk"))
    return batches.select_related("participation", "round").annotate(
        n_units=Subquery(units.values("assignment").annotate(n=Count("pk")).values("n")),
        n_complete=Coalesce(Subquery(complete.values("n"), output_field=IntegerField()), 0),
        seen=Subquery(drafts.values("assignment").annotate(at=Max("saved_at")).values("at")),
    )


def _at_work(row: Assignment, blocks: int, now: datetime) -> AtWork:
    counts = row.__dict__
    return AtWork(
        participation=row.participation,
        round=row.round.name,
        answered=counts["n_complete"],
        questions=(counts["n_units"] or 0) * blocks,
        began_at=row.leased_at,
        lease_until=row.lease_until,
        last_seen=counts["seen"] or row.leased_at,
        now=now,
    )
