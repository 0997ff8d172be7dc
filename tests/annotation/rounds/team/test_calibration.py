"""Calibration of a team: everybody answers some sources first, then shares follow."""

from typing import Any

import pytest
from django.utils import timezone

from annotation.models import Participation, Place, Round, Study
from annotation.rounds.places import open_places
from annotation.rounds.team.allotments import allot
from annotation.work.assignment import NothingLeft, Reason, lease_batch
from annotation.work.team.membership import release_calibration
from tests.annotation.rounds.team.teams import make_team_study, team_of, work_to_the_end

pytestmark = pytest.mark.django_db


def make_calibrated_study(*, released: bool = False) -> Study:
    """Two of eight sources are answered by all three first, the others by one each."""
    study = make_team_study(sources=8, systems=2, members=3, overlap=1)
    study.rounds.update(position=1)
    fields: dict[str, Any] = {"position": 0, "normal_per_batch": 2, "expected_minutes": 5}
    fields["released_at"] = timezone.now() if released else None
    Round.objects.create(study=study, name="calibration", calibration_sources=2, **fields)
    open_places(study)
    allot(study)
    return study


def wanted_in(study: Study, name: str) -> list[int | None]:
    return list(
        Place.objects.filter(round__study=study, round__name=name).values_list("wanted", flat=True)
    )


def test_everybody_answers_the_calibration_and_others_are_answered_as_often_as_planned() -> None:
    study = make_calibrated_study()
    assert wanted_in(study, "calibration") == [3] * 4
    assert wanted_in(study, "main") == [1] * 12


def test_members_go_on_to_their_shares_when_they_have_answered_the_calibration() -> None:
    study = make_calibrated_study(released=True)
    for member in team_of(study):
        work_to_the_end(member)
    assert set(Place.objects.filter(round__name="main").values_list("counted", flat=True)) == {1}


def test_members_wait_after_the_calibration_until_it_is_released() -> None:
    study = make_calibrated_study()
    members = team_of(study)
    for member in members:
        work_to_the_end(member)
        nothing = lease_batch(participation=member, now=timezone.now())
        assert nothing == NothingLeft(Reason.AWAITS_INVITATION)
    calibration = study.rounds.get(name="calibration")
    assert release_calibration(round_=calibration, now=timezone.now())
    assert not release_calibration(round_=calibration, now=timezone.now())
    for member in members:
        work_to_the_end(Participation.objects.get(pk=member.pk))
    main = Place.objects.filter(round__name="main")
    assert set(main.values_list("counted", flat=True)) == {1}


def test_another_number_draws_anew_until_somebody_has_begun() -> None:
    study = make_calibrated_study()
    study.rounds.filter(name="calibration").update(calibration_sources=3)
    open_places(study)
    allot(study)
    assert len(wanted_in(study, "calibration")) == 6
    (member, *_) = team_of(study)
    work_to_the_end(member)
    study.rounds.filter(name="calibration").update(calibration_sources=1)
    open_places(study)
    assert len(wanted_in(study, "calibration")) == 6
