"""Keep leases: give back what ran out or was left, and hold again for those who come back.

Every function locks the assignment first and its places after it, in one order everywhere.
"""

from datetime import datetime, timedelta

from django.db import transaction

from annotation.models import (
    Assignment,
    AssignmentUnit,
    Participation,
    Place,
    Question,
    Round,
    Unit,
)
from annotation.work.ledger import FinishedShare, pay_for_part

State = Assignment.State

# At most this many in one pass; the rest comes with the next.
RELEASED_AT_ONCE = 500

TEAM_LEASE = timedelta(days=3650)

# What of an assignment changes while it is worked on.
CHANGING = ("state", "lease_until", "extensions", "submitted_at", "late")


class NotActive(Exception):
    """The assignment is not open: it was submitted or returned."""


class NoMoreTime(Exception):
    """The study gives no more time for this batch. Late answers are accepted all the same."""


def lease_end(assignment: Assignment, now: datetime) -> datetime:
    """When a lease that begins now ends: for a member of a team, not while the study lasts, since
    what they are to answer is nobody else's."""
    study = assignment.participation.study
    return now + (TEAM_LEASE if study.has_team else timedelta(minutes=study.lease_minutes))


def release_expired_leases(*, now: datetime, round_: Round | None = None) -> int:
    """Give back the room of every lease that has run out; their drafts stay.

    One short transaction per lease, so that nobody waits for the whole pass.
    """
    run_out = Assignment.objects.filter(state=State.ACTIVE, lease_until__lte=now)
    if round_ is not None:
        run_out = run_out.filter(round=round_)
    keys = list(run_out.order_by("lease_until").values_list("pk", flat=True)[:RELEASED_AT_ONCE])
    return sum(_expire(key, now) for key in keys)


@transaction.atomic
def _expire(key: int, now: datetime) -> int:
    still_run_out = Assignment.objects.filter(pk=key, state=State.ACTIVE, lease_until__lte=now)
    expired = still_run_out.update(state=State.EXPIRED)
    if expired:
        _give_back(key)
    return expired


def _give_back(assignment_id: int) -> None:
    holding = AssignmentUnit.objects.filter(assignment=assignment_id, holds=True)
    places = Place.objects.filter(pk__in=list(holding.values_list("place", flat=True)))
    places.lock()
    places.give_back()
    holding.update(holds=False)


@transaction.atomic
def extend_lease(*, assignment: Assignment, now: datetime, after: int | None = None) -> Assignment:
    """Begin the lease anew. One that has run out is revived.

    `after` is how often it had begun anew for the page that asks: a click whose answer was lost
    and that is repeated takes no second extension. NoMoreTime where the worker has taken more as
    often as the study allows.
    """
    assignment = lock_assignment(assignment)
    if after is not None and assignment.extensions > after and _is_held(assignment, now):
        return assignment
    if assignment.is_open and not assignment.may_extend:
        raise NoMoreTime
    return _renew(assignment, now)


def _is_held(assignment: Assignment, now: datetime) -> bool:
    return assignment.state == State.ACTIVE and not assignment.has_run_out(now)


@transaction.atomic
def renew_lease(*, assignment: Assignment, now: datetime) -> Assignment:
    """Hold again what still has room, for a worker who comes back after the lease ended.

    What has no room is answered all the same, and kept as surplus. A lease that has not
    run out stays as it is, and so does one that the study gives no more time for: it can be
    answered and submitted late.
    """
    assignment = lock_assignment(assignment)
    if _is_held(assignment, now):
        return assignment
    if assignment.is_open and not assignment.may_extend:
        return assignment
    return _renew(assignment, now)


def _renew(assignment: Assignment, now: datetime) -> Assignment:
    if not assignment.is_open:
        raise NotActive
    if assignment.state == State.EXPIRED:
        _hold_again(assignment)
    assignment.state = State.ACTIVE
    assignment.lease_until = lease_end(assignment, now)
    assignment.extensions += 1
    assignment.save(update_fields=["state", "lease_until", "extensions"])
    return assignment


def _hold_again(assignment: Assignment) -> None:
    units = assignment.assignment_units.filter(
        holds=False, outcome=AssignmentUnit.Outcome.OPEN, place__role=Unit.Role.NORMAL
    ).order_by("place__shuffle", "place_id")
    held = [u.pk for u in units if Place.objects.filter(pk=u.place_id).hold()]
    assignment.assignment_units.filter(pk__in=held).update(holds=True)


def lock_assignment(assignment: Assignment) -> Assignment:
    """Lock the row until the end of the transaction, and read what may have changed in it."""
    rows = Assignment.objects.filter(pk=assignment.pk).select_for_update(no_key=True)
    for field, value in rows.values(*CHANGING).get().items():
        setattr(assignment, field, value)
    return assignment


def lock_with_batches(participation: Participation) -> list[Assignment]:
    """Lock a participation and then all its batches, before any place: the order of all functions
    that end a participation and take its answers back."""
    Participation.objects.select_for_update(no_key=True, of=("self",)).get(pk=participation.pk)
    batches = Assignment.objects.filter(participation=participation).order_by("pk")
    return list(batches.select_for_update(no_key=True, of=("self",)))


@transaction.atomic
def close_open_batch(*, participation: Participation) -> Assignment | None:
    """Give back the open batch of somebody who does not continue, and pay its finished part.

    Drafts stay. The batch, or None where none was open.
    """
    assignment = _open_batch(participation)
    if assignment is None or not lock_assignment(assignment).is_open:
        return None
    _give_back(assignment.pk)
    assignment.state = State.RETURNED
    assignment.save(update_fields=["state"])
    pay_for_part(_finished_part(assignment))
    return assignment


def open_part(participation: Participation) -> FinishedShare | None:
    """What closing the open batch would pay; None where it would pay nothing."""
    assignment = _open_batch(participation)
    part = None if assignment is None else _finished_part(assignment)
    return part if part is not None and part.amount else None


def _open_batch(participation: Participation) -> Assignment | None:
    opened = participation.assignments.filter(state__in=[State.ACTIVE, State.EXPIRED])
    return opened.select_related("round").first()


def _finished_part(assignment: Assignment) -> FinishedShare:
    return FinishedShare(assignment, done=_n_finished(assignment), of=_n_units(assignment))


def _n_units(assignment: Assignment) -> int:
    return assignment.assignment_units.count()


def _n_finished(assignment: Assignment) -> int:
    """Units of which every question has a finished answer."""
    questions = Question.objects.filter(unit__assignment_units__assignment=assignment)
    finished = assignment.drafts.filter(complete=True).values("question")
    unfinished = questions.exclude(pk__in=finished).values("unit").distinct().count()
    return _n_units(assignment) - unfinished
