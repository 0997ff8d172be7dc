"""Lease the next batch to a worker."""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from annotation.models import Assignment, BatchUnit, Participation, Round, Study
from annotation.work.composition import Reason, Taken, compose
from annotation.work.leases import release_expired_leases
from annotation.work.qualification import apply_rules, waits_for_invitation

__all__ = ["NothingLeft", "Reason", "lease_batch"]

State = Assignment.State


@dataclass(frozen=True)
class NothingLeft:
    """There is no batch for this worker now, and why."""

    why: Reason


def lease_batch(
    *,
    participation: Participation,
    now: datetime,
    round: Round | None = None,  # noqa: A002 (the model's word)
) -> Assignment | NothingLeft:
    """The worker's open batch, or a new one of the round that they are in (or of `round`).

    Normal units with room, and control units; the cost does not grow with the number of units.
    """
    stage = apply_rules(participation=participation)
    stage = round or stage
    if stage is None:
        return NothingLeft(Reason.NOT_OPEN)
    release_expired_leases(now=now, stage=stage)
    return _lease(participation, stage, now)


@transaction.atomic
def _lease(participation: Participation, stage: Round, now: datetime) -> Assignment | NothingLeft:
    # A double click waits here, and then finds the batch that the first click got.
    locked = Participation.objects.select_for_update(no_key=True, of=("self",))
    participation = locked.select_related("study").get(pk=participation.pk)
    opened = _open_assignment(participation)
    if opened is not None:
        return opened
    refused = _refusal(participation, stage)
    if refused is not None:
        return NothingLeft(refused)
    seed = _seed(participation, stage)
    batch = compose(participation, stage, seed)
    if isinstance(batch, Reason):
        return NothingLeft(batch)
    if participation.round_id is None:
        Participation.objects.filter(pk=participation.pk).update(round=stage)
    return _store(participation, stage, batch, seed, now)


def _open_assignment(participation: Participation) -> Assignment | None:
    opened = participation.assignments.filter(state__in=[State.ACTIVE, State.EXPIRED])
    return opened.select_related("participation__study", "round").first()


def _refusal(participation: Participation, stage: Round) -> Reason | None:
    if participation.study.state != Study.State.OPEN:
        return Reason.NOT_OPEN
    if participation.state in Participation.ENDED:
        return Reason.ENDED
    if waits_for_invitation(participation, stage):
        return Reason.AWAITS_INVITATION
    given = participation.assignments.filter(round=stage).exclude(state=State.RETURNED)
    return Reason.LIMIT if given.count() >= stage.batch_limit else None


def _seed(participation: Participation, stage: Round) -> int:
    n_th = participation.assignments.count()
    text = f"{participation.study.seed}/{stage.name}/{participation.number}/{n_th}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7])


def _store(
    participation: Participation, stage: Round, batch: list[Taken], seed: int, now: datetime
) -> Assignment:
    minutes = participation.study.lease_minutes
    assignment = Assignment.objects.create(
        round=stage,
        participation=participation,
        seed=seed,
        base_pay=stage.base_pay,
        bonus_pay=stage.bonus_pay,
        pass_accuracy=stage.pass_accuracy,
        currency=stage.currency,
        leased_at=now,
        lease_until=now + timedelta(minutes=minutes),
    )
    BatchUnit.objects.bulk_create(
        BatchUnit(
            assignment=assignment,
            place_id=one.place,
            unit_id=one.unit,
            source_id=one.source,
            worker_id=participation.worker_id,
            position=position,
            holds=one.holds,
        )
        for position, one in enumerate(batch, start=1)
    )
    return assignment
