import pytest
from django.test import Client
from django.urls import reverse

from annotation.entry.arrival import arrive
from annotation.entry.invitations import invite_qualified, panel_ids, waiting_for
from annotation.models import (
    Change,
    Invitation,
    Member,
    Participation,
    Round,
    Study,
    User,
    Worker,
)
from annotation.rights.withdrawal import leave
from tests.annotation.pilot_study import do_batch, make_pilot_study
from tests.annotation.workers import lease, newcomer
from tests.cast import join

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(owner: User, colleague: User) -> Study:
    made = make_pilot_study()
    made.recruitment |= {"invite_qualified": True}
    made.save()
    join(made, owner, Member.Role.OWNER)
    join(made, colleague, Member.Role.VIEWER)
    return made


@pytest.fixture
def main(study: Study) -> Round:
    return study.rounds.get(name="main")


def passed(study: Study, panel_id: str = "") -> Participation:
    person = newcomer(study)
    if panel_id:
        Worker.objects.filter(pk=person.worker_id).update(panel="prolific", external_id=panel_id)
    do_batch(person)
    return person


def test_only_who_passed_the_round_before_waits(study: Study, main: Round) -> None:
    person = passed(study)
    newcomer(study)
    do_batch(newcomer(study), wrong=1)
    assert list(waiting_for(main)) == [person]


def test_invited_workers_go_on_by_their_link_and_by_themselves(study: Study, main: Round) -> None:
    person = passed(study)
    assert invite_qualified(round_=main, created_by=None) == [person]
    invitation = Invitation.objects.get(round=main)
    assert arrive(study=study, invitation=invitation) == person
    person.refresh_from_db()
    assert lease(person).round == main


def test_a_panels_worker_comes_back_by_the_panel_and_gets_no_link(
    study: Study, main: Round
) -> None:
    person = passed(study, "5f3a")
    assert invite_qualified(round_=main, created_by=None) == [person]
    assert not Invitation.objects.filter(worker=person.worker).exists()
    person.refresh_from_db()
    assert lease(person).round == main


def test_nobody_is_invited_twice(study: Study, main: Round) -> None:
    passed(study)
    assert len(invite_qualified(round_=main, created_by=None)) == 1
    assert invite_qualified(round_=main, created_by=None) == []


def test_the_file_for_the_panel_holds_its_own_ids_alone(study: Study, main: Round) -> None:
    passed(study, "5f3a")
    passed(study)
    passed(study, "4e11")
    leave(participation=passed(study, "0aaa"))
    invite_qualified(round_=main, created_by=None)
    passed(study, "waits")
    assert panel_ids(main) == "panel,id\nprolific,4e11\nprolific,5f3a\n"


def test_a_researcher_invites_on_the_page(client: Client, owner: User, study: Study) -> None:
    passed(study, "5f3a")
    client.force_login(owner)
    address = reverse("desk:qualified", args=[study.slug])
    main = study.rounds.get(name="main")
    assert b"Invite to main" in client.get(address).content
    page = client.post(address, {"round": main.pk}, follow=True).content
    assert b"1 person was invited" in page
    assert b"Invite to main" not in page
    file = client.get(reverse("desk:qualified-ids", args=[study.slug, main.pk]))
    assert file.content == b"panel,id\nprolific,5f3a\n"


def test_a_viewer_invites_nobody_and_an_outsider_sees_nothing(
    client: Client, colleague: User, outsider: User, study: Study, main: Round
) -> None:
    addresses = [
        reverse("desk:qualified", args=[study.slug]),
        reverse("desk:qualified-ids", args=[study.slug, main.pk]),
    ]
    client.force_login(colleague)
    assert [client.get(address).status_code for address in addresses] == [403, 403]
    client.force_login(outsider)
    assert [client.get(address).status_code for address in addresses] == [404, 404]


def test_inviting_is_logged_with_its_number_and_not_where_nobody_waits(
    study: Study, main: Round, owner: User
) -> None:
    passed(study)
    for _ in range(2):
        invite_qualified(round_=main, created_by=owner)
    change = Change.objects.get(study=study, action="qualified.invited")
    assert (change.by, change.detail) == (owner, {"number": 1, "round": "main"})
