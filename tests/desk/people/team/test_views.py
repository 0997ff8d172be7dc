"""The page of a team, and who may open it."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import Member, Study, User
from tests.annotation.rounds.team.teams import make_team_study, team_of, wanted, work
from tests.cast import join, make_study
from tests.sessions import as_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def team_study(owner: User, colleague: User) -> Study:
    made = make_team_study(sources=4, systems=2, members=3, overlap=2)
    join(made, owner, Member.Role.OWNER)
    join(made, colleague, Member.Role.VIEWER)
    return made


@pytest.fixture
def client(owner: User) -> Client:
    return as_user(owner)


def at(name: str, study: Study, *more: object) -> str:
    return reverse(f"desk:{name}", args=[study.slug, *more])


def page(client: Client, study: Study) -> str:
    return client.get(at("team", study)).content.decode()


def test_the_page_says_how_far_members_are_and_what_pairs_share(
    client: Client, team_study: Study
) -> None:
    (first, *_) = team_of(team_study)
    work(first)
    told = page(client, team_study)
    assert "Each pair of members shares 2 to 4 units." in told
    assert ">2 / " in told
    assert "worker-1" in told


def test_links_are_made_for_those_who_have_none(client: Client, team_study: Study) -> None:
    team_of(team_study, 1)
    client.post(at("team-links", team_study))
    links = [seat.invitation_id for seat in team_study.seats.order_by("number")]
    assert links[0] is None
    assert None not in links[1:]
    client.post(at("team-links", team_study))
    assert team_study.invitations.filter(worker__isnull=False).count() == 2


def test_a_member_gets_a_name(client: Client, team_study: Study) -> None:
    client.post(at("name-member", team_study, 2), {"name": "Second reader"})
    assert team_study.seats.get(number=2).name == "Second reader"
    assert 'value="Second reader"' in page(client, team_study)
    told = client.post(at("name-member", team_study, 2), {"name": "x" * 81}, follow=True)
    assert "at most 80 letters" in told.content.decode()


def test_a_member_is_added_and_another_ends(client: Client, team_study: Study) -> None:
    client.post(at("add-member", team_study))
    assert team_study.seats.count() == 4
    client.post(at("end-membership", team_study, 1))
    assert team_study.seats.filter(left_at=None).count() == 3
    assert wanted(team_study) == {2}


def test_the_table_is_downloaded_changed_and_uploaded(client: Client, team_study: Study) -> None:
    answer = client.get(at("team-table", team_study))
    text = answer.getvalue().decode()
    assert text.startswith("member,round,unit,position")
    rows = text.splitlines()
    file = SimpleUploadedFile("t.csv", "\n".join(rows[:3]).encode())
    told = client.post(at("upload-team-table", team_study), {"file": file}, follow=True)
    assert "The table has 2 rows now." in told.content.decode()
    assert sum(seat.allotments.count() for seat in team_study.seats.all()) == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"member,unit\n9,x\n", "the team has no member “9”"), (b"\xff\xfe", "CSV in UTF-8")],
)
def test_a_table_that_cannot_be_taken_is_refused_beside_its_field(
    client: Client, team_study: Study, content: bytes, said: str
) -> None:
    file = SimpleUploadedFile("t.csv", content)
    answer = client.post(at("upload-team-table", team_study), {"file": file})
    assert answer.status_code == 422
    assert said in answer.content.decode()


def test_the_page_asks_as_many_queries_for_many_members(
    client: Client, team_study: Study, django_assert_max_num_queries: object
) -> None:
    page(client, team_study)
    with django_assert_max_num_queries(30):  # type: ignore[operator]
        page(client, team_study)


@pytest.mark.parametrize("name", ["team", "team-table"])
def test_viewers_and_strangers_see_no_team(
    team_study: Study, colleague: User, outsider: User, name: str
) -> None:
    assert as_user(colleague).get(at(name, team_study)).status_code == 403
    assert as_user(outsider).get(at(name, team_study)).status_code == 404


@pytest.mark.parametrize("name", ["team-links", "add-member", "upload-team-table"])
def test_viewers_and_strangers_change_no_team(
    team_study: Study, colleague: User, outsider: User, name: str
) -> None:
    assert as_user(colleague).post(at(name, team_study)).status_code == 403
    assert as_user(outsider).post(at(name, team_study)).status_code == 404
    assert team_study.seats.count() == 3


def test_a_study_of_a_crowd_has_no_such_page(owner: User) -> None:
    study = make_study("crowd")
    join(study, owner, Member.Role.OWNER)
    assert as_user(owner).get(at("team", study)).status_code == 404
