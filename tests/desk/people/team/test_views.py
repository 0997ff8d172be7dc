"""The page of a team, and who may open it."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Change, Member, Round, Study, User
from annotation.rights.withdrawal import withdraw
from annotation.rounds.places import open_places
from annotation.rounds.team.allotments import allot
from results.reading.wording import plain
from tests.annotation.rounds.team.teams import (
    make_team_study,
    team_of,
    wanted,
    work,
    work_to_the_end,
)
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
    # Eight units with two answers each, of three members.
    assert "3 people answer 4 to 6 units each. Each shares 2 to 4 with each of 2 others" in told
    assert "how strict people are can be told from what they read" in told
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


def test_all_members_get_their_names_at_once(client: Client, team_study: Study) -> None:
    client.post(at("name-members", team_study), {"1": "First reader", "2": "Second reader"})
    names = team_study.seats.order_by("number").values_list("name", flat=True)
    assert list(names) == ["First reader", "Second reader", ""]
    assert 'value="Second reader"' in page(client, team_study)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ({"2": "x" * 81}, "at most 80 characters"),
        ({"1": "Ann", "2": "Ann"}, "Another member has this name."),
        ({"1": "3"}, "A name is not a number"),
    ],
)
def test_names_that_would_not_tell_members_apart_are_refused(
    client: Client, team_study: Study, names: dict[str, str], said: str
) -> None:
    answer = client.post(at("name-members", team_study), names)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert set(team_study.seats.values_list("name", flat=True)) == {""}


def test_who_shares_no_unit_with_others_is_named(client: Client, team_study: Study) -> None:
    client.post(at("name-members", team_study), {"1": "Ann", "2": "Ben", "3": "Eve"})
    rows = ["member,unit", "1,d0/S0", "2,d1/S0", "3,d1/S0"]
    file = SimpleUploadedFile("t.csv", "\n".join(rows).encode())
    client.post(at("upload-team-table", team_study), {"file": file})
    told = plain(page(client, team_study))
    assert "Ann shares no unit with others: how strict that person is cannot be told" in told


def test_a_member_is_added_and_another_ends(client: Client, team_study: Study) -> None:
    client.post(at("add-member", team_study))
    assert team_study.seats.count() == 4
    client.post(at("end-membership", team_study, 1))
    assert team_study.seats.filter(left_at=None).count() == 3
    assert "4 wanted answers are assigned to nobody" in page(client, team_study)


@pytest.mark.parametrize(
    ("to", "answers", "members"),
    [("others", {2}, 2), ("newcomer", {2}, 3), ("nobody", {1, 2}, 2), ("anybody", {2}, 2)],
)
def test_a_click_decides_who_gives_what_a_member_who_left_had(
    client: Client, team_study: Study, to: str, answers: set[int], members: int
) -> None:
    client.post(at("end-membership", team_study, 1))
    client.post(at("settle-team", team_study), {"to": to})
    assert wanted(team_study) == answers
    assert team_study.seats.filter(left_at=None).count() == members
    waits = "assigned to nobody" in page(client, team_study)
    assert waits == (to == "anybody")


def test_a_member_who_withdraws_is_shown_so(client: Client, team_study: Study) -> None:
    (first, *_) = team_of(team_study)
    withdraw(participation=first, now=timezone.now())
    told = page(client, team_study)
    assert "withdrew" in told
    assert "assigned to nobody" in told


def test_a_calibration_is_released_by_a_click(client: Client, team_study: Study) -> None:
    team_study.rounds.update(position=1)
    fields = {"position": 0, "calibration_sources": 1, "normal_per_batch": 2}
    first = Round.objects.create(study=team_study, name="calibration", **fields)
    open_places(team_study)
    allot(team_study)
    (member, *_) = team_of(team_study)
    work_to_the_end(member)
    told = page(client, team_study)
    assert "1 of 3 members have answered it." in told
    assert f"{reverse('results:people', args=[team_study.slug])}?round=calibration" in told
    client.post(at("release-calibration", team_study, first.pk))
    assert "Released on" in page(client, team_study)
    assert Change.objects.filter(study=team_study, action="team.released").count() == 1


def test_the_table_is_downloaded_changed_and_uploaded(client: Client, team_study: Study) -> None:
    answer = client.get(at("team-table", team_study))
    text = answer.getvalue().decode()
    assert text.startswith("member,round,unit,position")
    rows = text.splitlines()
    file = SimpleUploadedFile("t.csv", "\n".join(rows[:3]).encode())
    told = client.post(at("upload-team-table", team_study), {"file": file}, follow=True)
    assert "The table now has 2 rows." in told.content.decode()
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


@pytest.mark.parametrize(
    "name", ["team-links", "add-member", "upload-team-table", "name-members", "settle-team"]
)
def test_viewers_and_strangers_change_no_team(
    team_study: Study, colleague: User, outsider: User, name: str
) -> None:
    assert as_user(colleague).post(at(name, team_study)).status_code == 403
    assert as_user(outsider).post(at(name, team_study)).status_code == 404
    assert team_study.seats.count() == 3


@pytest.mark.parametrize("name", ["end-membership", "release-calibration"])
def test_viewers_and_strangers_end_nothing(
    team_study: Study, colleague: User, outsider: User, name: str
) -> None:
    number = team_study.rounds.get().pk if name == "release-calibration" else 1
    assert as_user(colleague).post(at(name, team_study, number)).status_code == 403
    assert as_user(outsider).post(at(name, team_study, number)).status_code == 404
    assert team_study.seats.filter(left_at=None).count() == 3


def test_a_study_of_a_crowd_has_no_such_page(owner: User) -> None:
    study = make_study("crowd")
    join(study, owner, Member.Role.OWNER)
    assert as_user(owner).get(at("team", study)).status_code == 404
