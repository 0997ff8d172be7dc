"""The page on which a person validates control questions before workers meet them."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Member, Place, Study, Unit, User
from tests.cast import join, make_study, make_user
from tests.set_up.controls.proposals import propose, select_one_passage

PROPOSAL = {"positive": "1", "negative": "1", "pool": "one_passage", "seed": "4"}


@pytest.fixture
def ready(study: Study) -> Study:
    return select_one_passage(study)


@pytest.fixture
def editor(client: Client, ready: Study) -> User:
    user = make_user("editor")
    join(ready, user, Member.Role.EDITOR)
    client.force_login(user)
    return user


def controls(study: Study) -> str:
    return reverse("desk:controls", args=[study.slug])


def control(unit: Unit, name: str = "control") -> str:
    return reverse(f"desk:{name}", args=[unit.study.slug, unit.pk])


def test_an_editor_proposes_and_sees_what_waits(client: Client, ready: Study, editor: User) -> None:
    round_ = ready.rounds.get()
    sent = client.post(controls(ready), PROPOSAL | {"round": str(round_.pk)})
    assert sent.status_code == 302
    page = client.get(controls(ready)).content.decode()
    assert page.count(">proposed<") == 2
    for unit in ready.units.filter(check_state="proposed"):
        assert control(unit) in page


def test_an_editor_retires_a_control_in_use(client: Client, ready: Study, editor: User) -> None:
    (unit,) = propose(ready, positive=1)
    assert "Disable" not in client.get(control(unit)).content.decode()
    client.post(control(unit, "check-control"), {"verdict": "validate"})
    assert "Disable" in client.get(control(unit)).content.decode()
    page = client.post(control(unit, "retire-control"), follow=True).content.decode()
    assert "0 bonuses are owed now" in page
    assert ">disabled<" in page
    again = client.post(control(unit, "retire-control"), follow=True).content.decode()
    assert "This control is not in use" in again


def test_more_than_can_be_made_is_refused_with_the_number(
    client: Client, ready: Study, editor: User
) -> None:
    wanted = PROPOSAL | {"round": str(ready.rounds.get().pk), "positive": "40"}
    refused = client.post(controls(ready), wanted)
    assert refused.status_code == 422
    assert "Only 2 can be made" in refused.content.decode()
    assert client.post(controls(ready), {}).status_code == 422
    assert not ready.units.exclude(role="normal").exists()


def test_a_control_is_seen_as_a_worker_sees_it_with_the_right_answer(
    client: Client, ready: Study, editor: User
) -> None:
    (unit,) = propose(ready, negative=1)
    page = client.get(control(unit)).content.decode()
    asked, original = page.split("Alert made from")
    assert 'id="control-0-sentence-1"' in asked
    assert 'id="control-0-sentence-0"' not in asked
    none = asked.split('id="control-0-sentence-none"')[1].split(">")[0]
    assert "checked" in none
    taken_out = original.split('id="original-0-sentence-0"')[1].split(">")[0]
    assert "checked" in taken_out


def test_validating_leads_to_the_next_one_and_names_who_did_it(
    client: Client, ready: Study, editor: User
) -> None:
    first, second = sorted(propose(ready, positive=2), key=lambda unit: unit.key)
    sent = client.post(control(first, "check-control"), {"verdict": "validate"})
    assert sent.url == control(second)  # type: ignore[attr-defined]
    assert Place.objects.get(unit=first).role == "positive"
    sent = client.post(control(second, "check-control"), {"verdict": "reject"})
    assert sent.url == controls(ready)  # type: ignore[attr-defined]
    page = client.get(controls(ready)).content.decode()
    assert page.count("editor, <time") == 2
    assert "Validate</button>" not in client.get(control(first)).content.decode()


def test_a_second_decision_changes_nothing(client: Client, ready: Study, editor: User) -> None:
    (unit,) = propose(ready, positive=1)
    client.post(control(unit, "check-control"), {"verdict": "validate"})
    again = client.post(control(unit, "check-control"), {"verdict": "reject"}, follow=True)
    assert "has already been reviewed" in again.content.decode()
    client.post(control(unit, "check-control"), {"verdict": "nonsense"})
    unit.refresh_from_db()
    assert unit.check_state == Unit.Check.VALIDATED


def test_a_normal_unit_has_no_page_among_the_controls(
    client: Client, ready: Study, editor: User
) -> None:
    normal = ready.units.all()[0]
    assert client.get(control(normal)).status_code == 404
    assert client.post(control(normal, "check-control"), {"verdict": "reject"}).status_code == 404


@pytest.mark.parametrize(("who", "status"), [("outsider", 404), ("colleague", 403)])
def test_who_may_not_edit_sees_and_decides_nothing(
    client: Client, ready: Study, outsider: User, who: str, status: int
) -> None:
    (unit,) = propose(ready, positive=1)
    client.force_login(User.objects.get(username=who))
    assert client.get(controls(ready)).status_code == status
    assert client.get(control(unit)).status_code == status
    sent = client.post(control(unit, "check-control"), {"verdict": "validate"})
    assert sent.status_code == status
    assert client.post(control(unit, "retire-control")).status_code == status
    unit.refresh_from_db()
    assert unit.check_state == Unit.Check.PROPOSED


def test_another_studys_control_is_not_reached(client: Client, ready: Study, editor: User) -> None:
    (unit,) = propose(select_one_passage(make_study("foreign")), positive=1)
    foreign = reverse("desk:control", args=[ready.slug, unit.pk])
    assert client.get(foreign).status_code == 404
