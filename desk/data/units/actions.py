"""Actions on many units: proposed with what would follow, confirmed, and done in chunks.

Each chunk is one short transaction that changes units and marks them as done. The request does
the first ones and leaves the rest to a worker. Whoever confirms twice, or comes back after an
interruption, only does what is left. Lock order: the action, then what the verb locks.
"""

import math
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from annotation.models import Study, Unit, User
from annotation.models.changes import log_change
from annotation.queries.inserts import insert_rows
from annotation.rounds.subsets import add_to_subset, open_setting, remove_from_subset
from annotation.work.demand import ask_again, prioritise_units, reinstate_units, retire_units
from desk.data.adjudication.queue import send_to_adjudication
from desk.models import UnitAction, UnitActionUnit
from jobs.messages import send_task

CHUNK = 500
# A request works so many seconds and at least one chunk; a worker does the rest.
SECONDS = 0.15
FINISH = "desk.tasks.finish_unit_action"
# A message that no worker took by then is dropped. The page offers to go on.
EXPIRES = timedelta(minutes=10)
# Actions that nobody has confirmed are forgotten.
KEPT = timedelta(days=1)
Kind, State = UnitAction.Kind, UnitAction.State


@dataclass(frozen=True)
class Progress:
    """How far an action has come."""

    n: int
    done: int
    changed: int

    @property
    def left(self) -> int:
        """Units that are still to be changed."""
        return self.n - self.done


@transaction.atomic
def propose_action(
    *,
    study: Study,
    units: QuerySet[Unit],
    kind: str,
    parameters: dict[str, Any],
    by: User,
    query: str = "",
) -> UnitAction:
    """Note an action on these units, as they are chosen now. Nothing changes yet."""
    keys = list(units.order_by("pk").values_list("pk", flat=True))
    action = UnitAction.objects.create(
        study=study, by=by, kind=kind, parameters=parameters, query=query, n_units=len(keys)
    )
    for at in range(0, len(keys), 10 * CHUNK):
        some = keys[at : at + 10 * CHUNK]
        insert_rows(UnitActionUnit, ("action_id", "unit_id"), [(action.pk, key) for key in some])
    return action


def confirm_action(*, action: UnitAction, by: User, seconds: float = SECONDS) -> Progress:
    """Do an action, or what is left of it, for so many seconds, and leave the rest to a worker;
    how far it has come.

    A second confirmation at the same moment does its part of what is left, and nothing twice.
    """
    _begin(action, by)
    if not finish_action(action=action, seconds=seconds):
        send_task(FINISH, action.pk, expires=EXPIRES)
    return progress_of(action)


def finish_action(*, action: UnitAction, seconds: float = math.inf) -> bool:
    """Do what is left of an action that was confirmed, chunk by chunk for so many seconds; whether
    nothing is left."""
    until = time.monotonic() + seconds
    left = True
    while left:
        left = _next_chunk(action)
        if left and time.monotonic() >= until:
            return False
    _end(action)
    return True


def progress_of(action: UnitAction) -> Progress:
    """How far an action has come; one query."""
    counts = action.action_units.aggregate(
        done=Count("pk", filter=Q(changed__isnull=False)),
        changed=Count("pk", filter=Q(changed=True)),
    )
    return Progress(action.n_units, counts["done"], counts["changed"])


def forget_proposed(*, now: datetime) -> int:
    """Remove actions that were proposed long ago and never confirmed; how many."""
    old = UnitAction.objects.filter(state=State.PROPOSED, proposed_at__lt=now - KEPT)
    keys = list(old.values_list("pk", flat=True))
    old.delete()
    return len(keys)


@transaction.atomic
def _begin(action: UnitAction, by: User) -> None:
    proposed = UnitAction.objects.filter(pk=action.pk, state=State.PROPOSED)
    if proposed.update(state=State.RUNNING):
        log_change(
            study=action.study,
            by=by,
            action=f"units.{action.kind}",
            subject=f"{action.n_units} units",
            detail={**action.parameters, "action": action.pk, "filter": action.query},
        )


@transaction.atomic
def _next_chunk(action: UnitAction) -> bool:
    """Do the next units; whether some may be left."""
    # The action alone: who submits locks places before the study, as the verbs do.
    rows_of_action = UnitAction.objects.select_for_update(no_key=True, of=("self",))
    locked = rows_of_action.select_related("study").get(pk=action.pk)
    rows = locked.action_units.filter(changed=None).order_by("pk")
    units = list(rows.values_list("unit", flat=True)[:CHUNK])
    if not units:
        return False
    changed = set(_VERBS[Kind(locked.kind)](locked, units))
    chunk = locked.action_units.filter(unit__in=units)
    chunk.filter(unit__in=changed).update(changed=True)
    chunk.filter(changed=None).update(changed=False)
    return len(units) == CHUNK


def _end(action: UnitAction) -> None:
    if action.kind == Kind.ADD:
        open_setting(study=action.study, name=action.parameters["subset"])
    running = UnitAction.objects.filter(pk=action.pk, state=State.RUNNING)
    running.update(state=State.DONE, ended_at=timezone.now())
    action.refresh_from_db(fields=["state", "ended_at"])


Verb = Callable[[UnitAction, Collection[int]], Iterable[int]]


def _adjudicate(action: UnitAction, units: Collection[int]) -> list[int]:
    if action.by is None:
        return []  # the account is gone
    waiting = {"questions__adjudication_cases__state": "open"}
    before = set(Unit.objects.filter(pk__in=units, **waiting).values_list("pk", flat=True))
    new = [unit for unit in Unit.objects.filter(pk__in=units) if unit.pk not in before]
    send_to_adjudication(study=action.study, units=new, by=action.by)
    return [unit.pk for unit in new]


_VERBS: dict[UnitAction.Kind, Verb] = {
    Kind.RETIRE: lambda action, units: retire_units(study=action.study, units=units),
    Kind.REINSTATE: lambda action, units: reinstate_units(study=action.study, units=units),
    Kind.ADD: lambda action, units: add_to_subset(
        study=action.study, units=units, name=action.parameters["subset"]
    ),
    Kind.REMOVE: lambda action, units: remove_from_subset(
        study=action.study, units=units, name=action.parameters["subset"]
    ),
    Kind.ASK_AGAIN: lambda action, units: ask_again(
        study=action.study, units=units, more=action.parameters["more"]
    ),
    Kind.PRIORITY: lambda action, units: prioritise_units(
        study=action.study, units=units, priority=action.parameters["priority"]
    ),
    Kind.ADJUDICATE: _adjudicate,
}
