"""The table of ratings: what enters it, and at which cost."""

import math

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Annotation, Round, Study
from estimates.data.database import load_table
from estimates.data.ratings import ratings_of
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions, rate


def chosen(study: Study) -> list[tuple[str, frozenset[int]]]:
    """Who chose what, as the table has it."""
    table = load_table(study, facet="recovery")
    names = {rater.pk: rater.name for rater in table.raters}
    pairs = zip(table.rater.tolist(), table.code.tolist(), strict=True)
    return [(names[rater], table.domain[code]) for rater, code in pairs]


def test_every_answer_is_one_row_with_what_it_is_about(study: Study) -> None:
    ada = make_rater(study, "ada")
    first, second, _ = questions(study)
    choose(ada, first, 0, 2)
    choose(ada, second)
    rate(ada, questions(study, block=1)[0], 61.5)

    table = load_table(study)

    assert len(table) == 3
    recovery = ratings_of(table, "recovery")
    assert [recovery.domain[code] for code in recovery.code] == [frozenset({0, 2}), frozenset()]
    assert [recovery.domain[code] for code in recovery.reference] == [frozenset({0, 2})] * 2
    material = table.material
    assert [material.unit_ids[unit] for unit in recovery.unit] == [first.unit_id, second.unit_id]
    systems = material.item_names["system"]
    assert [systems.names[systems.codes[item]] for item in recovery.item] == ["Birch", "Alder"]
    assert ratings_of(table, "utility").number.tolist() == [61.5]


def test_numbers_have_no_code_and_sets_no_number(study: Study) -> None:
    ada = make_rater(study, "ada")
    choose(ada, questions(study)[0], 1)
    rate(ada, questions(study, block=1)[0], 10)

    table = load_table(study)

    assert ratings_of(table, "utility").code.tolist() == [-1]
    assert math.isnan(ratings_of(table, "recovery").number[0])


def test_what_does_not_count_does_not_enter(db: None) -> None:
    study = make_study(positive=1)
    ada, bob = make_rater(study, "ada"), make_rater(study, "bob")
    first, second, third = questions(study)
    pilot = Round.objects.create(study=study, position=1, name="pilot", counts=False)
    choose(ada, first, 0)
    choose(ada, first, 1, supersede=True)
    choose(ada, second, 0, surplus=True)
    choose(bob, second, 0, round_=pilot)
    excluded = choose(bob, third, 0)
    Annotation.objects.filter(pk=excluded.pk).update(excluded_reason="failed controls")
    choose(bob, questions(study, role="positive")[0], 0)

    assert chosen(study) == [("ada", frozenset({1}))]


def test_the_number_of_queries_does_not_grow_with_the_study(db: None) -> None:
    def queries(sources: int) -> int:
        study = make_study(f"s{sources}", sources=sources)
        for name in ("ada", "bob"):
            rater = make_rater(study, name)
            for question in questions(study):
                choose(rater, question, 0)
        with CaptureQueriesContext(connection) as captured:
            load_table(study)
        return len(captured)

    assert queries(2) == queries(6) == 10


def test_a_study_without_answers_is_an_empty_table(study: Study) -> None:
    table = load_table(study)

    assert len(table) == 0
    assert len(ratings_of(table, "recovery")) == 0


def test_an_unknown_facet_is_a_key_error(study: Study) -> None:
    with pytest.raises(KeyError):
        ratings_of(load_table(study), "importance")
