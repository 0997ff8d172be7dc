"""Ending a membership of a team, and releasing its calibration."""

import pytest
from django.utils import timezone

from annotation.models import Assignment, Change, Round
from annotation.rounds.team.allotments import unassigned
from annotation.rounds.team.progress import progress_in
from annotation.work.team.membership import end_membership, release_calibration
from tests.annotation.rounds.team.teams import make_team_study, team_of
from tests.annotation.workers import lease

pytestmark = pytest.mark.django_db


def test_a_member_who_is_taken_out_gives_their_open_batch_back() -> None:
    study = make_team_study(sources=6, systems=2, members=3, overlap=2)
    members = team_of(study)
    batch = lease(members[0])
    assert end_membership(seat=members[0].seat)
    assert not end_membership(seat=members[0].seat)
    batch.refresh_from_db()
    assert batch.state == Assignment.State.RETURNED
    assert progress_in(members[0], study.rounds.get()) == (0, 0)
    assert unassigned(study) == 8
    assert Change.objects.get(action="team.left").subject == "member 1"


def test_a_place_that_nobody_took_can_be_given_up() -> None:
    study = make_team_study(sources=4, systems=2, members=2, overlap=1)
    assert end_membership(seat=study.seats.get(number=2))
    assert not end_membership(seat=study.seats.get(number=2))


def test_only_calibrations_are_released_and_each_once() -> None:
    study = make_team_study(sources=4, systems=2, members=2, overlap=1)
    main = study.rounds.get()
    assert not release_calibration(round_=main, now=timezone.now())
    Round.objects.filter(pk=main.pk).update(calibration_sources=2)
    assert release_calibration(round_=main, now=timezone.now())
    assert not release_calibration(round_=main, now=timezone.now())
    assert Change.objects.filter(action="team.released").count() == 1
