"""Undoing an action on units: the reverse of it, for exactly the units that it changed."""

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.models import Unit, User
from desk.data.units.actions import confirm_action, propose_action
from desk.models import UnitAction

Kind = UnitAction.Kind
# What the others leave cannot be told from what was there before, or is under way by now.
REVERSE = {
    Kind.RETIRE: Kind.REINSTATE,
    Kind.REINSTATE: Kind.RETIRE,
    Kind.ADD: Kind.REMOVE,
    Kind.REMOVE: Kind.ADD,
}


class UndoRefused(Exception):
    """An action cannot be undone; the message says why."""


def is_reversible(action: UnitAction) -> bool:
    """Whether actions of its kind can be undone at all."""
    return action.kind in REVERSE


def undoable_units(action: UnitAction) -> QuerySet[Unit]:
    """The units that the action changed and that are still as it left them; UndoRefused, with the
    reason, where it cannot be undone, or not any more."""
    if not is_reversible(action):
        raise UndoRefused(_("This kind of action cannot be undone."))
    if action.ended_at is None:
        raise UndoRefused(_("This cannot be undone before all of its units are done."))
    if UnitAction.objects.filter(undoes=action).exists():
        raise UndoRefused(_("This was undone already."))
    if action.kind == Kind.ADD and action.parameters["subset"] == action.study.setting:
        raise UndoRefused(
            _("This gave the units places in rounds, which stay. Disable the units instead.")
        )
    units = _as_left(action)
    if not units.exists():
        raise UndoRefused(_("There is nothing to undo: every unit has been changed again since."))
    return units


def undo_action(*, action: UnitAction, by: User) -> UnitAction:
    """Do the reverse, once; the action that does it. UndoRefused where it does not apply."""
    undoing = _propose_undoing(action, by)
    confirm_action(action=undoing, by=by)
    return undoing


@transaction.atomic
def _propose_undoing(action: UnitAction, by: User) -> UnitAction:
    # Who presses twice waits here, and is then told that it was undone.
    locked = UnitAction.objects.select_for_update(no_key=True, of=("self",))
    action = locked.select_related("study").get(pk=action.pk)
    return propose_action(
        study=action.study,
        units=undoable_units(action),
        kind=REVERSE[Kind(action.kind)],
        parameters=action.parameters,
        by=by,
        query=action.query,
        undoes=action,
    )


def _as_left(action: UnitAction) -> QuerySet[Unit]:
    units = action.study.units.filter(action_units__action=action, action_units__changed=True)
    if action.kind == Kind.RETIRE:
        # Who disabled a unit again later meant it.
        return units.filter(retired_at__range=(action.confirmed_at, action.ended_at))
    if action.kind == Kind.REINSTATE:
        return units.filter(retired_at=None)
    of_subset = {"subsets__name": action.parameters["subset"]}
    return units.filter(**of_subset) if action.kind == Kind.ADD else units.exclude(**of_subset)
