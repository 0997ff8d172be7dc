import csv
import gzip
import json
import math
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import jaccard_distance, masi_distance

import agreement
from agreement import Bootstrap, Coded
from tests.agreement.tables import Table, alpha_of, tidy

# As the formulas give them, of one or two units as well.
alpha = partial(agreement.alpha, least=1)

A, B = frozenset({1}), frozenset({1, 2})
NUMERIC = ["nominal", "ordinal", "interval", "ratio"]
EVERY = [*NUMERIC, "jaccard", "masi"]


# By hand: alpha = 1 - (n - 1) S_o / S_e, both sums over ordered pairs.


@pytest.mark.parametrize(
    ("distance", "table", "expected"),
    [
        # n = 6, S_o = 2, S_e = 6^2 - 3^2 - 3^2 = 18: 1 - 5 * 2/18
        ("nominal", [["x", "x"], ["y", "y"], ["x", "y"]], 4 / 9),
        # The unit of three counts its pairs by 1 / (3 - 1): n = 5, S_o = 2 * 2 / 2, S_e = 25 - 13
        ("nominal", [["x", "x", "y"], ["y", "y", None]], 1 / 3),
        # n = 4, S_o = 2 * 1, S_e = 2 (2 * 1 + 2 * 4 + 1) = 22: 1 - 3 * 2/22
        ("interval", [[1, 1], [2, 3]], 8 / 11),
        # Mid-ranks 1, 2.5, 3.5: S_o = 2, S_e = 2 (2 * 2.25 + 2 * 6.25 + 1) = 36: 1 - 3 * 2/36
        ("ordinal", [[1, 1], [2, 3]], 5 / 6),
        # d = 1/9, 1/4, 1/25: S_o = 2/25, S_e = 2 (2/9 + 2/4 + 1/25) = 2 * 686/900
        ("ratio", [[1, 1], [2, 3]], 289 / 343),
        # d({1},{1,2}) = 1/2, to the empty set 1: S_o = 2, S_e = 2 (2/2 + 2 + 1): 1 - 3 * 2/8
        ("jaccard", [[A, A], [B, frozenset()]], 1 / 4),
        # d({1},{1,2}) = 2/3: S_o = 4/3, S_e = 2 (3 * 2/3 + 6 + 2) = 20: 1 - 5 * (4/3)/20
        ("masi", [[A, A], [B, A], [frozenset(), frozenset()]], 2 / 3),
    ],
)
def test_alpha_by_hand(distance: str, table: Table, expected: float) -> None:
    assert alpha_of(table, distance).value == pytest.approx(expected, abs=1e-15)


# Published tables.


@pytest.mark.parametrize(
    ("distance", "published"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_alpha_of_krippendorffs_example_has_the_published_digits(
    shared_data: Path, distance: str, published: float
) -> None:
    path = shared_data / "krippendorff-2011" / "reliability_data.csv"
    head, *rows = csv.reader(path.read_text(encoding="utf-8").splitlines())
    ratings = [
        (unit, row[0], int(code))
        for row in rows
        for unit, code in zip(head[1:], row[1:], strict=True)
        if code
    ]
    units, raters, values = zip(*ratings, strict=True)
    estimate = alpha(units, raters, values, distance=distance)
    assert estimate.value is not None
    assert round(estimate.value, 3) == published
    # u12 has one value only and is dropped: 41 ratings, 40 of them pairable.
    assert (estimate.n_units, estimate.n_raters, estimate.n_ratings) == (11, 4, 40)


def test_alpha_of_the_example_with_sets() -> None:
    table = [
        [{1}, {1}, {1, 2}],
        [{0}, {0, 3}, {-2}],
        [{2}, {2}, {2}],
        [{1, 4}, {4}, {1, 4}],
    ]
    estimate = alpha_of(table, "jaccard")
    assert estimate.value == pytest.approx(0.544479, abs=5e-7)
    assert (estimate.n_units, estimate.n_raters, estimate.n_ratings) == (4, 3, 12)


def test_nominal_alpha_of_the_votes_on_summary_sentences(shared_data: Path) -> None:
    path = shared_data / "qags-cnndm" / "mturk_cnndm.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        summaries = [json.loads(line) for line in lines]
    table = [
        [vote["response"] for vote in sentence["responses"]]
        for summary in summaries
        for sentence in summary["summary_sentences"]
    ]
    assert alpha_of(table, "nominal").value == pytest.approx(0.5135, abs=5e-5)


@pytest.mark.parametrize(
    ("criterion", "ordinal", "interval", "nominal"),
    [
        ("coherence", 0.475048, 0.553426, 0.273823),
        ("consistency", 0.406711, 0.492763, 0.106180),
        ("fluency", 0.009946, 0.133613, -0.079789),
        ("relevance", 0.312097, 0.386720, 0.099459),
    ],
)
def test_alpha_of_four_criteria_of_summaries(
    shared_data: Path, criterion: str, ordinal: float, interval: float, nominal: float
) -> None:
    path = shared_data / "dialsummeval-ratings" / "ratings_and_metrics.csv"
    with path.open(encoding="utf-8", newline="") as file:
        table = [
            [int(row[f"{criterion}_a{rater}"]) for rater in (1, 2, 3)]
            for row in csv.DictReader(file)
        ]
    assert alpha_of(table, "ordinal").value == pytest.approx(ordinal, abs=5e-7)
    assert alpha_of(table, "interval").value == pytest.approx(interval, abs=5e-7)
    assert alpha_of(table, "nominal").value == pytest.approx(nominal, abs=5e-7)


# Independent implementations, on random tables with missing ratings. Where ours is undefined
# theirs raise, return NaN, or (nltk) call the lack of variation a 1.


def tables_of(values: st.SearchStrategy[Any]) -> st.SearchStrategy[list[list[Any]]]:
    def of_width(width: int) -> st.SearchStrategy[list[list[Any]]]:
        cell = st.one_of(st.none(), values, values, values)
        return st.lists(st.lists(cell, min_size=width, max_size=width), min_size=1, max_size=9)

    return st.integers(2, 5).flatmap(of_width)


NUMBERS = st.one_of(st.integers(0, 5), st.sampled_from([0.5, 2.25, 33.3, 1e3]))
SETS = st.frozensets(st.integers(0, 4), max_size=3)


def reference(table: Table, level: str) -> float:
    """krippendorff's alpha, NaN where it has none."""
    data = np.array(
        [[math.nan if cell is None else cell for cell in row] for row in table], dtype=float
    ).T
    try:
        with np.errstate(all="ignore"):
            return float(krippendorff.alpha(data, level_of_measurement=level))  # type: ignore[arg-type]
    except ValueError:
        return math.nan


@pytest.mark.parametrize("distance", NUMERIC)
@given(table=tables_of(NUMBERS))
def test_alpha_over_numbers_equals_the_krippendorff_package(
    distance: str, table: list[list[Any]]
) -> None:
    ours, theirs = alpha_of(table, distance).value, reference(table, distance)
    if ours is None:
        assert math.isnan(theirs)
    else:
        assert ours == pytest.approx(theirs, abs=1e-12)


def with_empty_sets(distance: Callable[..., float]) -> Callable[..., float]:
    """nltk divides by zero between two empty sets; the definition says 0."""
    return lambda first, second: distance(first, second) if first | second else 0.0


@pytest.mark.parametrize(
    ("name", "theirs"), [("jaccard", jaccard_distance), ("masi", masi_distance)]
)
@given(table=tables_of(SETS))
def test_alpha_over_sets_equals_nltk(
    name: str, theirs: Callable[..., float], table: list[list[Any]]
) -> None:
    estimate = alpha_of(table, name)
    if estimate.value is None:
        return
    units, raters, values = tidy(table)
    task = AnnotationTask(zip(raters, units, values, strict=True), with_empty_sets(theirs))
    assert estimate.value == pytest.approx(task.alpha(), abs=1e-12)


@given(table=tables_of(SETS))
def test_alpha_over_sets_is_undefined_exactly_where_nominal_alpha_is(
    table: list[list[Any]],
) -> None:
    assert alpha_of(table, "jaccard").undefined == alpha_of(table, "nominal").undefined


def test_alpha_over_thousands_of_distinct_sets_equals_the_plain_double_sum() -> None:
    # More distinct sets than the distances of which are kept, so they are computed in pieces.
    rng = random.Random(5)
    pairs = [frozenset({a, b}) for a in range(70) for b in range(a)]
    table = [[one, rng.choice(pairs) if rng.random() < 0.5 else one] for one in pairs]
    values = [value for row in table for value in row]
    member = np.array([[element in value for element in range(70)] for value in values], float)
    shared = member @ member.T
    apart = 1 - shared / (4 - shared)  # two sets of two elements
    observed = 2 * apart[np.arange(0, len(values), 2), np.arange(1, len(values), 2)].sum()
    expected = 1 - (len(values) - 1) * observed / apart.sum()
    assert alpha_of(table, "jaccard").value == pytest.approx(expected, abs=1e-12)


# Laws.

TABLES = {"number": tables_of(NUMBERS), "set": tables_of(SETS)}


def some_table(data: st.DataObject, distance: str) -> list[list[Any]]:
    return data.draw(TABLES["set" if distance in ("jaccard", "masi") else "number"])


def same(first: float | None, second: float | None) -> bool:
    return first == second if first is None or second is None else abs(first - second) < 1e-12


@pytest.mark.parametrize("distance", EVERY)
@given(data=st.data())
def test_the_order_of_units_raters_and_rows_does_not_matter(
    distance: str, data: st.DataObject
) -> None:
    table = some_table(data, distance)
    before = alpha_of(table, distance)
    units, raters, values = tidy(table)
    order = data.draw(st.permutations(range(len(units))))
    after = alpha(
        [f"unit {-units[i]}" for i in order],
        [f"rater {-raters[i]}" for i in order],
        [values[i] for i in order],
        distance=distance,
    )
    assert same(before.value, after.value)
    assert (before.n_units, before.n_ratings) == (after.n_units, after.n_ratings)


@given(table=tables_of(st.integers(0, 4)))
def test_new_names_for_the_labels_do_not_matter(table: list[list[Any]]) -> None:
    renamed = [[None if cell is None else f"label {cell * 3 % 5}" for cell in row] for row in table]
    assert same(alpha_of(table, "nominal").value, alpha_of(renamed, "nominal").value)


@given(table=tables_of(SETS))
def test_new_names_for_the_elements_do_not_matter(table: list[list[Any]]) -> None:
    renamed = [
        [None if cell is None else [f"sentence {element}" for element in cell] for cell in row]
        for row in table
    ]
    for distance in ("jaccard", "masi"):
        assert same(alpha_of(table, distance).value, alpha_of(renamed, distance).value)


@given(table=tables_of(NUMBERS), shift=st.floats(-50, 50), scale=st.floats(0.01, 100))
def test_interval_alpha_is_blind_to_the_unit_of_measurement(
    table: list[list[Any]], shift: float, scale: float
) -> None:
    moved = [[None if cell is None else cell * scale + shift for cell in row] for row in table]
    before, after = alpha_of(table, "interval").value, alpha_of(moved, "interval").value
    # Moving rounds each number, relative to the spread of the table: up to 1e3 here.
    assert before is None or before == pytest.approx(after, abs=1e-9)


@given(table=tables_of(NUMBERS))
def test_ordinal_alpha_depends_on_the_order_of_the_numbers_only(table: list[list[Any]]) -> None:
    bent = [[None if cell is None else math.sqrt(cell) for cell in row] for row in table]
    assert same(alpha_of(table, "ordinal").value, alpha_of(bent, "ordinal").value)


@given(table=tables_of(SETS))
def test_sets_of_one_element_are_labels(table: list[list[Any]]) -> None:
    single = [[None if cell is None else frozenset({cell}) for cell in row] for row in table]
    assert same(alpha_of(single, "jaccard").value, alpha_of(table, "nominal").value)


@pytest.mark.parametrize("distance", EVERY)
@given(data=st.data())
def test_a_unit_with_one_rating_changes_nothing(distance: str, data: st.DataObject) -> None:
    table = some_table(data, distance)
    value = frozenset({99}) if distance in ("jaccard", "masi") else 99
    longer = [*table, [value, *[None] * (len(table[0]) - 1)]]
    before = alpha_of(table, distance)
    assert same(before.value, alpha_of(longer, distance).value)


def test_the_same_units_twice_move_alpha_only_by_the_correction_for_small_samples() -> None:
    table = [["x", "x"], ["y", "y"], ["x", "y"]]
    once, twice = alpha_of(table, "nominal").value, alpha_of(table * 2, "nominal").value
    assert once is not None
    # S_o doubles, S_e is four times as large, n - 1 goes from 5 to 11.
    assert twice == pytest.approx(1 - (1 - once) * 11 / 10)


def test_perfect_agreement_is_one() -> None:
    assert alpha_of([["x", "x"], ["y", "y"]], "nominal").value == 1
    assert alpha_of([[A, A], [B, B]], "masi").value == 1


# Missing, undefined, refused.


@pytest.mark.parametrize("distance", EVERY)
@pytest.mark.parametrize(
    ("ratings", "reason", "n"),
    [
        ([], "no ratings", (0, 0, 0)),
        ([(1, "a", 0), (2, "a", 1)], "one rater only", (2, 1, 2)),
        ([(1, "a", 0), (2, "b", 1)], "no unit has two ratings", (2, 2, 2)),
        (
            [(1, "a", 0), (1, "b", 0), (2, "b", 1)],
            "no variation: all ratings are equal",
            (1, 2, 2),
        ),
    ],
)
def test_alpha_is_undefined_with_a_reason_and_without_a_warning(
    distance: str, ratings: list[tuple[int, str, int]], reason: str, n: tuple[int, int, int]
) -> None:
    units, raters, values = ([rating[at] for rating in ratings] for at in range(3))
    given_values = [{value} for value in values] if distance in ("jaccard", "masi") else values
    estimate = alpha(
        units, raters, given_values, distance=distance, bootstrap=Bootstrap(resamples=50)
    )
    assert (estimate.value, estimate.undefined) == (None, reason)
    assert (estimate.n_units, estimate.n_raters, estimate.n_ratings) == n


def test_numbers_that_are_all_equal_do_not_vary_whatever_rounding_says() -> None:
    assert alpha_of([[0.1, 0.1, 0.1], [0.1, 0.1, 0.1]], "interval").undefined


@pytest.mark.parametrize("missing", [None, math.nan])
@pytest.mark.parametrize("distance", NUMERIC)
def test_none_and_nan_are_missing_ratings(distance: str, missing: object) -> None:
    table: list[list[Any]] = [[1, 1, missing], [2, 3, 3], [missing, missing, 7]]
    dropped = [[None if cell is missing else cell for cell in row] for row in table]
    units, raters, values = tidy(table, keep_missing=True)
    assert alpha(units, raters, values, distance=distance) == alpha_of(dropped, distance)


def test_a_missing_set_is_not_an_empty_set() -> None:
    units, raters = [1, 1, 2, 2, 3, 3], [1, 2, 1, 2, 1, 2]
    missing = alpha(units, raters, [A, A, B, A, A, None], distance="jaccard")
    empty = alpha(units, raters, [A, A, B, A, A, []], distance="jaccard")
    assert (missing.n_ratings, empty.n_ratings) == (4, 6)
    assert missing.value != empty.value


@pytest.mark.parametrize("distance", EVERY)
def test_values_that_come_encoded_give_the_same(distance: str) -> None:
    rng = np.random.default_rng(3)
    sets = distance in ("jaccard", "masi")
    # Domains in any order, with a repeated value and one that nobody gave.
    domain: list[object] = [3, 1, 2, 1, 9]
    if sets:
        domain = [{1}, {1, 2}, set(), [2, 1], {9}]
    codes = rng.integers(-1, 4, 60)
    units, raters = np.repeat(np.arange(20), 3), np.tile(["a", "b", "c"], 20)
    plain = [None if code < 0 else domain[code] for code in codes]
    encoded = alpha(units, raters, Coded(codes, domain), distance=distance)
    listed = alpha(units.tolist(), raters.tolist(), plain, distance=distance)
    assert same(encoded.value, listed.value)
    assert encoded.n_ratings == listed.n_ratings


def test_arrays_and_lists_give_the_same() -> None:
    table = [[1.5, 1.5, 2.0], [3.0, 2.0, 2.0]]
    units, raters, values = tidy(table)
    for distance in NUMERIC:
        arrays = alpha(np.array(units), np.array(raters), np.array(values), distance=distance)
        assert arrays == alpha_of(table, distance)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"distance": "cosine"}, "unknown distance 'cosine'"),
        ({"units": [1, 1, 2]}, "differ in length"),
        ({"clusters": [1]}, "differ in length"),
        ({"clusters": ["s", "t", "t", "t"]}, "unit 1 lies in two clusters"),
        ({"raters": ["a", "a", "a", "b"]}, "unit 1 has two ratings by rater 'a'"),
        ({"values": [1, 2, math.inf, 2], "distance": "interval"}, "infinite"),
        ({"values": [1, -2, 2, 2], "distance": "ratio"}, "from 0 upwards"),
        ({"values": Coded([0, 1, 2, 0], ["x", "y"])}, "codes must lie between"),
    ],
)
def test_wrong_input_is_refused_by_name(changed: dict[str, Any], message: str) -> None:
    right = {
        "units": [1, 1, 2, 2],
        "raters": ["a", "b", "a", "b"],
        "values": [1, 2, 2, 2],
        "distance": "nominal",
    }
    with pytest.raises(ValueError, match=message):
        alpha(**{**right, **changed})


def test_a_value_of_the_wrong_kind_is_refused() -> None:
    with pytest.raises(TypeError, match="'x' is not a number"):
        alpha_of([["x", "y"]], "interval")
    with pytest.raises(TypeError, match="3 is not a set"):
        alpha_of([[3, 4]], "jaccard")


@pytest.mark.parametrize("distance", ["nominal", "interval"])
def test_one_or_two_units_have_no_alpha_and_three_do(distance: str) -> None:
    """Of one unit it would be 0 whatever the ratings: 1 - (2 - 1) 2 d / (2 d)."""
    one, two, three = ([[1, 2], [3, 3], [1, 1]][:n] for n in (1, 2, 3))
    assert alpha_of(one, distance).value == pytest.approx(0)
    for table in (one, two):
        found = agreement.alpha(*tidy(table), distance=distance)
        assert (found.value, found.undefined) == (None, "fewer than 3 units with two ratings")
        assert found.n_units == len(table)
    assert agreement.alpha(*tidy(three), distance=distance).value is not None
