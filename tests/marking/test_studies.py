import csv
import io
from collections import Counter
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from annotation.entry.arrival import NotOpen, arrive
from annotation.models import Allotment, Member, Participation, Place, Study, User
from estimates.report.recount import recount
from marking.figures import figures_of
from marking.labels import label_table
from marking.marks import marks_of
from marking.material import INCLUSION
from marking.plans import Plan
from marking.studies import (
    UNEQUAL,
    begin_for_oneself,
    draw_more,
    end_marking,
    has_changed,
    strata_of,
)
from tests.cast import join
from tests.marking.files import marked_study, some_verdicts, write_table
from tests.marking.people import come, mark_all, mark_batch

pytestmark = pytest.mark.django_db


def agree(_member: int, _unit: str) -> str:
    return "pass"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_table(tmp_path / "results.csv", some_verdicts(40))


def test_a_file_becomes_an_open_study_with_a_team_and_its_sample(table: Path) -> None:
    study = marked_study(table, Plan(people=3, texts=12))
    assert (study.has_team, study.team_members) == (True, 3)
    study.refresh_from_db()
    assert study.state == Study.State.OPEN
    drawn = study.units.filter(subsets__name="marking")
    sizes, units = strata_of(study), Counter(unit.metadata["mark_stratum"] for unit in drawn)
    assert sum(sizes.values()) == 40
    assert sorted(units.values()) == [6, 6]
    for unit in drawn:
        size = [*sizes.values()][unit.metadata["mark_stratum"] - 1]
        assert unit.metadata[INCLUSION] == pytest.approx(6 / size)
    # Every third of each verdict is marked twice: 2 of 6.
    assert Counter(Place.objects.values_list("wanted", flat=True)) == {1: 8, 2: 4}
    assert Allotment.objects.count() == 16


def test_a_plan_of_answers_gives_each_text_so_many(table: Path) -> None:
    marked_study(table, Plan(people=3, texts=10, answers=2))
    assert set(Place.objects.values_list("wanted", flat=True)) == {2}


def test_marks_become_figures_and_a_table(table: Path) -> None:
    study = marked_study(table, Plan(people=2, texts=20))
    assert mark_all(study, agree) == 28
    marks = marks_of(study)
    figures = figures_of(marks)
    assert (figures.marks, figures.texts, figures.doubled) == (28, 20, 8)
    sizes = strata_of(study)
    assert figures.agreement.value == pytest.approx(sizes["pass"] / 40)
    assert figures.ceiling.value == 1
    rows = list(csv.DictReader(io.StringIO(label_table(marks))))
    assert len(rows) == 20
    # By the weights the sample is as large as the file.
    assert sum(float(row["weight"]) for row in rows) == pytest.approx(40, rel=1e-4)
    assert {row["people"] for row in rows} == {"pass"}
    assert {row["agreed"] for row in rows if row["judge"] == "fail"} == {"no"}


def test_notes_stay_with_their_marks(table: Path) -> None:
    study = marked_study(table, Plan(texts=6))
    mark_batch(come(study, 1), agree, note="=1+1 odd")
    rows = list(csv.DictReader(io.StringIO(label_table(marks_of(study)))))
    assert {row["note_worker-1"] for row in rows} == {"'=1+1 odd"}


def test_more_texts_are_drawn_as_the_first_were(table: Path) -> None:
    study = marked_study(table, Plan(people=2, texts=8))
    mark_all(study, agree)
    before = set(study.units.filter(subsets__name="marking").values_list("key", flat=True))
    assert draw_more(study, 10) == 10
    drawn = set(study.units.filter(subsets__name="marking").values_list("key", flat=True))
    assert before < drawn
    assert len(drawn) == 18
    # The same order as if all had been drawn at once.
    again = marked_study_of(table, texts=18)
    assert drawn == again
    assert mark_all(study, agree) > 0
    figures = figures_of(marks_of(study))
    assert figures.texts == 18
    assert draw_more(study, 100) == 22
    assert draw_more(study, 5) == 0


def marked_study_of(table: Path, texts: int) -> set[str]:
    Study.objects.all().update(slug="before")
    study = marked_study(table, Plan(people=2, texts=texts))
    return set(study.units.filter(subsets__name="marking").values_list("key", flat=True))


def test_going_on_finds_the_same_person_in_the_same_place(table: Path) -> None:
    study = marked_study(table, Plan(people=2, texts=8))
    first = begin_for_oneself(study)
    mark_batch(first, agree)
    again = begin_for_oneself(study)
    assert again == first
    assert Participation.objects.count() == 1


def test_after_the_end_a_link_admits_nobody_and_what_was_marked_stays(table: Path) -> None:
    study = marked_study(table, Plan(people=2, texts=8))
    mark_batch(come(study, 1), agree)
    n = marks_of(study).number
    end_marking(study)
    seat = study.seats.select_related("invitation__worker", "invitation__study").get(number=2)
    assert seat.invitation is not None
    page = Client().post(reverse("annotation:join", args=[seat.invitation.token]))
    assert page.status_code in (403, 410)
    with pytest.raises((NotOpen, Exception)):
        arrive(study=Study.objects.get(), invitation=seat.invitation)
    assert marks_of(study).number == n


def test_a_file_that_has_changed_is_noticed(table: Path) -> None:
    study = marked_study(table, Plan(texts=8))
    assert not has_changed(study, [table])
    table.write_text(table.read_text() + "x,y,z,pass,\n")
    assert has_changed(study, [table])
    table.unlink()
    assert has_changed(study, [table])


def test_the_study_can_be_opened_as_any_other(table: Path) -> None:
    study = marked_study(table, Plan(people=2, texts=20))
    mark_all(study, agree)
    study.refresh_from_db()
    recount(study=study)
    assert study.annotations.filter(rater__kind="judge").count() == 40
    assert study.annotations.filter(rater__kind="human").count() == 28


def test_pages_with_figures_say_that_these_do_not_undo_the_draw(
    table: Path, client: Client, owner: User
) -> None:
    study = marked_study(table, Plan(people=2, texts=20))
    mark_all(study, agree)
    join(study, owner, Member.Role.OWNER)
    recount(study=study)
    client.force_login(owner)
    for page in ("results:summary", "results:dashboard", "results:people"):
        shown = client.get(reverse(page, args=[study.slug])).content.decode()
        assert escape(UNEQUAL) in shown


def test_a_judge_with_numbers_is_marked_by_a_threshold(tmp_path: Path) -> None:
    path = write_table(tmp_path / "scores.csv", ["0.9", "0.2", "0.7", "0.4"] * 3, "score")
    study = marked_study(path, Plan(texts=6), judge="score", threshold=0.5)
    assert strata_of(study) == {"fail": 6, "pass": 6}
    labels = study.annotations.filter(rater__kind="judge").values_list("answer", flat=True)
    assert {answer["scores"]["mark"] for answer in labels} == {"pass", "fail"}
