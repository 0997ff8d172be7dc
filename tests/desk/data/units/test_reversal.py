"""Undoing an action on units by itself; its pages are tested with those of actions."""

import pytest

from annotation.models import Member, Study, User
from annotation.work.demand import retire_units
from desk.data.units.actions import confirm_action, propose_action
from desk.data.units.reversal import UndoRefused, undo_action, undoable_units
from desk.models import UnitAction
from tests.cast import join, make_user


@pytest.fixture
def editor(study: Study) -> User:
    user = make_user("editor")
    join(study, user, Member.Role.EDITOR)
    return user


def disable_all(study: Study, by: User) -> UnitAction:
    action = propose_action(
        study=study, units=study.units.all(), kind=UnitAction.Kind.RETIRE, parameters={}, by=by
    )
    confirm_action(action=action, by=by)
    action.refresh_from_db()
    return action


def test_units_that_were_disabled_before_are_not_undone(study: Study, editor: User) -> None:
    before, *others = study.units.order_by("pk")
    retire_units(study=study, units=[before.pk])
    action = disable_all(study, editor)
    assert set(undoable_units(action)) == set(others)
    undoing = undo_action(action=action, by=editor)
    assert undoing.undoes == action
    assert list(study.units.exclude(retired_at=None)) == [before]


def test_an_action_is_undone_once_and_can_then_be_done_again(study: Study, editor: User) -> None:
    action = disable_all(study, editor)
    undoing = undo_action(action=action, by=editor)
    with pytest.raises(UndoRefused, match="undone already"):
        undo_action(action=action, by=editor)
    undoing.refresh_from_db()
    undo_action(action=undoing, by=editor)
    assert not study.units.filter(retired_at=None).exists()
