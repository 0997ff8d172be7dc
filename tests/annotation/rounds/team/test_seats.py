"""The seats of a team, and what is kept of whoever takes one."""

import pytest
from django.utils import timezone

from annotation.entry.invitations import invite_team
from annotation.rights.erasure import erase_worker
from annotation.rights.stored_data import stored_about
from annotation.rounds.team.seats import seat_team
from tests.annotation.rounds.team.teams import make_team_study, team_of

pytestmark = pytest.mark.django_db


def test_a_smaller_team_loses_the_last_seats_that_nobody_has_taken() -> None:
    study = make_team_study(members=4, overlap=2)
    team_of(study, 1)
    study.team_members = 2
    assert [seat.number for seat in seat_team(study)] == [1, 2]


def test_no_seat_is_lost_that_somebody_has_taken() -> None:
    study = make_team_study(members=3, overlap=2)
    team_of(study, 3)
    study.team_members = 1
    assert len(seat_team(study)) == 3


def test_each_free_seat_gets_one_personal_link() -> None:
    study = make_team_study()
    team_of(study, 1)
    assert invite_team(study, by=None) == 2
    assert invite_team(study, by=None) == 0


def test_members_see_their_seat_among_their_data_until_it_is_erased() -> None:
    study = make_team_study()
    (member, *_) = team_of(study)
    study.seats.filter(participation=member).update(name="Second reader")
    assert stored_about(member)["participation"]["seat"] == [{"number": 1, "name": "Second reader"}]
    erase_worker(worker=member.worker, now=timezone.now())
    assert study.seats.get(participation=member).name == ""
