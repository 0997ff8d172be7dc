"""How near a judge is to people, beside people to each other: by hand, by loops, laws."""

from itertools import permutations
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import (
    AgreementGap,
    Bootstrap,
    advantage_difference,
    agreement_gap,
    alternative_annotator_test,
    closeness,
)
from tests.agreement.bounds import bounds
from tests.agreement.tables import tidy
from tests.agreement.two_way import half_width

BOOTSTRAP = Bootstrap(resamples=200)
TABLES = st.lists(st.lists(st.sampled_from("ab"), min_size=4, max_size=4), min_size=1, max_size=12)


def gap_of(table: Any, distance: str = "nominal", **options: Any) -> AgreementGap:
    """The last column is the judge's."""
    judge = len(table[0]) - 1
    return agreement_gap(closeness(*tidy(table), judge=judge, distance=distance, **options))


def test_the_gap_by_hand() -> None:
    """Unit 1: people agree in 1 of 3 pairs, the judge with 1 of 3: gap 0. Unit 2: people in all,
    the judge with nobody: gap 1. Unit 3 has one person only."""
    gap = gap_of([["a", "a", "b", "b"], ["a", "a", "a", "b"], ["a", None, None, "a"]])

    assert gap.among_people.value == pytest.approx((1 / 3 + 1) / 2)
    assert gap.with_judge.value == pytest.approx((1 / 3 + 0) / 2)
    assert gap.gap.value == pytest.approx(0.5)
    assert (gap.gap.n_units, gap.gap.n_ratings) == (2, 6)


def test_numbers_count_by_how_far_apart_they_are() -> None:
    """On 1 to 5: people 1 and 3 are 1 - 2/4 close; the judge's 5 is 0 and 1/2 close to them."""
    gap = gap_of([[1.0, 3.0, 5.0]], "interval", span=4)

    assert (gap.among_people.value, gap.with_judge.value, gap.gap.value) == (0.5, 0.25, 0.25)


def test_sets_count_by_what_they_share() -> None:
    gap = gap_of([[{1, 2}, {2}, {1}]], "jaccard")

    assert (gap.among_people.value, gap.with_judge.value) == (0.5, 0.25)


def test_the_gap_is_what_leaving_one_person_out_gives() -> None:
    """By loops: the judge and each person in turn held against the same others."""
    draw = np.random.default_rng(1)
    table = draw.integers(0, 3, (30, 5)).tolist()

    expected = fmean(
        fmean(
            fmean((row[k] == row[j]) - (row[k] == row[4]) for k in range(4) if k != j)
            for j in range(4)
        )
        for row in table
    )

    assert gap_of(table).gap.value == pytest.approx(expected, abs=1e-12)


def test_a_judge_who_answers_like_a_person_has_no_gap() -> None:
    """Drawn as people are: α folds people into one and would call such a judge better."""
    draw = np.random.default_rng(5)
    truth = draw.random(400) < 0.6
    table = [[bool(t ^ (draw.random() < 0.2)) for _ in range(6)] for t in truth]
    close = closeness(*tidy(table), judge=5, distance="nominal")

    low, high = bounds(agreement_gap(close, bootstrap=BOOTSTRAP).gap)

    assert low < 0 < high
    assert high - low < 0.1


@given(TABLES)
def test_the_order_of_people_does_not_matter(table: list[list[str]]) -> None:
    each = [
        gap_of([[row[at] for at in order] + row[3:] for row in table]).gap.value
        for order in permutations(range(3))
    ]

    assert each == pytest.approx([each[0]] * 6)


@given(TABLES)
def test_a_judge_that_copies_one_person_is_no_farther_than_people(table: list[list[str]]) -> None:
    copied = gap_of([[*row[:3], row[0]] for row in table])

    assert copied.gap.value is not None
    assert copied.gap.value <= 1e-12


def test_without_two_people_there_is_no_gap_and_without_sources_no_interval() -> None:
    alone = closeness([1, 1], ["ada", "gpt"], ["a", "a"], judge="gpt", distance="nominal")
    assert agreement_gap(alone).gap.undefined == "no unit with the judge and two people"
    nobody = closeness([1], ["ada"], ["a"], judge="gpt", distance="nominal")
    assert agreement_gap(nobody).gap.undefined == "no unit with the judge and a person"

    units, raters, values = tidy([["a", "a", "b"]] * 9)
    few = closeness(units, raters, values, judge=2, distance="nominal")
    gap = agreement_gap(few, bootstrap=BOOTSTRAP).gap
    assert (gap.value, gap.low) == (1, None)
    assert "too few sources" in (gap.interval_method or "")


def test_numbers_need_the_length_of_their_scale() -> None:
    with pytest.raises(ValueError, match="length of their scale"):
        gap_of([[1.0, 2.0, 3.0]], "interval")


def judged(n: int = 120) -> tuple[list[int], list[str], list[str]]:
    """Three people, a judge that is right in 90 % and one in 70 %."""
    draw = np.random.default_rng(2)
    rights = {"ada": 0.85, "bob": 0.85, "cyd": 0.85, "good": 0.9, "poor": 0.7}
    rows = [
        (unit, name, "yes" if draw.random() < right else "no")
        for unit in range(n)
        for name, right in rights.items()
    ]
    units, raters, values = (list(column) for column in zip(*rows, strict=True))
    return units, raters, values


def test_the_difference_of_advantages_is_that_of_the_two_tests() -> None:
    units, raters, values = judged()
    of_each = []
    for judge, other in (("good", "poor"), ("poor", "good")):
        rows = [row for row in zip(units, raters, values, strict=True) if row[1] != other]
        table = [list(column) for column in zip(*rows, strict=True)]
        test = alternative_annotator_test(*table, judge=judge, distance="nominal", epsilon=0.1)
        of_each.append(float(test.advantage_probability))

    both: dict[str, Any] = {"distance": "nominal", "bootstrap": BOOTSTRAP}
    found = advantage_difference(units, raters, values, judges=("good", "poor"), **both)
    turned = advantage_difference(units, raters, values, judges=("poor", "good"), **both)

    assert found.value == pytest.approx(of_each[0] - of_each[1], abs=1e-12)
    assert turned.value == pytest.approx(-of_each[0] + of_each[1], abs=1e-12)
    assert (found.n_raters, found.n_units) == (3, 120)
    assert bounds(found)[0] > 0


def test_too_few_shared_units_tell_nothing_of_two_judges() -> None:
    found = advantage_difference(*judged(20), judges=("good", "poor"), distance="nominal")

    assert "no person shares 30 units" in (found.undefined or "")


JACKKNIFE = Bootstrap(method="jackknife")


def test_an_interval_for_other_people_is_the_two_way_jackknife() -> None:
    """By loops: the mean gap without each source, each person, and both."""
    draw = np.random.default_rng(8)
    rights = (0.1, 0.95, 0.97, 0.99, 0.97)
    table = [[bool(draw.random() < right) for right in rights] for _ in range(18)]

    def without(unit: int, person: int) -> float:
        rows = [row for number, row in enumerate(table) if number != unit]
        kept = [[*(row[at] for at in range(4) if at != person), row[4]] for row in rows]
        return float(gap_of(kept).gap)

    means = [[without(unit, person) for person in range(-1, 4)] for unit in range(-1, 18)]
    z = 2 * np.arctanh(np.array(means))
    changes = z[1:, :1] - z[1:, 1:]
    apart = changes - changes.mean(axis=1, keepdims=True)
    rest = (3 / 4) * (17 / 18) * float(((apart - apart.mean(axis=0)) ** 2).sum())
    people, clusters = squares(z[0, 1:]), squares(z[1:, 0])
    assert people > rest
    half = half_width((clusters, 17), (people, 3), (rest, 51))

    close = closeness(*tidy(table), judge=4, distance="nominal")
    gap = agreement_gap(close, bootstrap=JACKKNIFE).gap

    expected = np.tanh(np.array([z[0, 0] - half, z[0, 0] + half]) / 2)
    assert [gap.others_low, gap.others_high] == pytest.approx(expected.tolist(), rel=1e-3)
    assert (gap.these_low, gap.these_high) == (gap.low, gap.high)
    assert expected[0] < bounds(gap)[0]


def squares(values: Any) -> float:
    """The variance of the jackknife: (n - 1) / n times the sum of squares around the mean."""
    n = len(values)
    return float((n - 1) / n * ((values - values.mean()) ** 2).sum())


def test_two_people_carry_no_interval_for_others() -> None:
    draw = np.random.default_rng(3)
    table = draw.integers(0, 2, (40, 3)).tolist()
    close = closeness(*tidy(table), judge=2, distance="nominal")
    gap = agreement_gap(close, bootstrap=JACKKNIFE).gap
    assert gap.low is not None
    assert gap.others_method is None


def test_the_interval_for_other_people_covers_a_judge_as_good_as_they_are() -> None:
    """People with skills of their own, and a judge with their mean skill: 95 % of studies."""
    draw = np.random.default_rng(11)
    covered = 0
    for _ in range(200):
        skills = 0.8 + 0.15 * (2 * draw.random(5) - 1)
        truth = draw.random(60) < 0.5
        rights = [*skills, 0.8]
        table = [[bool(t ^ (draw.random() > right)) for right in rights] for t in truth]
        gap = agreement_gap(
            closeness(*tidy(table), judge=5, distance="nominal"), bootstrap=JACKKNIFE
        ).gap
        assert gap.others_low is not None
        assert gap.others_high is not None
        covered += gap.others_low <= 0 <= gap.others_high
    assert covered / 200 >= 0.93
