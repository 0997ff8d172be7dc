"""The table of a team, written when it opens and again when somebody joins or leaves."""

from collections import Counter
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.entry.arrival import arrive
from annotation.entry.invitations import invite
from annotation.models import (
    Allotment,
    AssignmentUnit,
    Place,
)
from annotation.rights.withdrawal import erase_now, take_back, withdraw
from annotation.rounds.team.allotments import (
    Takers,
    allot,
    join_team,
    leave_team,
    settle_team,
    unassigned,
)
from annotation.rounds.team.progress import progress_in
from annotation.rounds.team.seats import TeamIsComplete
from annotation.work.assignment import NothingLeft, Reason, lease_batch
from annotation.work.demand import ask_again, reinstate_units, retire_units
from annotation.work.exclusion import exclude_answers
from annotation.work.leases import close_open_batch, release_expired_leases
from tests.annotation.rounds.team.teams import (
    make_team_study,
    team_of,
    wanted,
    work,
    work_to_the_end,
)
from tests.annotation.workers import lease

pytestmark = pytest.mark.django_db


def test_everybody_answers_everything_where_all_their_answers_are_wanted() -> None:
    study = make_team_study(sources=4, systems=3, members=3, overlap=3)
    assert [seat.allotments.count() for seat in study.seats.all()] == [12, 12, 12]
    for member in team_of(study):
        work_to_the_end(member)
    places = Place.objects.filter(round__study=study)
    assert set(places.values_list("wanted", "held", "counted")) == {(3, 0, 3)}


def test_a_member_meets_several_outputs_of_a_source_and_a_crowd_does_not() -> None:
    study = make_team_study()
    (member, *_) = team_of(study)
    work_to_the_end(member)
    met = AssignmentUnit.objects.filter(worker=member.worker_id)
    assert set(Counter(met.values_list("source", flat=True)).values()) == {3}
    first, second = met.order_by("source", "pk")[:2]
    with pytest.raises(IntegrityError), transaction.atomic():
        AssignmentUnit.objects.filter(pk__in=[first.pk, second.pk]).update(meets_again=False)


def test_members_come_to_the_end_of_their_table() -> None:
    study = make_team_study()
    (member, *_) = team_of(study)
    round_ = study.rounds.get()
    assert progress_in(member, round_) == (0, 12)
    work(member)
    assert progress_in(member, round_) == (2, 12)
    work_to_the_end(member)
    assert progress_in(member, round_) == (12, 12)
    nothing = lease_batch(participation=member, now=timezone.now())
    assert nothing == NothingLeft(Reason.TABLE_DONE)


def test_shares_give_each_source_to_as_many_members_as_answers_are_wanted() -> None:
    study = make_team_study(sources=12, systems=2, members=4, overlap=2)
    by_source = Counter(
        (row.place.source_id, row.seat_id) for row in Allotment.objects.select_related("place")
    )
    assert set(by_source.values()) == {2}
    assert {seat.allotments.count() for seat in study.seats.all()} == {12}
    assert wanted(study) == {2}


def test_who_comes_when_every_seat_is_taken_is_refused() -> None:
    study = make_team_study(members=2, overlap=2)
    team_of(study, 2)
    with pytest.raises(TeamIsComplete):
        arrive(study=study, invitation=invite(study=study, created_by=None))
    assert study.participations.count() == 2


def test_a_personal_link_leads_to_its_own_seat() -> None:
    study = make_team_study()
    link = invite(study=study, created_by=None, personal=True)
    study.seats.filter(number=3).update(invitation=link)
    arrive(study=study, invitation=invite(study=study, created_by=None))
    mine = arrive(study=study, invitation=link)
    assert study.seats.get(participation=mine).number == 3


def test_what_a_member_who_leaves_has_not_begun_goes_to_the_others() -> None:
    study = make_team_study(sources=6, systems=2, members=3, overlap=2)
    members = team_of(study)
    work(members[0], batches=2)
    leave_team(members[0].seat)
    assert unassigned(study) == 4
    settle_team(study, Takers.OTHERS)
    assert unassigned(study) == 0
    for member in members[1:]:
        work_to_the_end(member)
    places = Place.objects.filter(round__study=study)
    assert set(places.values_list("wanted", "held", "counted")) == {(2, 0, 2)}
    kept = members[0].seat.allotments.count()
    assert kept == AssignmentUnit.objects.filter(worker=members[0].worker_id).count() == 4


def test_where_everybody_answers_all_a_member_who_leaves_is_missing() -> None:
    study = make_team_study(sources=3, systems=2, members=3, overlap=3)
    members = team_of(study)
    work(members[0])
    leave_team(members[0].seat)
    assert (wanted(study), unassigned(study)) == ({3}, 4)
    settle_team(study, Takers.OTHERS)
    assert (wanted(study), unassigned(study)) == ({2, 3}, 0)
    study.refresh_from_db()
    assert (study.team_members, study.overlap) == (2, 2)


def test_who_joins_in_the_place_of_another_answers_what_that_one_has_not() -> None:
    study = make_team_study(sources=3, systems=2, members=3, overlap=3)
    members = team_of(study)
    work(members[0])
    leave_team(members[0].seat)
    settle_team(study, Takers.NEWCOMER)
    assert (wanted(study), unassigned(study)) == ({3}, 0)
    (late,) = team_of(study, 1)
    assert late.seat.allotments.count() == 4
    for member in [*members[1:], late]:
        work_to_the_end(member)
    assert set(Place.objects.values_list("counted", flat=True)) == {3}


def test_nobody_but_who_joins_in_the_place_of_another_gets_more_to_do() -> None:
    study = make_team_study(sources=12, systems=1, members=4, overlap=2)
    leave_team(study.seats.get(number=1))
    settle_team(study, Takers.NEWCOMER)
    seats = study.seats.filter(left_at=None).order_by("number")
    assert [seat.allotments.count() for seat in seats] == [6, 6, 6, 6]


def test_answers_that_nobody_is_to_give_are_wanted_no_longer() -> None:
    study = make_team_study(sources=6, systems=2, members=3, overlap=2)
    members = team_of(study)
    leave_team(members[0].seat)
    lacking = unassigned(study)
    settle_team(study, Takers.NOBODY)
    assert lacking == members[0].seat.allotments.count() + lacking == 8
    assert (wanted(study), unassigned(study)) == ({1, 2}, 0)
    for member in members[1:]:
        work_to_the_end(member)
    places = Place.objects.filter(round__study=study)
    assert sum(places.values_list("counted", flat=True)) == 24 - lacking


def test_what_a_member_who_withdraws_had_waits_until_somebody_decides() -> None:
    study = make_team_study(sources=6, systems=2, members=3, overlap=2)
    members = team_of(study)
    work(members[0], batches=2)
    withdraw(participation=members[0], now=timezone.now())
    assert unassigned(study) == 4
    take_back(participation=members[0], now=timezone.now())
    assert unassigned(study) == 0
    erase_now(participation=members[0], now=timezone.now())
    # What they had answered, and what they had not.
    assert unassigned(study) == 8
    allot(study)
    assert unassigned(study) == 8
    settle_team(study, Takers.OTHERS)
    for member in members[1:]:
        work_to_the_end(member)
    places = Place.objects.filter(round__study=study)
    assert set(places.values_list("wanted", "counted")) == {(2, 2)}
    assert study.seats.filter(left_at=None).count() == 2


def test_excluded_answers_are_given_by_others_when_somebody_decides_so() -> None:
    study = make_team_study(sources=6, systems=2, members=3, overlap=2)
    members = team_of(study)
    work(members[0])
    exclude_answers(assignments=members[0].assignments.all(), reason="in haste")
    assert unassigned(study) == 2
    settle_team(study, Takers.OTHERS)
    for member in members:
        work_to_the_end(member)
    places = Place.objects.filter(round__study=study)
    assert set(places.values_list("wanted", "counted")) == {(2, 2)}


def test_units_that_are_asked_again_go_to_members_who_have_not_answered_them() -> None:
    study = make_team_study(sources=6, systems=2, members=3, overlap=2)
    members = team_of(study)
    for member in members:
        work_to_the_end(member)
    before = set(Allotment.objects.values_list("seat", "place"))
    units = list(study.units.order_by("pk").values_list("pk", flat=True)[:3])
    assert ask_again(study=study, units=units, more=1) == units
    # Three have all there are.
    assert ask_again(study=study, units=units, more=1) == []
    added = set(Allotment.objects.values_list("seat", "place")) - before
    assert len(added) == 3
    for member in members:
        work_to_the_end(member)
    counted = Place.objects.filter(unit__in=units).values_list("counted", flat=True)
    assert set(counted) == {3}


def test_a_unit_that_is_reinstated_comes_to_the_members_who_had_it() -> None:
    study = make_team_study(sources=2, systems=1, members=2, overlap=2)
    (unit, _other) = study.units.order_by("pk")
    retire_units(study=study, units=[unit.pk])
    leave_team(study.seats.get(number=1))
    settle_team(study, Takers.OTHERS)
    reinstate_units(study=study, units=[unit.pk])
    (member,) = team_of(study, 1)
    work_to_the_end(member)
    assert set(Place.objects.values_list("wanted", "counted")) == {(1, 1)}


def test_a_member_comes_back_after_weeks_and_goes_on_where_they_stopped() -> None:
    study = make_team_study(lease_minutes=1)
    member, other, _third = team_of(study)
    batch = lease(member)
    weeks_later = timezone.now() + timedelta(weeks=9)
    assert release_expired_leases(now=weeks_later) == 0
    assert lease_batch(participation=member, now=weeks_later) == batch
    work_to_the_end(other)
    work_to_the_end(member)
    assert progress_in(member, study.rounds.get()).is_complete
    assert not member.assignments.filter(late=True).exists()


def test_who_joins_late_takes_over_what_nobody_has_begun() -> None:
    study = make_team_study(sources=12, systems=2, members=3, overlap=2)
    members = team_of(study)
    work(members[0], batches=2)
    join_team(study)
    counts = [seat.allotments.count() for seat in study.seats.order_by("number")]
    assert sum(counts) == 48
    assert max(counts) - min(counts) <= 4
    late = team_of(study, 1)[0]
    assert late.seat.number == 4
    for member in [*members, late]:
        work_to_the_end(member)
    places = Place.objects.filter(round__study=study)
    assert set(places.values_list("wanted", "held", "counted")) == {(2, 0, 2)}


def test_who_joins_a_team_of_which_everybody_answers_all_answers_all_too() -> None:
    study = make_team_study(sources=3, systems=2, members=2, overlap=2)
    join_team(study)
    assert [seat.allotments.count() for seat in study.seats.all()] == [6, 6, 6]
    assert wanted(study) == {3}


def test_the_tables_of_the_others_stay_when_a_member_leaves() -> None:
    study = make_team_study(sources=6, systems=2, members=3, overlap=2)
    rows = Allotment.objects.filter(seat__number__gt=1)
    before = set(rows.values_list("seat", "place", "position"))
    leave_team(study.seats.get(number=1))
    settle_team(study, Takers.OTHERS)
    assert before < set(rows.values_list("seat", "place", "position"))


def test_a_batch_that_was_given_back_comes_again() -> None:
    study = make_team_study()
    (member, *_) = team_of(study)
    before = {one.unit_id for one in lease(member).assignment_units.all()}
    close_open_batch(participation=member)
    assert {one.unit_id for one in lease(member).assignment_units.all()} == before


def test_a_retired_unit_is_not_given_out() -> None:
    study = make_team_study()
    (member, *_) = team_of(study)
    first = member.seat.allotments.get(position=1)
    Place.objects.filter(pk=first.place_id).update(retired=True)
    batch = lease(member)
    assert first.place_id not in set(batch.assignment_units.values_list("place", flat=True))
    assert progress_in(member, study.rounds.get()).of == 11


def test_a_team_of_one_answers_everything_once() -> None:
    study = make_team_study(sources=2, systems=2, members=1, overlap=1)
    (member,) = team_of(study, 1)
    work_to_the_end(member)
    assert set(Place.objects.values_list("counted", flat=True)) == {1}


def test_more_answers_than_members_are_not_waited_for() -> None:
    study = make_team_study(members=2, overlap=5)
    assert wanted(study) == {2}


def test_writing_the_table_twice_changes_nothing() -> None:
    study = make_team_study(sources=6, systems=2, members=3, overlap=2)
    before = list(Allotment.objects.values_list("seat", "place", "position"))
    allot(study)
    assert sorted(Allotment.objects.values_list("seat", "place", "position")) == sorted(before)
