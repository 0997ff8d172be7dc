"""Leasing the next batch to a worker."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from annotation.models import Assignment, AssignmentUnit, Participation, Round, Study
from annotation.queries.batches import open_batch, participation_of
from annotation.queries.inserts import insert_rows
from annotation.queries.studies import hold_state
from annotation.rounds.durations import minutes_of
from annotation.rounds.way_in import minutes_before
from annotation.work.choice import ChosenPlace
from annotation.work.composition import Reason, compose
from annotation.work.leases import lease_end, release_expired_leases
from annotation.work.qualification import apply_rules, waits_for_invitation

__all__ = ["NothingLeft", "Reason", "lease_batch"]

State = Assignment.State

# The last of them as `ChosenPlace` has them.
_UNIT_COLUMNS = (
    *("assignment_id", "worker_id", "outcome", "problem", "position"),
    *("place_id", "unit_id", "source_id", "holds", "inclusion", "meets_again"),
)


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
    participation = _lock(participation)
    opened = open_batch(participation.pk)
    if opened is not None:
        return opened
    before = list(participation.assignments.values_list("round", "state"))
    refused = _refusal(participation, round_, before)
    if refused is not None:
        return NothingLeft(refused)
    seed = _seed(participation, round_, len(before))
    batch = compose(participation, round_, seed)
    if isinstance(batch, Reason):
        return NothingLeft(batch)
    if participation.round_id is None:
        Participation.objects.filter(pk=participation.pk).update(round=round_)
    assignment = _promised(participation, round_, is_first=not before)
    assignment.seed = seed
    return _store(assignment, batch, now)


def _lock(participation: Participation) -> Participation:
    """Lock the row until the end of the transaction; the participation as it is now, in the same
    visit."""
    rows = Participation.objects.select_for_update(no_key=True).values_list("pk")
    rows.get(pk=participation.pk)
    locked = participation_of(participation.pk)
    assert locked is not None  # the lock has found it
    locked.visit_key = participation.visit_key
    return locked


def _refusal(
    participation: Participation, round_: Round, before: list[tuple[int, str]]
) -> Reason | None:
    """Why the worker gets no batch in the round after those `before`, each with its round and its
    state."""
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
    n_leased = sum(key == round_.pk and state != State.RETURNED for key, state in before)
    return Reason.LIMIT if n_leased >= round_.batch_limit else None


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
    begins = (assignment.pk, participation.worker_id, AssignmentUnit.Outcome.OPEN.value, "")
    insert_rows(
        AssignmentUnit,
        _UNIT_COLUMNS,
        [(*begins, position, *chosen) for position, chosen in enumerate(batch, start=1)],
    )
    return assignment
