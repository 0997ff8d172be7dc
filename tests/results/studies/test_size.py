"""How large a study has to be, from a pilot's answers or from assumptions."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from agreement import Pilot, alpha, interval_width
from annotation.models import Annotation, Rating, Round, Study
from estimates.report import newest
from estimates.report.cache import report_of
from estimates.report.recount import recount
from results.studies import size
from results.studies.size import pilot_of, sizes_for
from tasktypes.facets import Facet
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions, rate

ASSUMED = Pilot(values=["yes", "no"], shares=[0.7, 0.3], agreement=0.5, distance="nominal")


def facet_of(study: Study) -> Facet:
    return study.blocks.all()[0].facets[0]


def test_a_pilot_is_what_people_said(db: None) -> None:
    study = make_study(sources=4, blocks=[("slider", {})])
    ada, bob = make_rater(study, "ada"), make_rater(study, "bob")
    judge = make_rater(study, "lexical", "judge")
    given = [(10, 20), (40, 30), (80, 90), (60, 60)]
    for question, (one, other) in zip(questions(study), given, strict=True):
        rate(ada, question, one)
        rate(bob, question, other)
        rate(judge, question, 1)

    pilot = pilot_of(report_of(study), facet_of(study))

    expected = alpha(
        [0, 0, 1, 1, 2, 2, 3, 3],
        ["a", "b"] * 4,
        [value for pair in given for value in pair],
        distance="interval",
    )
    assert pilot.agreement == pytest.approx(expected.value)
    assert pilot.distance == "interval"
    assert sorted(pilot.values) == [10, 20, 30, 40, 60, 80, 90]  # type: ignore[type-var]


def test_the_pilot_of_a_large_study_is_what_was_counted(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is read from its answers."""
    study = make_study(sources=4, blocks=[("slider", {})])
    for at, name in enumerate(("ada", "bob")):
        rater = make_rater(study, name)
        for number, question in enumerate(questions(study)):
            rate(rater, question, 20 * number + at)
    small = pilot_of(report_of(study), facet_of(study))
    recount(study=study)
    monkeypatch.setattr(newest, "SMALL", 0)
    report = report_of(study)

    with CaptureQueriesContext(connection) as asked:
        assert pilot_of(report, facet_of(study)) == small
    tables = {Annotation._meta.db_table, Rating._meta.db_table}
    read = [query["sql"] for query in asked if "COUNT(*)" not in query["sql"]]
    assert not [sql for sql in read for table in tables if f'FROM "{table}"' in sql]


def test_a_round_that_counts_has_the_alpha_of_its_part(db: None) -> None:
    study = make_study(sources=6, blocks=[("slider", {})])
    first = Round.objects.get(study=study)
    second = Round.objects.create(study=study, position=2, name="second")
    for at, name in enumerate(("ada", "bob")):
        rater = make_rater(study, name)
        for number, question in enumerate(questions(study)):
            rate(rater, question, 15 * number + (at if number < 3 else 5 * at))
    halves = [question.pk for question in questions(study)[:3]]
    Annotation.objects.filter(question__in=halves).update(round=first)
    Annotation.objects.exclude(question__in=halves).update(round=second)

    pilot = pilot_of(report_of(study), facet_of(study), second)

    given = [45, 50, 60, 65, 75, 80]
    assert sorted(pilot.values) == given  # type: ignore[type-var]
    expected = alpha([0, 0, 1, 1, 2, 2], ["a", "b"] * 3, given, distance="interval")
    assert pilot.agreement == pytest.approx(expected.value)


def test_a_round_that_does_not_count_is_read_while_it_is_small(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = make_study(sources=4, blocks=[("slider", {})])
    pilot = Round.objects.create(study=study, position=2, name="pilot", counts=False)
    for at, name in enumerate(("ada", "bob")):
        rater = make_rater(study, name)
        for number, question in enumerate(questions(study)):
            rate(rater, question, 20 * number + at)
    Annotation.objects.update(round=pilot)

    assert pilot_of(None, facet_of(study), pilot).agreement > 0.9
    monkeypatch.setattr(size, "MOST_READ", 7)
    with pytest.raises(ValueError, match="plan from the rounds that count"):
        pilot_of(None, facet_of(study), pilot)


def test_without_answers_there_is_no_pilot(db: None) -> None:
    study = make_study()

    with pytest.raises(ValueError, match="no pilot: no human answers"):
        pilot_of(report_of(study), facet_of(study))


def test_one_person_makes_no_pilot(db: None) -> None:
    study = make_study()
    choose(make_rater(study, "ada"), questions(study)[0], 0)

    with pytest.raises(ValueError, match="no pilot: one rater only"):
        pilot_of(report_of(study), facet_of(study))


def test_more_raters_need_fewer_units_and_the_width_is_as_asked() -> None:
    few, many = sizes_for(ASSUMED, width=0.2, raters=(2, 5), simulations=300)

    assert few.units.value is not None
    assert many.units.value is not None
    assert few.units.value > many.units.value
    assert few.answers == 2 * few.units.value
    reached = interval_width(ASSUMED, units=int(few.units.value), raters=2, simulations=1000)
    assert reached.value == pytest.approx(0.2, rel=0.25)


def test_a_width_that_no_study_reaches_says_so() -> None:
    (size,) = sizes_for(ASSUMED, width=0.001, raters=(2,), most=1000, simulations=50)

    assert size.units.undefined == "more units needed than the most that are allowed (1000)"
    assert size.answers is None
