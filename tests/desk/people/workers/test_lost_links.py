"""A worker who has lost everything asks, and an owner hands out a new link."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.entry.arrival import arrive_from_panel
from annotation.models import Member, Participation, Study, User
from annotation.panels.contract import Visit
from tests.annotation.views.panel_links import IDS, recruiting
from tests.annotation.views.panel_links import address as panel_address
from tests.cast import join

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(owner: User, colleague: User) -> Study:
    study = recruiting("prolific")
    join(study, owner, Member.Role.OWNER)
    join(study, colleague, Member.Role.EDITOR)
    arrive_from_panel(study=study, panel="prolific", visit=Visit("5f2a", session="7c", study="6b"))
    return study


def address(study: Study) -> str:
    return reverse("desk:lost-link", args=[study.slug])


def address_of(study: Study, session: str) -> str:
    return panel_address(study, ids={**IDS, "SESSION_ID": session})


def ask(client: Client, study: Study, given: str = " 5f2a ") -> Any:
    return client.post(address(study), {"external_id": given})


def test_an_owner_hands_out_a_new_link_to_this_study_alone(
    client: Client, study: Study, owner: User
) -> None:
    other = recruiting("prolific", "other")
    arrive_from_panel(study=other, panel="prolific", visit=Visit("5f2a", session="8d"))
    here, there = Participation.objects.order_by("pk")
    before = here.token
    client.force_login(owner)
    page = ask(client, study)
    here.refresh_from_db()
    assert here.token != before
    assert f"http://testserver/return/{here.token}/" in page.content.decode()
    worker = Client()
    assert worker.get(f"/return/{before}/").status_code == 404
    worker.get(f"/return/{here.token}/")
    assert worker.get(reverse("annotation:my-data", args=[study.slug])).status_code == 200
    assert worker.get(reverse("annotation:my-data", args=[other.slug])).status_code == 404
    assert Participation.objects.get(pk=there.pk).token == there.token
    (logged,) = study.changes.filter(action="worker.link_given")
    assert (logged.account, logged.subject) == (owner.pk, "worker-1")


def test_whoever_came_first_is_put_out_by_a_new_link(
    client: Client, study: Study, owner: User
) -> None:
    stranger, data = Client(), reverse("annotation:my-data", args=[study.slug])
    session = address_of(study, session="7c")  # in which the first visit came
    stranger.post(session)
    assert stranger.get(data).status_code == 200
    client.force_login(owner)
    ask(client, study)
    assert stranger.get(data).status_code == 403
    stranger.post(session)
    assert stranger.get(data).status_code == 403
    worker = Client()
    worker.get(f"/return/{Participation.objects.get().token}/")
    worker.post(address_of(study, session="9e"))
    assert worker.get(data).status_code == 200


def test_an_id_that_nobody_in_the_study_has_gets_no_link(
    client: Client, study: Study, owner: User
) -> None:
    client.force_login(owner)
    for given in ("5f2", "", "x" * 1000):
        refused = ask(client, study, given)
        assert refused.status_code == 422
        assert "/return/" not in refused.content.decode()
    assert not study.changes.filter(action="worker.link_given").exists()


def test_nobody_but_owners_gets_a_link(
    client: Client, study: Study, colleague: User, outsider: User
) -> None:
    before = Participation.objects.get().token
    for user, status in ((colleague, 403), (outsider, 404)):
        client.force_login(user)
        assert "external_id" not in client.get(address(study), follow=True).content.decode()
        assert ask(client, study).status_code == status
    assert Participation.objects.get().token == before
