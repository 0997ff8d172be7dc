"""The assignment table of a team as a file."""

import pytest

from annotation.models import Allotment, Change, Place, Study
from annotation.rounds.team.allotments import Takers, allot, leave_team, settle_team
from annotation.rounds.team.table import TableFault, table_rows, take_table
from tests.annotation.rounds.team.teams import (
    make_team_study,
    team_of,
    wanted,
    work,
    work_to_the_end,
)

pytestmark = pytest.mark.django_db


def as_file(study: Study) -> str:
    lines = [",".join(map(str, row)) for row in table_rows(study)]
    return "\n".join(["member,round,unit,position", *lines])


def faults(study: Study, *lines: str, head: str = "member,unit") -> list[str]:
    with pytest.raises(TableFault) as caught:
        take_table(study=study, text="\n".join([head, *lines]), by=None)
    return caught.value.faults


def test_the_table_comes_back_as_it_was() -> None:
    study = make_team_study(sources=4, systems=2, members=3, overlap=2)
    before = as_file(study)
    assert take_table(study=study, text=before, by=None) == 16
    assert as_file(study) == before


def test_each_unit_wants_as_many_answers_as_it_has_rows_and_others_none() -> None:
    study = make_team_study(sources=2, systems=2, members=3, overlap=3)
    take_table(study=study, text="member;unit\n1;d0/S0\n2;d0/S0\n3;d1/S1\n", by=None)
    by_unit = dict(Place.objects.values_list("unit__key", "wanted"))
    assert by_unit == {"d0/S0": 2, "d0/S1": 0, "d1/S0": 0, "d1/S1": 1}
    for member in team_of(study):
        work_to_the_end(member)
    assert set(Place.objects.values_list("unit__key", "counted")) == set(by_unit.items())


def test_rows_are_given_out_in_the_order_of_their_positions() -> None:
    study = make_team_study(sources=3, systems=1, members=1, overlap=1)
    take_table(study=study, text="member,unit,position\n1,d2/S0,3\n1,d0/S0,\n1,d1/S0,1\n", by=None)
    assert [unit for _member, _round, unit, _at in table_rows(study)] == ["d1/S0", "d2/S0", "d0/S0"]


def test_members_may_be_called_by_their_names() -> None:
    study = make_team_study(sources=1, systems=1, members=2, overlap=2)
    study.seats.filter(number=2).update(name="Second reader")
    take_table(study=study, text="member,unit\nSecond reader,d0/S0\n", by=None)
    assert [row[0] for row in table_rows(study)] == ["2"]


def test_what_a_member_has_begun_stays_whatever_the_file_says() -> None:
    study = make_team_study(sources=3, systems=1, members=2, overlap=2)
    (first, _second) = team_of(study, 2)
    work(first)
    begun = set(first.assignments.get().assignment_units.values_list("unit__key", flat=True))
    take_table(study=study, text="member,unit\n2,d0/S0\n", by=None)
    assert {row[2] for row in table_rows(study) if row[0] == "1"} == begun


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["9,d0/S0"], "Line 2: the team has no member “9”."),
        (["1,d9/S0"], "Line 2: there is no unit “d9/S0”."),
        (["1,d0/S0", "2,d0/S0", "1,d0/S0"], "Line 4 repeats line 2."),
        (["1,d1/S0"], "Line 2: the unit “d1/S0” is retired."),
        ([], "The table has no rows."),
    ],
)
def test_strangers_doubles_and_retired_units_are_named(lines: list[str], said: str) -> None:
    study = make_team_study(sources=2, systems=1, members=2, overlap=2)
    unit = study.units.get(key="d1/S0")
    study.units.filter(pk=unit.pk).update(retired_at=study.created_at)
    Place.objects.filter(unit=unit).update(retired=True)
    before = set(Allotment.objects.values_list("seat", "place"))
    assert faults(study, *lines) == [said]
    assert set(Allotment.objects.values_list("seat", "place")) == before


@pytest.mark.parametrize("position", ["0x", "-1", "²", "1" * 30])
def test_a_position_that_is_no_number_is_refused(position: str) -> None:
    study = make_team_study(sources=1, systems=1, members=1, overlap=1)
    (said,) = faults(study, f"1,d0/S0,{position}", head="member,unit,position")
    assert said == "Line 2: the position is not a number from 1 on."


def test_a_table_without_members_says_which_column_it_needs() -> None:
    assert faults(make_team_study(), "d0/S0", head="unit") == ["The table needs a column “member”."]


def test_ten_faults_are_enough() -> None:
    assert len(faults(make_team_study(), *["9,d0/S0"] * 40)) == 10


def test_units_left_out_of_a_table_are_not_given_out_later() -> None:
    study = make_team_study(sources=2, systems=1, members=2, overlap=2)
    take_table(study=study, text="member,unit\n1,d0/S0\n", by=None)
    allot(study)
    assert [row[2] for row in table_rows(study)] == ["d0/S0"]


def test_who_leaves_gives_the_rows_of_a_table_to_the_others() -> None:
    study = make_team_study(sources=2, systems=1, members=2, overlap=2)
    take_table(study=study, text="member,unit\n1,d0/S0\n", by=None)
    leave_team(study.seats.get(number=1))
    settle_team(study, Takers.OTHERS)
    assert [row[:3] for row in table_rows(study)] == [("2", "main", "d0/S0")]
    assert wanted(study) == {0, 1}


def test_the_table_comes_back_after_a_member_has_left() -> None:
    study = make_team_study(sources=4, systems=2, members=3, overlap=2)
    members = team_of(study)
    work(members[0])
    leave_team(members[0].seat)
    settle_team(study, Takers.OTHERS)
    before = as_file(study)
    assert take_table(study=study, text=before, by=None) == 16
    assert as_file(study) == before
    (unit,) = study.units.order_by("pk").exclude(
        places__assignment_units__worker=members[0].worker
    )[:1]
    assert faults(study, f"1,{unit.key}") == ["Line 2: member “1” has left the team."]


def test_a_number_means_the_member_of_that_number_whatever_another_is_called() -> None:
    study = make_team_study(sources=1, systems=1, members=2, overlap=2)
    study.seats.filter(number=2).update(name="1")
    take_table(study=study, text="member,unit\n1,d0/S0\n", by=None)
    assert [row[0] for row in table_rows(study)] == ["1"]


@pytest.mark.parametrize(
    "text", ["member,unit\n1," + "x" * 200_000, "member,unit\n1,\x00\n", "", "\n\n", '"', "a"]
)
def test_what_is_no_table_is_refused_in_a_sentence(text: str) -> None:
    study = make_team_study(sources=1, systems=1, members=1, overlap=1)
    with pytest.raises(TableFault):
        take_table(study=study, text=text, by=None)
    assert Allotment.objects.count() == 1


def test_taking_a_table_is_in_the_change_log() -> None:
    study = make_team_study(sources=1, systems=1, members=1, overlap=1)
    take_table(study=study, text="member,unit\n1,d0/S0\n", by=None)
    assert Change.objects.filter(study=study, action="team.table").count() == 1
