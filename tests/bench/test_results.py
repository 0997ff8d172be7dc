"""The study of the bench `results`, and what its child process is asked for."""

import pytest

from annotation.models import Annotation, Question, Study
from bench.results.child import Program
from bench.results.study import PER_QUESTION, build
from estimates.data.database import load_table
from estimates.report.newest import is_small


@pytest.fixture
def built(db: None, monkeypatch: pytest.MonkeyPatch) -> Study:
    monkeypatch.setattr("estimates.report.newest.SMALL", 100)
    return build(200)


def test_the_study_is_as_large_as_asked_for_and_everything_in_it_counts(built: Study) -> None:
    table = load_table(built)

    assert Annotation.objects.counted().count() == len(table) == 200 + 2
    assert sorted(table.facet_names) == ["recovery", "utility"]
    copied = Annotation.objects.filter(question__unit__key__startswith="copy-")
    asked = Question.objects.filter(annotations__in=copied).distinct()
    assert {one.annotations.count() for one in asked} == {PER_QUESTION}
    assert copied.filter(rater__kind="judge").count() == asked.count()


def test_every_answer_stored_is_one_more_and_pages_say_that_it_is_being_counted(
    built: Study,
) -> None:
    program, before = Program(built), Annotation.objects.count()
    assert not is_small(built)

    counted = program.recount(1)
    times = [*program.store(2), *program.view(2), *program.units(4), *program.plan(1)]

    assert counted["rows"] > 0
    assert len(times) == 9
    assert Annotation.objects.count() == before + 8
