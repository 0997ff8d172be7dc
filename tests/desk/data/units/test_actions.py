"""Actions on many units: proposed, confirmed, done once, and in pieces."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.models import AdjudicationCase, Change, Member, Place, Round, Study, Unit, User
from annotation.work.demand import reinstate_units, retire_units
from desk.data.units import actions
from desk.data.units.actions import confirm_action, progress_of, propose_action
from desk.models import UnitAction
from jobs import queue, reports
from jobs.runner import work
from jobs.sweep import forget_old_jobs
from tests.cast import add_unit, add_units, join, make_user
from tests.sessions import as_user


@pytest.fixture
def editor(client: Client, study: Study) -> User:
    user = make_user("editor")
    join(study, user, Member.Role.EDITOR)
    client.force_login(user)
    return user


def propose(client: Client, study: Study, kind: str, **posted: Any) -> HttpResponse:
    address = reverse("desk:propose-unit-action", args=[study.slug])
    return client.post(address, {"kind": kind, **posted}, follow=True)  # type: ignore[return-value]


def confirm(client: Client, study: Study) -> str:
    action = study.unit_actions.latest("pk")
    address = reverse("desk:confirm-unit-action", args=[study.slug, action.pk])
    return client.post(address, follow=True).content.decode()


def test_an_action_says_what_follows_and_changes_nothing_before_it_is_confirmed(
    client: Client, study: Study, editor: User
) -> None:
    page = propose(client, study, "retire", of="all").content.decode()
    assert "<strong>3 units</strong> of 3 chosen" in page
    assert "Their answers stay" in page
    assert not study.units.exclude(retired_at=None).exists()
    page = confirm(client, study)
    assert "3 units changed" in page
    assert study.units.filter(retired_at=None).count() == 0
    assert not Place.objects.filter(round__study=study, room__gt=0).exists()
    assert Change.objects.get(action="units.retire").detail["action"] == UnitAction.objects.get().pk


def test_all_that_match_are_meant_and_no_others(client: Client, study: Study, editor: User) -> None:
    propose(client, study, "retire", of="all", query="system=Alder")
    confirm(client, study)
    assert [unit.key for unit in study.units.exclude(retired_at=None)] == ["claim-1/alder/1"]


def test_confirming_twice_asks_once(client: Client, study: Study, editor: User) -> None:
    unit = study.units.earliest("pk")
    propose(client, study, "ask_again", of="chosen", unit=[unit.pk], more=3)
    for _ in range(2):
        page = confirm(client, study)
    assert "1 unit changed" in page
    assert Place.objects.get(unit=unit).wanted == 5
    assert set(Place.objects.exclude(unit=unit).values_list("wanted", flat=True)) == {2}


@pytest.fixture
def large(study: Study, editor: User, monkeypatch: pytest.MonkeyPatch) -> UnitAction:
    """An action on more units than a request changes: three, each a transaction of its own."""
    monkeypatch.setattr(actions, "CHUNK", 1)
    monkeypatch.setattr(queue, "send_task", lambda *_of, **_options: True)
    more = {"more": 1}
    return propose_action(
        study=study, units=study.units.all(), kind="ask_again", parameters=more, by=editor
    )


def page_of(client: Client, action: UnitAction) -> str:
    address = reverse("desk:unit-action", args=[action.study.slug, action.pk])
    return client.get(address).content.decode()


def test_many_units_are_left_to_a_worker(client: Client, large: UnitAction, editor: User) -> None:
    job = confirm_action(action=large, by=editor)
    assert confirm_action(action=large, by=editor) == job
    assert progress_of(large).done == 0
    shown = page_of(client, large)
    assert 'hx-trigger="every 1s"' in shown
    assert "No background worker is running" in shown

    assert work(job_id=job.pk)

    large.refresh_from_db()
    assert large.ended_at
    assert "3 units changed" in page_of(client, large)
    assert set(Place.objects.values_list("wanted", flat=True)) == {3}
    assert Change.objects.filter(action="units.ask_again").count() == 1


def test_an_action_that_was_stopped_goes_on_where_it_was(
    client: Client, large: UnitAction, editor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, once = confirm_action(action=large, by=editor), actions._next_chunk

    def one_and_then_cancelled(action: UnitAction) -> int:
        n = once(action)
        assert queue.cancel(job)
        return n

    monkeypatch.setattr(actions, "_next_chunk", one_and_then_cancelled)
    monkeypatch.setattr(reports, "PROGRESS_SECONDS", 0)
    assert not work(job_id=job.pk)
    monkeypatch.undo()
    assert progress_of(large).done == 1
    shown = page_of(client, large)
    assert "1 unit changed" in shown
    assert "Do the rest" in shown
    confirm(client, large.study)
    large.refresh_from_db()
    assert large.ended_at
    assert set(Place.objects.values_list("wanted", flat=True)) == {3}


def test_an_action_on_units_is_for_editors(large: UnitAction, editor: User, outsider: User) -> None:
    job = confirm_action(action=large, by=editor)
    join(large.study, outsider, Member.Role.REVIEWER)
    page = reverse("desk:background-work", args=["small"])
    cancel = reverse("desk:cancel-background", args=["small", job.pk])
    assert "Ask 1 more" not in as_user(outsider).get(page).content.decode()
    assert as_user(outsider).post(cancel).status_code == 404
    assert "Ask 1 more" in as_user(editor).get(page).content.decode()


def test_an_action_that_was_never_confirmed_is_forgotten(study: Study, editor: User) -> None:
    for confirmed in (False, True):
        action = propose_action(
            study=study, units=study.units.all(), kind="retire", parameters={}, by=editor
        )
        if confirmed:
            confirm_action(action=action, by=editor)
    forget_old_jobs(now=timezone.now() + timedelta(hours=23))
    assert UnitAction.objects.count() == 2
    forget_old_jobs(now=timezone.now() + timedelta(hours=25))
    assert UnitAction.objects.get() == action


def test_controls_are_passed_over_and_said_so(client: Client, study: Study, editor: User) -> None:
    add_unit(study, study.rounds.get(), 9, Unit.Role.POSITIVE)
    page = propose(client, study, "retire", of="all").content.decode()
    assert "<strong>3 units</strong> of 4 chosen" in page
    assert "1 are controls" in page
    confirm(client, study)
    assert study.units.get(role="positive").retired_at is None


def test_units_go_into_a_new_subset_and_out_of_it(
    client: Client, study: Study, editor: User
) -> None:
    unit, revision = study.units.earliest("pk"), study.revision
    propose(client, study, "add", of="chosen", unit=[unit.pk], subset="odd")
    confirm(client, study)
    assert study.subsets.get(name="odd").units.get() == unit
    study.refresh_from_db()
    assert study.revision > revision
    propose(client, study, "remove", of="all", subset="odd")
    assert "1 unit changed" in confirm(client, study)
    assert not study.subsets.get(name="odd").units.exists()


def test_what_comes_into_the_setting_is_given_out(
    client: Client, study: Study, editor: User
) -> None:
    (unit,) = add_units(study, study.rounds.get(), [(9, Unit.Role.NORMAL)])
    unit.places.all().delete()
    study.subsets.get(name="sample").units.remove(unit)
    propose(client, study, "add", of="chosen", unit=[unit.pk], subset="sample")
    confirm(client, study)
    assert unit.places.get().wanted == study.overlap


def test_units_are_sent_to_adjudication_once(client: Client, study: Study, editor: User) -> None:
    for changed in (3, 0):
        propose(client, study, "adjudicate", of="all")
        assert f"{changed} units changed" in confirm(client, study)
    assert AdjudicationCase.objects.filter(sent_by=editor).count() == 6  # two questions each


def test_priority_changes_what_is_given_out_first(
    client: Client, study: Study, editor: User
) -> None:
    unit = study.units.order_by("-places__shuffle")[0]
    propose(client, study, "priority", of="chosen", unit=[unit.pk], priority=2)
    confirm(client, study)
    first = Place.objects.open_in(Round.objects.get(), without=()).first()
    assert first is not None
    assert first.unit == unit


@pytest.mark.parametrize(
    ("posted", "said"),
    [
        ({"kind": "retire", "of": "chosen"}, "Choose some units first"),
        ({"kind": "add", "of": "all"}, "Name a subset"),
        ({"kind": "remove", "of": "all", "subset": "none"}, "no subset of this name"),
        ({"kind": "ask_again", "of": "all", "more": "99"}, "less than or equal to 20"),
    ],
)
def test_what_is_missing_is_said_and_nothing_proposed(
    client: Client, study: Study, editor: User, posted: dict[str, str], said: str
) -> None:
    page = propose(client, study, **posted)
    assert said in page.content.decode()
    assert not UnitAction.objects.exists()


def test_an_action_belongs_to_its_study_and_editors(
    client: Client, study: Study, editor: User, colleague: User, outsider: User
) -> None:
    action = propose_action(
        study=study, units=study.units.all(), kind="retire", parameters={}, by=editor
    )
    page = reverse("desk:unit-action", args=[study.slug, action.pk])
    for user, status in ((colleague, 403), (outsider, 404)):
        client.force_login(user)
        assert client.get(page).status_code == status
        assert client.post(f"{page}confirm/").status_code == status


def test_a_units_history_names_what_was_done_and_by_whom(
    client: Client, study: Study, editor: User
) -> None:
    unit = study.units.earliest("pk")
    for kind in ("retire", "reinstate"):
        propose(client, study, kind, of="chosen", unit=[unit.pk])
        confirm(client, study)
    page = client.get(reverse("desk:unit", args=[study.slug, unit.pk])).content.decode()
    history = page.split('id="history"')[1]
    assert history.index("Enable") < history.index("Disable")
    assert "editor" in history


def undo(client: Client, action: UnitAction) -> str:
    address = reverse("desk:undo-unit-action", args=[action.study.slug, action.pk])
    return client.post(address, follow=True).content.decode()


def test_disabling_is_undone_for_exactly_the_units_that_it_disabled(
    client: Client, study: Study, editor: User
) -> None:
    """Of three units the first was disabled before, and the last is disabled anew later."""
    before, undone, later = study.units.order_by("pk")
    retire_units(study=study, units=[before.pk])
    propose(client, study, "retire", of="all")
    assert "Undo for 2 units" in confirm(client, study)
    action = UnitAction.objects.get()
    reinstate_units(study=study, units=[later.pk])
    retire_units(study=study, units=[later.pk])
    page = undo(client, action)
    assert "<h1>Undo: Disable</h1>" in page
    assert "1 unit changed" in page
    assert list(study.units.filter(retired_at=None)) == [undone]
    assert Place.objects.get(unit=undone).room > 0
    assert Change.objects.get(action="units.reinstate").subject == "1 units"


def test_an_action_is_undone_once(client: Client, study: Study, editor: User) -> None:
    propose(client, study, "retire", of="all")
    confirm(client, study)
    action = UnitAction.objects.get()
    undo(client, action)
    page = page_of(client, action)
    assert "This was undone already." in page
    assert "Undo for" not in page
    assert "This was undone already." in undo(client, action)
    assert UnitAction.objects.count() == 2


def test_an_undo_that_does_not_apply_any_more_is_refused(
    client: Client, study: Study, editor: User
) -> None:
    propose(client, study, "retire", of="all")
    confirm(client, study)
    reinstate_units(study=study, units=list(study.units.values_list("pk", flat=True)))
    assert "There is nothing to undo" in undo(client, UnitAction.objects.get())
    assert UnitAction.objects.count() == 1


@pytest.mark.parametrize("kind", ["ask_again", "priority", "adjudicate"])
def test_what_cannot_be_undone_offers_no_undo(
    client: Client, study: Study, editor: User, kind: str
) -> None:
    propose(client, study, kind, of="all", more=1, priority=1)
    assert "Undo for" not in confirm(client, study)
    assert "cannot be undone" in undo(client, UnitAction.objects.get())


def test_enabling_and_changes_of_subsets_are_undone_as_well(
    client: Client, study: Study, editor: User
) -> None:
    first, *others = study.units.order_by("pk")
    retire_units(study=study, units=[first.pk])
    odd = study.subsets.create(name="odd")
    odd.units.add(first)
    for kind, subset in (("reinstate", ""), ("add", "odd"), ("remove", "odd")):
        retired = set(study.units.exclude(retired_at=None))
        inside = set(odd.units.all())
        propose(client, study, kind, of="all", subset=subset)
        confirm(client, study)
        assert (retired, inside) != (
            set(study.units.exclude(retired_at=None)),
            set(odd.units.all()),
        )
        undo(client, study.unit_actions.latest("pk"))
        assert set(study.units.exclude(retired_at=None)) == retired
        assert set(odd.units.all()) == inside
    assert len(others) == 2


def test_units_that_got_places_are_not_taken_out_of_the_setting_by_an_undo(
    client: Client, study: Study, editor: User
) -> None:
    unit = study.units.earliest("pk")
    study.subsets.get(name="sample").units.remove(unit)
    propose(client, study, "add", of="chosen", unit=[unit.pk], subset="sample")
    assert "Disable the units instead" in confirm(client, study)


def test_an_action_that_was_stopped_is_not_undone_before_it_is_done(
    client: Client, large: UnitAction, editor: User
) -> None:
    confirm_action(action=large, by=editor)
    UnitAction.objects.update(kind="retire")
    assert "cannot be undone before all of its units are done" in undo(client, large)


def test_an_undo_is_for_editors_of_the_study(
    client: Client, study: Study, editor: User, colleague: User, outsider: User
) -> None:
    propose(client, study, "retire", of="all")
    confirm(client, study)
    address = reverse("desk:undo-unit-action", args=[study.slug, UnitAction.objects.get().pk])
    for user, status in ((colleague, 403), (outsider, 404)):
        assert as_user(user).post(address).status_code == status
    assert study.units.exclude(retired_at=None).count() == 3


def test_an_action_locks_itself_and_not_the_study_before_its_places(
    study: Study, editor: User
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("only PostgreSQL locks rows")
    action = propose_action(
        study=study, units=study.units.all(), kind="retire", parameters={}, by=editor
    )
    with CaptureQueriesContext(connection) as made:
        confirm_action(action=action, by=editor)
    locks = [sql for query in made if "FOR " in (sql := query["sql"])]
    assert 'FOR NO KEY UPDATE OF "desk_unitaction"' in locks[0]
    assert all("annotation_study" not in sql or "OF " in sql for sql in locks)


def test_a_unit_whose_number_no_database_holds_is_none(
    client: Client, study: Study, editor: User
) -> None:
    page = propose(client, study, "retire", of="chosen", unit=["9" * 40])
    assert "Choose some units first" in page.content.decode()
