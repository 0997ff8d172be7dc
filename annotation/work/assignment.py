"""Leasing the next batch to a worker."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from annotation.models import Assignment, AssignmentUnit, Participation, Round, Study
from annotation.queries.studies import hold_state
from annotation.rounds.durations import minutes_of
from annotation.rounds.way_in import minutes_before
from annotation.work.choice import ChosenPlace
from annotation.work.composition import Reason, compose
from annotation.work.leases import lease_end, release_expired_leases
from annotation.work.qualification import apply_rules, waits_for_invitation

__all__ = ["NothingLeft", "Reason", "lease_batch"]

State = Assignment.State


@dataclass(frozen=True)
class NothingLeft:
    """There is no batch for this worker now; `why` says why."""

    why: Reason


def lease_batch(
    *,
    participation: Participation,
    now: datetime,
    round_: Round | None = None,
) -> Assignment | NothingLeft:
    """The worker's open batch, or a new one of the round that they are in (or of `round_`).

    Normal units with room, and control units; the cost does not grow with the number of units.
    """
    current = apply_rules(participation=participation)
    round_ = round_ or current
    if round_ is None:
        return NothingLeft(Reason.NOT_OPEN)
    release_expired_leases(now=now, round_=round_)
    return _lease(participation, round_, now)


@transaction.atomic
def _lease(participation: Participation, round_: Round, now: datetime) -> Assignment | NothingLeft:
    # The second request of a double click waits here, and then finds the batch of the first.
    locked = Participation.objects.select_for_update(no_key=True, of=("self",))
    visit_key = participation.visit_key
    participation = locked.select_related("study").get(pk=participation.pk)
    opened = _open_assignment(participation)
    if opened is not None:
        return opened
    refused = _refusal(participation, round_)
    if refused is not None:
        return NothingLeft(refused)
    n_before = participation.assignments.count()
    seed = _seed(participation, round_, n_before)
    batch = compose(participation, round_, seed)
    if isinstance(batch, Reason):
        return NothingLeft(batch)
    if participation.round_id is None:
        Participation.objects.filter(pk=participation.pk).update(round=round_)
    participation.visit_key = visit_key
    assignment = _promised(participation, round_, is_first=not n_before)
    assignment.seed = seed
    return _store(assignment, batch, now)


def _open_assignment(participation: Participation) -> Assignment | None:
    opened = participation.assignments.filter(state__in=[State.ACTIVE, State.EXPIRED])
    return opened.select_related("participation__study", "round").first()


def _refusal(participation: Participation, round_: Round) -> Reason | None:
    # Locked before the places, so that nobody closes or pauses the study until the batch is there.
    state, is_paused = hold_state(participation.study_id)
    if state != Study.State.OPEN:
        return Reason.NOT_OPEN
    if is_paused:
        return Reason.PAUSED
    if participation.state in Participation.ENDED:
        return Reason.ENDED
    if waits_for_invitation(participation, round_):
        return Reason.AWAITS_INVITATION
    if participation.study.has_team:
        return None
    leased = participation.assignments.filter(round=round_).exclude(state=State.RETURNED)
    return Reason.LIMIT if leased.count() >= round_.batch_limit else None


def _seed(participation: Participation, round_: Round, n_before: int) -> int:
    text = f"{participation.study.seed}/{round_.name}/{participation.number}/{n_before}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7])


def _promised(participation: Participation, round_: Round, *, is_first: bool) -> Assignment:
    """A batch with what its worker was told of it. Pay and mark are copied: a later change of the
    round does not touch what was promised."""
    return Assignment(
        round=round_,
        participation=participation,
        begun_in="" if participation.is_proved else participation.visit_key or "",
        base_pay=round_.base_pay,
        bonus_pay=round_.bonus_pay,
        pass_accuracy=round_.pass_accuracy,
        currency=round_.currency,
        expected_minutes=minutes_of(round_),
        way_in_minutes=minutes_before(participation.study) if is_first else None,
    )


def _store(assignment: Assignment, batch: list[ChosenPlace], now: datetime) -> Assignment:
    participation = assignment.participation
    assignment.leased_at = now
    assignment.lease_until = lease_end(assignment, now)
    assignment.save()
    AssignmentUnit.objects.bulk_create(
        AssignmentUnit(
            assignment=assignment,
            place_id=chosen.place,
            unit_id=chosen.unit,
            source_id=chosen.source,
            worker_id=participation.worker_id,
            position=position,
            inclusion=chosen.inclusion,
            holds=chosen.holds,
            meets_again=chosen.meets_again,
        )
        for position, chosen in enumerate(batch, start=1)
    )
    return assignment
