import gzip
import itertools
import json
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import agreement
from agreement import DISTANCES, straight_lining
from tests.agreement.tables import Table, tidy

# As the formulas give them, of one or two units as well.
alpha = partial(agreement.alpha, least=1)
agreement_with_others = partial(agreement.agreement_with_others, least=1)

NUMBERS = st.one_of(st.none(), *[st.integers(0, 3)] * 3)
TABLES = st.lists(st.lists(NUMBERS, min_size=4, max_size=4), min_size=1, max_size=8)


def as_kind(table: list[list[Any]], distance: str) -> list[list[Any]]:
    rankings = [(0, 1), (1, 0), (0, 0), (0, 1)]
    kind = DISTANCES[distance].kind

    def make(one: int) -> Any:
        return {one} if kind == "set" else rankings[one] if kind == "ranks" else one

    return [[None if cell is None else make(cell) for cell in row] for row in table]


# Straight-lining.


def test_straight_lining_by_hand() -> None:
    # The longest run is b, b, b: three of six answers.
    assert straight_lining(list("abbbab")).value == 1 / 2
    assert straight_lining([5, 5, 5, 5]).value == 1
    assert straight_lining([1, 2]).value == 1 / 2


def test_straight_lining_of_published_votes(shared_data: Path) -> None:
    # 72 % of the votes are yes, in 714 sentences: runs are long, and no rater is only a run.
    path = shared_data / "qags-cnndm" / "mturk_cnndm.jsonl.gz"
    votes: dict[int, list[str]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            for sentence in json.loads(line)["summary_sentences"]:
                for vote in sentence["responses"]:
                    votes.setdefault(vote["worker_id"], []).append(vote["response"])
    assert len(votes) == 162
    for answers in votes.values():
        estimate = straight_lining(answers)
        expected = max(len(list(run)) for _, run in itertools.groupby(answers)) / len(answers)
        assert len(answers) < 2 or estimate.value == pytest.approx(expected)


@given(st.lists(st.one_of(st.none(), st.integers(0, 2)), max_size=12))
def test_straight_lining_equals_grouping_the_answers(answers: list[int | None]) -> None:
    given_ones = [one for one in answers if one is not None]
    estimate = straight_lining(answers)
    assert estimate.n_ratings == len(given_ones)
    if len(given_ones) < 2:
        assert estimate.undefined == "fewer than two answers"
        return
    runs = [len(list(run)) for _, run in itertools.groupby(given_ones)]
    assert estimate.value == max(runs) / len(given_ones)


@given(st.lists(st.integers(0, 2), min_size=2, max_size=12))
def test_names_and_the_direction_of_time_do_not_matter(answers: list[int]) -> None:
    backwards = [f"label {one}" for one in answers[::-1]]
    assert straight_lining(backwards).value == straight_lining(answers).value


# Agreement with the others.


def test_agreement_with_others_by_hand() -> None:
    # Units (x, x, y), (y, y, y). Distances of ratings to the others: a 1/2, 0; b 1/2, 0; c 1, 0.
    # D_o = (1/2 + 1/2 + 1) / 6 = 1/3; D_e = 2 * 2 * 4 / (6 * 5) = 8/15.
    found = agreement_with_others(*tidy([["x", "x", "y"], ["y", "y", "y"]]), distance="nominal")
    assert found[0].value == pytest.approx(1 - (1 / 4) / (8 / 15))
    assert found[1].value == found[0].value
    assert found[2].value == pytest.approx(1 - (1 / 2) / (8 / 15))
    assert (found[2].n_units, found[2].n_raters, found[2].n_ratings) == (2, 2, 2)


def test_agreement_of_the_published_votes_averages_to_the_published_alpha(
    shared_data: Path,
) -> None:
    path = shared_data / "qags-cnndm" / "mturk_cnndm.jsonl.gz"
    rows = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            for at, sentence in enumerate(json.loads(line)["summary_sentences"]):
                # 714 sentences, three answers each; somebody answered one twice: places as raters.
                for place, vote in enumerate(sentence["responses"]):
                    rows.append(((number, at), place, vote["response"]))
    found = agreement_with_others(*zip(*rows, strict=True), distance="nominal")
    # Equal numbers of ratings, so the plain mean.
    assert fmean(float(one) for one in found.values()) == pytest.approx(0.5135, abs=5e-5)


@pytest.mark.parametrize("distance", DISTANCES)
@given(table=TABLES)
def test_alpha_is_the_mean_of_the_raters_weighted_by_their_ratings(
    distance: str, table: list[list[Any]]
) -> None:
    columns = tidy(as_kind(table, distance))
    whole = alpha(*columns, distance=distance)
    found = agreement_with_others(*columns, distance=distance)
    if whole.value is None:
        assert all(one.value is None for one in found.values())
        return
    defined = [one for one in found.values() if one.value is not None]
    ratings = sum(one.n_ratings or 0 for one in defined)
    weighted = sum(float(one) * (one.n_ratings or 0) for one in defined) / ratings
    assert weighted == pytest.approx(whole.value, abs=1e-9)
    assert ratings == whole.n_ratings


@given(TABLES)
def test_agreement_with_others_equals_counting_pair_by_pair(table: list[list[Any]]) -> None:
    rows = [row for row in table if sum(cell is not None for cell in row) >= 2]
    every = [cell for row in rows for cell in row if cell is not None]
    if len(set(every)) < 2:
        return
    expected = fmean((a - b) ** 2 for a, b in itertools.permutations(every, 2))
    found = agreement_with_others(*tidy(table), distance="interval")
    for rater in range(4):
        own = [
            fmean(
                (row[rater] - other) ** 2
                for at, other in enumerate(row)
                if at != rater and other is not None
            )
            for row in rows
            if row[rater] is not None
        ]
        if own:
            assert found[rater].value == pytest.approx(1 - fmean(own) / expected, abs=1e-9)


@given(TABLES, st.permutations(range(4)), st.data())
def test_order_and_names_do_not_matter(
    table: list[list[Any]], columns: list[int], data: st.DataObject
) -> None:
    rows = data.draw(st.permutations(table))
    moved = [[row[at] for at in columns] for row in rows]
    before = agreement_with_others(*tidy(table), distance="ordinal")
    after = agreement_with_others(*tidy(moved), distance="ordinal")
    for place, rater in enumerate(columns):
        if rater in before:
            assert after[place].value == pytest.approx(before[rater].value, abs=1e-9)
            assert after[place].undefined == before[rater].undefined


def test_where_a_raters_agreement_is_undefined_it_says_why() -> None:
    table = [["x", "x", None, None], ["x", "y", None, None], [None, None, "x", None]]
    found = agreement_with_others(*tidy(table, keep_missing=True), distance="nominal")
    assert found[2].undefined == "no unit has two ratings"
    assert found[3].undefined == "no ratings"
    assert found[0].value is not None
    equal = agreement_with_others(*tidy([["x", "x"]]), distance="nominal")
    assert equal[0].undefined == "no variation: all ratings are equal"
    alone = agreement_with_others([1, 2], ["a", "a"], ["x", "y"], distance="nominal")
    assert alone["a"].undefined == "one rater only"
    assert agreement_with_others([], [], [], distance="nominal") == {}


def test_a_rater_who_shares_two_units_has_no_agreement_with_others() -> None:
    rows: Table = [["x", "x", "y"], ["y", "y", "y"], ["x", "y", None], ["y", "y", None]]
    found = agreement.agreement_with_others(*tidy(rows), distance="nominal")
    assert [found[rater].undefined for rater in range(3)] == [
        None,
        None,
        "fewer than 3 units with two ratings",
    ]
