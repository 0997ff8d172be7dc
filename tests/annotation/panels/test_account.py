"""Taking part by an account of the program: signed in, at one's own place, under a pseudonym."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Member, Participation, Study, User, Worker
from tests.cast import PASSWORD, join, make_study, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(owner: User) -> Study:
    study = make_study()
    study.recruitment = {"panel": "account", "completion_code": "DONE-1"}
    study.save()
    join(study, owner, Member.Role.OWNER)
    return study


@pytest.fixture
def expert(client: Client) -> User:
    expert = make_user("expert-rosa")
    client.force_login(expert)
    return expert


def address(study: Study) -> str:
    return reverse("annotation:arrive", args=[study.slug, "account"])


def lobby(study: Study) -> str:
    return reverse("annotation:lobby", args=[study.slug])


def url(response: Any) -> str:
    return str(response.url)


def test_who_is_not_signed_in_signs_in_first_and_comes_back(client: Client, study: Study) -> None:
    make_user("expert-rosa")
    sign_in = url(client.get(address(study)))
    assert sign_in == f"{reverse('desk:sign-in')}?next={address(study)}"
    back = client.post(sign_in, {"username": "expert-rosa", "password": PASSWORD})
    assert url(back) == address(study)
    assert client.get(address(study)).status_code == 200
    assert not Worker.objects.exists()
    assert url(client.post(address(study))) == lobby(study)


def test_an_account_has_one_place_on_any_device(client: Client, study: Study, expert: User) -> None:
    client.post(address(study))
    other = Client()
    other.force_login(expert)
    assert url(other.get(address(study))) == lobby(study)
    for device in (client, other):
        assert device.get(lobby(study), follow=True).status_code == 200
    worker = Worker.objects.get()
    assert (worker.panel, worker.external_id) == ("account", "expert-rosa")
    assert Participation.objects.count() == 1


def test_the_form_needs_its_secret_and_a_session(study: Study, expert: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(expert)
    assert strict.post(address(study)).status_code == 403
    assert Client().post(address(study)).status_code == 302
    assert not Worker.objects.exists()


def test_signing_out_leaves_the_workers_place(client: Client, study: Study, expert: User) -> None:
    client.post(address(study))
    client.post(reverse("desk:sign-out"))
    assert client.get(lobby(study)).status_code == 403


def test_an_account_comes_into_no_study_that_does_not_say_so(client: Client, expert: User) -> None:
    other = make_study("other")
    assert client.post(address(other)).status_code == 404
    assert client.get(other.get_absolute_url()).status_code == 404


def test_researchers_see_the_address_and_the_pseudonym_alone(
    client: Client, study: Study, expert: User, owner: User
) -> None:
    client.post(address(study))
    researcher = Client()
    researcher.force_login(owner)
    page = researcher.get(reverse("desk:recruitment", args=[study.slug])).content.decode()
    assert address(study) in page
    workers = researcher.get(reverse("desk:workers", args=[study.slug])).content.decode()
    assert "worker-1" in workers
    assert "expert-rosa" not in workers
