"""A browser that several people use: leaving somebody else's place, with nothing lost."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.access import PLACES_SESSION_KEY
from annotation.models import Draft, Participation, Study, User
from tests.annotation.views.panel_links import address, recruiting
from tests.annotation.worker_client import framed_prefix
from tests.annotation.workers import answer_step, lease, step_at

pytestmark = pytest.mark.django_db
IDS = {"PROLIFIC_PID": "5f3a", "STUDY_ID": "T1", "SESSION_ID": "S1"}


@pytest.fixture
def study() -> Study:
    return recruiting("prolific")


@pytest.fixture
def came(client: Client, study: Study) -> Participation:
    client.post(address(study, ids=IDS))
    return Participation.objects.get()


def not_me(study: Study) -> str:
    return reverse("annotation:not-me", args=[study.slug])


def text(response: Any) -> str:
    return str(response.content.decode())


def test_who_came_from_a_panel_finds_the_way_out(
    client: Client, study: Study, came: Participation
) -> None:
    lobby = reverse("annotation:lobby", args=[study.slug])
    assert not_me(study) in text(client.get(lobby, follow=True))
    assert "Is this someone else’s place in the study?" in text(client.get(not_me(study)))
    assert client.session[PLACES_SESSION_KEY] == {
        study.slug: [came.pk, came.own_key]
    }  # looking changes nothing


def test_leaving_the_place_of_somebody_else_loses_nothing(
    client: Client, study: Study, came: Participation
) -> None:
    batch = lease(came)
    answer_step(step_at(batch))
    page = client.post(not_me(study))
    assert page.status_code == 200
    assert "You are signed out in this browser" in text(page)
    assert PLACES_SESSION_KEY not in client.session
    assert client.get(reverse("annotation:lobby", args=[study.slug])).status_code == 403
    assert Draft.objects.get().complete
    client.post(address(study, ids=IDS))
    assert client.session[PLACES_SESSION_KEY] == {study.slug: [came.pk, came.own_key]}
    assert Participation.objects.count() == 1


def test_a_researcher_in_the_same_browser_stays_signed_in(
    client: Client, study: Study, came: Participation, owner: User
) -> None:
    client.force_login(owner)
    client.post(address(study, ids=IDS))
    client.post(not_me(study))
    assert client.session["_auth_user_id"] == str(owner.pk)


def test_an_outsider_sees_nothing(client: Client, study: Study, outsider: User) -> None:
    client.force_login(outsider)
    assert client.get(not_me(study)).status_code == 403
    assert study.title not in text(client.get(not_me(study)))


def test_where_no_panel_signs_people_in_there_is_no_such_way(client: Client) -> None:
    study = recruiting("generic", frame_origins=["https://panel.example"])
    client.post(address(study, "generic", {"worker": "a"}))
    inside = f"{framed_prefix(study.participations.get())}/work/{study.slug}/"
    assert "not-me" not in text(client.get(inside))
    assert client.post(f"{inside}not-me/").status_code == 404
