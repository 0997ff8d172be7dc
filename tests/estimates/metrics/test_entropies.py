"""The entropy of choices as rows: of people together, and of each judge."""

from math import log
from pathlib import Path

import pytest

from annotation.models import Study
from estimates.data.options import Options
from estimates.data.rows import Row
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions
from tests.results.estimates import estimate_study
from tests.results.imported import by_rater, import_raters


def entropies(study: Study) -> dict[tuple[str, str], Row]:
    """By raters and system; the whole under no system."""
    found = estimate_study(study, Options(resamples=20)).rows
    return {
        (row.raters, row.group.get("system", "")): row
        for row in found
        if row.metric == "entropy" and set(row.group) <= {"system"}
    }


def test_choices_of_people_and_of_a_judge_are_spread_over_sentences(db: None) -> None:
    """People choose 0 twice, 2 and none in the first unit: 1/2 ln 2 + 2 · 1/4 ln 4 = 3/2 ln 2,
    and 0 alone in the second. The judge chooses one of two sentences twice, then two at once."""
    study = make_study(sources=2)
    first, second = questions(study)
    people = [make_rater(study, name) for name in ("ada", "bob", "cyd")]
    judge = make_rater(study, "lexical", "judge")
    for rater, sentences in zip(people, ((0,), (0, 2), ()), strict=True):
        choose(rater, first, *sentences)
        choose(rater, second, 0)
    choose(judge, first, 0)
    choose(judge, first, 1, replicate=1)
    choose(judge, second, 0, 1)

    found = entropies(study)

    humans = found["humans", ""].estimate
    assert humans.value == pytest.approx(3 / 4 * log(2))
    assert (humans.n_units, humans.n_raters, humans.n_ratings) == (2, 3, 6)
    assert found["humans", "Birch"].estimate.value == pytest.approx(3 / 2 * log(2))
    lexical = found["lexical", ""].estimate
    assert lexical.value == pytest.approx(log(2))
    assert (lexical.n_units, lexical.n_raters, lexical.n_ratings) == (2, 1, 3)


def test_one_label_of_one_judge_has_no_spread(db: None, tmp_path: Path) -> None:
    study = import_raters(
        tmp_path, by_rater(ada="ab", bob="bb"), by_rater(gpt="ab"), level="nominal"
    )

    found = entropies(study)

    assert set(found) == {("humans", "")}
    assert found["humans", ""].estimate.value == pytest.approx(log(2) / 2)


def test_without_people_the_row_says_so(db: None) -> None:
    study = make_study()
    judge = make_rater(study, "lexical", "judge")
    choose(judge, questions(study)[0], 0)

    assert entropies(study)["humans", ""].estimate.undefined == "no human answers"
