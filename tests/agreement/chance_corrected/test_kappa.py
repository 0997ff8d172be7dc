import gzip
import itertools
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask

import agreement
from agreement import WEIGHTS, Bootstrap, Coded
from tests.agreement.tables import Table, tidy

# As the formulas give them, of one or two units as well.
cohen_kappa = partial(agreement.cohen_kappa, least=1)

SCALE = [0, 1, 2, 3]
TABLES = st.lists(
    st.lists(st.one_of(st.none(), *[st.sampled_from(SCALE)] * 4), min_size=2, max_size=2),
    min_size=1,
    max_size=10,
)


def kappa_of(table: Table, **options: Any) -> float | None:
    return cohen_kappa(*tidy(table), **options).value


def square(counts: list[list[int]]) -> list[list[int]]:
    """A contingency table as one row per unit."""
    return [
        [i, j] for i, row in enumerate(counts) for j, count in enumerate(row) for _ in range(count)
    ]


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        # Units (a, a), (b, b), (c, a), (c, c) on a < b < c: first a 1/4, b 1/4, c 1/2; second
        # a 1/2, b 1/4, c 1/4. Equal by chance 2/16 + 1/16 + 2/16: 1 - (1/4) / (11/16)
        ("none", 7 / 11),
        # w = 1/2, 1: observed 1/4; expected (a: 1/2 * 1 + 1, b: 1/2 * 2 + 1/2 * 1, c: 2 * 2 + 2 *
        # 1/2) / 16 = 8/16: 1 - (1/4) / (8/16)
        ("linear", 1 / 2),
        # w = 1/4, 1: observed 1/4; expected (1/4 + 1 + 2/4 + 1/4 + 4 + 2/4) / 16 = 26/64
        ("quadratic", 1 - (1 / 4) / (26 / 64)),
    ],
)
def test_kappa_by_hand(weights: str, expected: float) -> None:
    table = [["a", "a"], ["b", "b"], ["c", "a"], ["c", "c"]]
    assert kappa_of(table, weights=weights, labels=["a", "b", "c"]) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("counts", "weights", "published"),
    [
        # Gwet (2014), two reviewers of 100 records; 223 patients by two methods of diagnosis.
        ([[13, 0, 0], [0, 20, 7], [0, 4, 56]], "none", 0.796),
        ([[13, 0, 0], [0, 20, 7], [0, 4, 56]], "linear", 0.843),
        ([[13, 0, 0], [0, 20, 7], [0, 4, 56]], "quadratic", 0.892),
        ([[40, 4, 4, 17], [6, 25, 2, 13], [4, 1, 21, 12], [15, 5, 9, 45]], "none", 0.432),
        ([[40, 4, 4, 17], [6, 25, 2, 13], [4, 1, 21, 12], [15, 5, 9, 45]], "linear", 0.407),
        ([[40, 4, 4, 17], [6, 25, 2, 13], [4, 1, 21, 12], [15, 5, 9, 45]], "quadratic", 0.383),
    ],
)
def test_kappa_of_two_contingency_tables_has_the_published_digits(
    counts: list[list[int]], weights: str, published: float
) -> None:
    value = kappa_of(square(counts), weights=weights, labels=range(len(counts)))
    assert value is not None
    assert round(value, 3) == published


@pytest.mark.parametrize(
    ("first", "second", "published", "n"),
    [
        ("gpt-4o", "llama-3.3-70b", 0.541, 1266),
        ("gpt-4o", "qwen3-235b", 0.573, 1266),
        ("gpt-4o", "gpt-oss-120b", 0.517, 1266),
        ("gpt-4o", "human-eval", 0.443, 1264),
        ("llama-3.3-70b", "qwen3-235b", 0.527, 1266),
        ("llama-3.3-70b", "gpt-oss-120b", 0.484, 1266),
        ("llama-3.3-70b", "human-eval", 0.404, 1264),
        ("qwen3-235b", "gpt-oss-120b", 0.509, 1266),
        ("qwen3-235b", "human-eval", 0.411, 1264),
        ("gpt-oss-120b", "human-eval", 0.416, 1264),
    ],
)
def test_kappa_of_importance_labels_has_the_published_digits(
    shared_data: Path, first: str, second: str, published: float, n: int
) -> None:
    columns = [importance_labels(shared_data, name) for name in (first, second)]
    estimate = cohen_kappa(
        *tidy(list(zip(*columns, strict=True))),
        weights="linear",
        labels=["vital", "okay", "less-important"],
    )
    assert estimate.value is not None
    assert round(estimate.value, 3) == published
    assert (estimate.n_units, estimate.n_raters, estimate.n_ratings) == (n, 2, 2 * n)


def importance_labels(shared_data: Path, system: str) -> list[str | None]:
    path = shared_data / "vitalerrors-nq" / f"{system}_normal.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [
            claim["importance"]
            for line in lines
            for sentence in json.loads(line)["decomposition"]
            for claim in sentence["decomp"]
        ]


@given(TABLES, st.sampled_from(list(WEIGHTS)))
def test_kappa_equals_nltk(table: list[list[Any]], weights: str) -> None:
    ours = kappa_of(table, weights=weights, labels=SCALE)
    both = [row for row in table if None not in row]
    if ours is None:
        assert len({cell for row in both for cell in row}) <= 1
        return
    power = {"none": 0, "linear": 1, "quadratic": 2}[weights]
    data = [(rater, unit, row[rater]) for unit, row in enumerate(both) for rater in (0, 1)]
    task = AnnotationTask(data, distance=lambda a, b: (a != b) * (abs(a - b) / 3) ** power)
    assert ours == pytest.approx(task.weighted_kappa_pairwise(0, 1), abs=1e-12)


@given(TABLES, st.sampled_from(list(WEIGHTS)), st.data())
def test_the_order_of_units_raters_and_scale_does_not_matter(
    table: list[list[Any]], weights: str, data: st.DataObject
) -> None:
    rows = data.draw(st.permutations(table))
    renamed = [[None if cell is None else f"label {cell}" for cell in row[::-1]] for row in rows]
    after = kappa_of(renamed, weights=weights, labels=[f"label {one}" for one in SCALE[::-1]])
    assert after == pytest.approx(kappa_of(table, weights=weights, labels=SCALE), abs=1e-12)


@given(TABLES)
def test_two_labels_make_all_weights_alike(table: list[list[Any]]) -> None:
    halves = [[None if cell is None else cell // 2 for cell in row] for row in table]
    values = [kappa_of(halves, weights=weights, labels=[0, 1]) for weights in WEIGHTS]
    assert values[0] == pytest.approx(values[1], abs=1e-12)
    assert values[0] == pytest.approx(values[2], abs=1e-12)


def test_a_label_that_nobody_used_matters_to_weights_only() -> None:
    table = [["a", "a"], ["b", "b"], ["a", "b"], ["b", "c"]]
    plain = kappa_of(table)
    assert plain == kappa_of(table, labels=["a", "never", "b", "c"])
    linear = [kappa_of(table, weights="linear", labels=one) for one in (list("abc"), list("axbc"))]
    assert linear[0] != pytest.approx(linear[1])


def test_where_kappa_is_undefined_it_says_why() -> None:
    assert cohen_kappa([], [], []).undefined == "no ratings"
    assert cohen_kappa([1, 2], ["a", "a"], ["x", "y"]).undefined == "one rater only"
    assert cohen_kappa([1, 2], ["a", "b"], ["x", "y"]).undefined == "no unit has two ratings"
    constant = cohen_kappa(*tidy([["x", "x"], ["x", "x"]]), bootstrap=Bootstrap(resamples=10))
    assert constant.undefined == "no variation: all ratings are equal"
    assert (constant.n_units, constant.low) == (2, None)


def test_a_constant_rater_agrees_as_by_chance() -> None:
    assert kappa_of([["x", "x"], ["x", "y"]]) == 0
    assert kappa_of([["x", "y"], ["x", "y"]]) == 0


def test_kappa_refuses_three_raters_and_a_scale_that_does_not_fit() -> None:
    with pytest.raises(ValueError, match="two raters, not 3"):
        kappa_of([["x", "y", "x"]])
    with pytest.raises(ValueError, match="labels in their order"):
        kappa_of([["x", "y"]], weights="linear")
    with pytest.raises(ValueError, match="'y' is not among the labels"):
        kappa_of([["x", "y"]], labels=["x"])
    with pytest.raises(ValueError, match="name one twice"):
        kappa_of([["x", "y"]], labels=["x", "y", "x"])
    with pytest.raises(ValueError, match="one of none, linear, quadratic"):
        kappa_of([["x", "y"]], weights="cubic", labels=["x", "y"])


@pytest.mark.parametrize("weights", WEIGHTS)
def test_resampled_kappas_are_those_of_resampled_tables(weights: str) -> None:
    # Two clusters drawn twice: one of them twice, or the table itself.
    one, two = [[0, 0], [1, 2], [3, 3]], [[2, 2], [2, 1], [0, 3]]
    clusters = [0] * 6 + [1] * 6
    options: dict[str, Any] = {"weights": weights, "labels": SCALE}
    estimate = cohen_kappa(
        *tidy(one + two),
        clusters=clusters,
        bootstrap=Bootstrap(resamples=300, confidence=0.98),
        **options,
    )
    tables = [one + one, one + two, two + two]
    possible = [float(cohen_kappa(*tidy(table), **options)) for table in tables]
    assert [estimate.low, estimate.high] == pytest.approx([min(possible), max(possible)])


def test_encoded_values_give_the_same_kappa() -> None:
    table = [["b", "b"], ["a", "b"], ["a", "a"]]
    units, raters, values = tidy(table)
    coded = Coded([["a", "b"].index(value) for value in values], ["a", "b"])
    assert cohen_kappa(units, raters, coded).value == kappa_of(table)


def test_kappa_of_many_labels_needs_no_table_of_all_pairs() -> None:
    # 50,000 labels: a table of all pairs would take 20 GB.
    first = list(range(50_000))
    table = [list(pair) for pair in itertools.zip_longest(first, [0, *first[1:-1], 7])]
    assert kappa_of(table) == pytest.approx(1, abs=1e-4)


def test_one_or_two_units_have_no_kappa() -> None:
    rows = [["x", "x"], ["y", "y"], ["x", "y"]]
    few = "fewer than 3 units with two ratings"
    for kappa in (agreement.cohen_kappa, agreement.fleiss_kappa, agreement.gwet_ac):
        assert [kappa(*tidy(rows[:n])).undefined for n in (1, 2, 3)] == [few, few, None]
    # A unit with one rating does not help.
    single: Table = [*rows[:2], ["x", None]]
    assert agreement.fleiss_kappa(*tidy(single)).undefined == few
