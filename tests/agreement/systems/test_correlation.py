import csv
import gzip
import itertools
import json
import math
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from agreement import CORRELATIONS, LEVELS, Bootstrap, correlation, mean_by, order_tau
from agreement.systems.coefficients import CORRELATIONS as COEFFICIENTS

METHODS = list(CORRELATIONS)
NUMBERS = st.one_of(st.integers(0, 4), st.sampled_from([0.5, -3.25, 1e3]))
PAIRS = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=14)


def of(pairs: list[Any], method: str, **options: Any) -> float | None:
    first, second = zip(*pairs, strict=True)
    return correlation(first, second, method=method, **options).value


# By hand.


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        # Deviations -2, -1, 3 and -1, 1, 0: 1 / sqrt(14 * 2)
        ("pearson", 1 / math.sqrt(28)),
        # Ranks 1, 2, 3 and 1, 3, 2: deviations -1, 0, 1 and -1, 1, 0: 1 / sqrt(2 * 2)
        ("spearman", 1 / 2),
        # Two pairs in order, one out of order: (2 - 1) / 3
        ("kendall_tau_b", 1 / 3),
    ],
)
def test_a_correlation_by_hand(method: str, expected: float) -> None:
    assert of([(1, 3), (2, 5), (6, 4)], method) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        # Ranks 3/2, 3/2, 3, 4 and 1, 3, 3, 3: deviations -1, -1, 1/2, 3/2 and -3/2, 1/2, 1/2, 1/2:
        # 3/2 - 1/2 + 1/4 + 3/4 over sqrt(9/2 * 3)
        ("spearman", 2 / math.sqrt(27 / 2)),
        # In order: 1-3, 1-4. Tied on one side only: 1-2, 2-3, 2-4, 3-4. 2 / sqrt(5 * 3)
        ("kendall_tau_b", 2 / math.sqrt(15)),
    ],
)
def test_a_correlation_with_ties_by_hand(method: str, expected: float) -> None:
    assert of([(1, 0), (1, 7), (2, 7), (3, 7)], method) == pytest.approx(expected)


def test_levels_by_hand() -> None:
    # Source p: 1, source q: -1 over systems a, b, c; source r is constant and skipped.
    # Means of a, b, c: (1 + 3 + 2) / 3 = 2, 2, 2 + 1/3 ... against 4, 5, 6.
    first = [1, 2, 3, 3, 2, 1, 2, 2, 3]
    second = [1, 2, 3, 1, 2, 3, 10, 10, 10]
    sources, systems = list("pppqqqrrr"), list("abcabcabc")
    summary = correlation(first, second, level="summary", sources=sources)
    assert (summary.value, summary.sd, summary.sd_ddof) == (0, 1, 0)
    assert (summary.n_units, summary.n_ratings) == (2, 6)
    system = correlation(first, second, level="system", systems=systems)
    # Deviations -1/9, -1/9, 2/9 and -1, 0, 1: (1/3) / sqrt(6/81 * 2)
    assert system.value == pytest.approx((1 / 3) / math.sqrt(12 / 81))
    assert (system.n_units, system.n_ratings) == (3, 9)


# Published tables.


@pytest.mark.parametrize(
    ("criterion", "published"),
    [
        ("naturalness", [0.367252, 0.333399, 0.247094]),
        ("informativeness", [0.282079, 0.224918, 0.169297]),
        ("overall", [0.370815, 0.291593, 0.214708]),
    ],
)
def test_correlations_of_data_to_text_scores_have_the_published_digits(
    shared_data: Path, criterion: str, published: list[float]
) -> None:
    with gzip.open(shared_data / "unieval-sfres" / "sfres_result.json.gz", "rt") as file:
        records = json.load(file)
    pairs = [(one["scores"][criterion], one["predict_scores"][criterion]) for one in records]
    assert [of(pairs, method) for method in METHODS] == pytest.approx(published, abs=5e-7)


def test_correlations_of_factuality_scores_have_the_published_digits(shared_data: Path) -> None:
    folder = shared_data / "qags-cnndm"
    with gzip.open(folder / "mturk_cnndm.jsonl.gz", "rt", encoding="utf-8") as lines:
        votes = [
            [[vote["response"] == "yes" for vote in sentence["responses"]] for sentence in summary]
            for summary in (json.loads(line)["summary_sentences"] for line in lines)
        ]
    with gzip.open(folder / "unieval_qags_cnndm_result.json.gz", "rt", encoding="utf-8") as file:
        predicted = [one["predict_scores"]["consistency"] for one in json.load(file)]
    majority = [fmean(sum(three) >= 2 for three in summary) for summary in votes]
    # Sentence by sentence in floats, as the figures of the means were made: rounding breaks ties.
    mean = [sum(sum(three) / 3 for three in summary) / len(summary) for summary in votes]
    for human, published in (
        (majority, [0.681681, 0.662255, 0.531636]),
        (mean, [0.705793, 0.691396, 0.529562]),
    ):
        pairs = list(zip(human, predicted, strict=True))
        assert [of(pairs, method) for method in METHODS] == pytest.approx(published, abs=5e-7)


@pytest.mark.parametrize(
    ("metric", "criterion", "level", "published"),
    [
        ("bartscore_s_h", "consistency", "sample", [0.465649, 0.393474, 0.289294]),
        ("bartscore_s_h", "consistency", "summary", [0.471827, 0.373314, 0.294255]),
        ("bartscore_s_h", "consistency", "system", [0.636426, 0.6, 0.538462]),
        ("bartscore_s_h", "relevance", "sample", [0.470198, 0.384952, 0.281774]),
        ("bartscore_s_h", "relevance", "summary", [0.474549, 0.368044, 0.292661]),
        ("bartscore_s_h", "relevance", "system", [0.633071, 0.582418, 0.516484]),
        ("rouge_l", "coherence", "sample", [0.329514, 0.32809, 0.246386]),
        ("rouge_l", "coherence", "summary", [0.279752, 0.230371, 0.186733]),
        ("rouge_l", "coherence", "system", [0.493697, 0.362637, 0.274725]),
        ("rouge_l", "fluency", "sample", [0.247757, 0.285161, 0.214359]),
        ("rouge_l", "fluency", "summary", [0.273659, 0.305428, 0.241765]),
        ("rouge_l", "fluency", "system", [0.488809, 0.723077, 0.494505]),
    ],
)
def test_correlations_of_summaries_at_three_levels(
    shared_data: Path, metric: str, criterion: str, level: str, published: list[float]
) -> None:
    # The published figures rest on system means as numpy computes them.
    given_ids, pairs = summaries(shared_data, metric, criterion)
    ours = [of(pairs, one, level=level, tie_tolerance=0, **given_ids) for one in METHODS]
    assert ours == pytest.approx(published, abs=5e-7)


def test_systems_whose_means_differ_by_rounding_only_are_tied(shared_data: Path) -> None:
    # Two systems have a mean fluency of 1338 / 300, which floats reach as two numbers.
    given_ids, pairs = summaries(shared_data, "rouge_l", "fluency")
    ours = [of(pairs, one, level="system", **given_ids) for one in METHODS]
    assert ours == pytest.approx([0.488809, 0.712872, 0.486195], abs=5e-7)


def summaries(
    shared_data: Path, metric: str, criterion: str
) -> tuple[dict[str, list[str]], list[tuple[float, float]]]:
    path = shared_data / "dialsummeval-ratings" / "ratings_and_metrics.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    pairs = [
        (float(row[metric]), fmean(int(row[f"{criterion}_a{rater}"]) for rater in (1, 2, 3)))
        for row in rows
    ]
    ids = {"sources": "doc_id", "systems": "system_id"}
    return {name: [row[column] for row in rows] for name, column in ids.items()}, pairs


def test_spearman_of_published_mean_ranks_has_the_published_digits(shared_data: Path) -> None:
    folder = shared_data / "reprohum-0087-01"
    with (folder / "mar_table5.csv").open(encoding="utf-8", newline="") as file:
        ranks = {
            row["study"]: [float(row[one]) for one in ("just", "explain_extr", "explain_mt")]
            for row in csv.DictReader(file)
            if row["annotator"] == "all"
        }
    path = folder / "cvstar_table2_spearman_table3.csv"
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            rho = correlation(ranks[row["a"]], ranks[row["b"]], method="spearman")
            assert rho.value == pytest.approx(float(row["spearman_rho"]), abs=1e-12)


@pytest.mark.parametrize(
    ("first", "second", "mean", "sd"),
    [
        ("gpt-4o", "llama-3.3-70b", 0.625, 0.213),
        ("gpt-4o", "qwen3-235b", 0.639, 0.250),
        ("gpt-4o", "gpt-oss-120b", 0.604, 0.200),
        ("gpt-4o", "human-eval", 0.569, 0.202),
        ("llama-3.3-70b", "qwen3-235b", 0.641, 0.222),
        ("llama-3.3-70b", "gpt-oss-120b", 0.681, 0.174),
        ("llama-3.3-70b", "human-eval", 0.556, 0.186),
        ("qwen3-235b", "gpt-oss-120b", 0.642, 0.224),
        ("qwen3-235b", "human-eval", 0.554, 0.241),
        ("gpt-oss-120b", "human-eval", 0.556, 0.228),
    ],
)
def test_tau_between_orders_of_importance_has_the_published_digits(
    shared_data: Path, first: str, second: str, mean: float, sd: float
) -> None:
    orders = [importance_orders(shared_data, name) for name in (first, second)]
    estimate = mean_by([order_tau(*pair).value for pair in zip(*orders, strict=True)])
    assert estimate.value is not None
    assert estimate.sd is not None
    assert (round(estimate.value, 3), round(estimate.sd, 3)) == (mean, sd)
    assert estimate.n_units == 50


def importance_orders(shared_data: Path, system: str) -> list[list[str]]:
    path = shared_data / "vitalerrors-nq" / f"{system}_normal.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["subclaim-importance-order"] for line in lines]


# Independent implementations.


def plain(pairs: list[tuple[float, float]], method: str) -> float | None:
    """By the definition: every pair of pairs, every rank counted out."""
    x, y = (list(side) for side in zip(*pairs, strict=True))
    if len(pairs) < 3:  # two lie on a line
        return None
    if len(set(x)) < 2 or len(set(y)) < 2:
        return None
    if method == "kendall_tau_b":
        signs = [
            (np.sign(a[0] - b[0]), np.sign(a[1] - b[1]))
            for a, b in itertools.combinations(pairs, 2)
        ]
        untied = [sum(s[side] != 0 for s in signs) for side in (0, 1)]
        return float(sum(a * b for a, b in signs) / math.sqrt(untied[0] * untied[1]))
    if method == "spearman":
        x, y = ([sum(b < a for b in s) + sum(b == a for b in s) / 2 for a in s] for s in (x, y))
    dx, dy = ([value - fmean(side) for value in side] for side in (x, y))
    together = math.fsum(a * b for a, b in zip(dx, dy, strict=True))
    return together / math.sqrt(math.fsum(a * a for a in dx) * math.fsum(b * b for b in dy))


@given(PAIRS, st.sampled_from(METHODS))
def test_a_correlation_equals_its_definition(pairs: list[Any], method: str) -> None:
    expected = plain(pairs, method)
    assert of(pairs, method) == (None if expected is None else pytest.approx(expected, abs=1e-9))
    each = list(range(len(pairs)))  # as many systems as pairs: their means are the numbers
    by_system = of(pairs, method, level="system", systems=each)
    assert by_system == (None if expected is None else pytest.approx(expected, abs=1e-9))


def test_correlations_of_long_columns_equal_scipy() -> None:
    rng = np.random.default_rng(0)
    for values in (7, 300, 10**6):
        x = rng.integers(0, values, 2000).astype(float)
        y = np.round(x + rng.normal(scale=values, size=2000))
        theirs = [stats.pearsonr(x, y), stats.spearmanr(x, y), stats.kendalltau(x, y)]
        ours = [correlation(x, y, method=method).value for method in METHODS]
        assert ours == pytest.approx([one[0] for one in theirs], abs=1e-12)
        fisher = correlation(x, y, fisher=0.95)
        assert (fisher.low, fisher.high) == pytest.approx(theirs[0].confidence_interval(0.95))


@given(
    st.lists(st.tuples(NUMBERS, NUMBERS, st.integers(0, 3)), min_size=1, max_size=10),
    st.sampled_from(METHODS),
)
def test_a_weighted_table_has_the_correlation_of_the_repeated_pairs(
    weighted: list[tuple[float, float, int]], method: str
) -> None:
    # What a resample of clusters does: every pair is its own cluster, drawn so many times.
    repeated = [(x, y) for x, y, weight in weighted for _ in range(weight)]
    assume(len(repeated) > 2)  # two lie on a line
    x, y, weights = (np.array(side, dtype=float) for side in zip(*weighted, strict=True))
    table = COEFFICIENTS[method].pool(x, y, np.arange(len(x)))
    totals = weights @ table.contributions.dense(np.arange(len(x)))
    ours, expected = float(table.coefficient(totals[None, :])[0]), plain(repeated, method)
    assert math.isnan(ours) if expected is None else ours == pytest.approx(expected, abs=1e-9)


# Laws.


@given(PAIRS, st.sampled_from(METHODS), st.data())
def test_order_and_sides_do_not_matter_and_a_turned_scale_turns_the_sign(
    pairs: list[Any], method: str, data: st.DataObject
) -> None:
    value = of(pairs, method)
    moved = data.draw(st.permutations(pairs))
    assert of([(y, x) for x, y in moved], method) == pytest.approx(value, abs=1e-9)
    turned = of([(-2 * x + 1, y) for x, y in moved], method)
    assert turned == (None if value is None else pytest.approx(-value, abs=1e-9))
    assert value is None or -1 <= value <= 1


@given(PAIRS, st.sampled_from(["spearman", "kendall_tau_b"]))
def test_ranks_do_not_care_for_distances(pairs: list[Any], method: str) -> None:
    assert of([(x**3, y) for x, y in pairs], method) == pytest.approx(of(pairs, method), abs=1e-12)


@given(PAIRS, st.sampled_from(METHODS))
def test_one_source_makes_summary_level_the_sample_level(pairs: list[Any], method: str) -> None:
    summary = of(pairs, method, level="summary", sources=["s"] * len(pairs))
    assert summary == pytest.approx(of(pairs, method), abs=1e-12)


@given(st.permutations(range(7)), st.permutations(range(7)))
def test_tau_of_orders_counts_the_pairs_in_the_same_order(
    first: list[int], second: list[int]
) -> None:
    same = sum(
        (first.index(a) < first.index(b)) == (second.index(a) < second.index(b))
        for a, b in itertools.combinations(range(7), 2)
    )
    assert order_tau(first, second).value == pytest.approx(2 * same / 21 - 1)


# What is undefined, missing, refused.


@pytest.mark.parametrize("method", METHODS)
def test_a_constant_side_is_undefined_at_every_level(method: str) -> None:
    ids: dict[str, Any] = {"sources": list("pqpqpq"), "systems": list("aabbcc")}
    ids["bootstrap"] = Bootstrap(resamples=10)
    first, second = [0.1] * 6, [1, 2, 3, 4, 5, 6]
    undefined = {
        level: correlation(first, second, method=method, level=level, **ids).undefined
        for level in LEVELS
    }
    constant = "no variation: one side always has the same value"
    assert undefined == {
        "sample": constant,
        "summary": "no source in which both sides vary",
        "system": constant,
    }


@pytest.mark.parametrize("level", LEVELS)
def test_pairs_with_a_missing_number_drop_out(level: str) -> None:
    ids: dict[str, Any] = {"sources": list("pppp"), "systems": list("abcd"), "level": level}
    estimate = correlation([1, 2, None, 3], [2, 1, 7, 3], **ids)
    assert estimate.value == pytest.approx(1 / 2)
    assert estimate.n_ratings == 3
    nothing = correlation([None, math.nan, 1, 2], [1, 2, None, None], **ids)
    assert (nothing.undefined, nothing.n_ratings) == ("no pair has both numbers", 0)


@pytest.mark.parametrize("method", METHODS)
def test_two_points_have_no_correlation_since_they_always_lie_on_a_line(method: str) -> None:
    """Two systems on three sources, then on a fourth a third one; two items a source likewise."""
    sources, systems = list("ppqqrrs"), list("abababc")
    first, second = [1, 2, 3, 4, 2, 7, 9], [3, 2, 4, 1, 2, 1, 1]
    ids: dict[str, Any] = {"method": method, "sources": sources, "systems": systems}
    two: dict[str, Any] = {"method": method, "sources": sources[:6], "systems": systems[:6]}

    few = correlation(first[:6], second[:6], level="system", **two)
    assert (few.undefined, few.n_units) == ("fewer than three systems", 2)
    assert correlation(first, second, level="system", **ids).n_units == 3
    for summary in (
        correlation(first[:6], second[:6], level="summary", **two),
        correlation(first, second, level="summary", **ids),
    ):
        assert (summary.undefined, summary.n_units) == ("no source with three items", 3)
    assert correlation([1, 2], [2, 1], method=method).undefined == "fewer than three pairs"
    assert correlation([1, 2], [2, 1], method=method, least=2).value == -1  # where asked for
    with pytest.raises(ValueError, match="least is 2 or more"):
        correlation([1, 2], [2, 1], method=method, least=1)


def test_a_source_with_two_items_counts_beside_one_with_three() -> None:
    """-1 and 1 by hand."""
    mixed = correlation([1, 2, 1, 2, 3], [2, 1, 1, 2, 3], level="summary", sources=list("ppqqq"))
    assert (mixed.value, mixed.n_units, mixed.n_ratings) == (0, 2, 5)


def test_one_pair_and_empty_columns_are_undefined() -> None:
    assert correlation([1], [2]).undefined == "fewer than three pairs"
    assert correlation([], []).undefined == "no pair has both numbers"


def test_short_orders_are_undefined_and_double_entries_refused() -> None:
    estimate = order_tau(["a", "b"], ["b", "c"])
    assert (estimate.undefined, estimate.n_units) == ("fewer than two things in both orders", 1)
    assert order_tau(["a", "x", "b"], ["b", "a"]).value == -1
    with pytest.raises(ValueError, match="lists a thing twice"):
        order_tau(["a", "b", "a"], ["a", "b"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "cosine"}, "one of pearson, spearman, kendall_tau_b"),
        ({"level": "topic"}, "one of sample, summary, system"),
        ({"level": "summary"}, "needs sources"),
        ({"level": "system"}, "needs systems"),
        ({"method": "spearman", "fisher": 0.95}, "Pearson at sample level"),
        ({"fisher": 0.95, "bootstrap": Bootstrap()}, "either Fisher's or from a bootstrap"),
        ({"fisher": 1.0}, "between 0 and 1"),
        ({"sources": ["a"]}, "differ in length"),
        ({"level": "summary", "sources": ["a", "a"], "clusters": [1, 2]}, "two clusters"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        correlation([1, 2], [1, 2], **options)


# Intervals.


def test_fishers_interval_by_hand() -> None:
    # r = 1/2 of 28 pairs: atanh(1/2) = ln(3) / 2, half width 1.959964 / sqrt(25).
    x = [-1.0, 1.0] * 14
    y = [-0.5 + math.sqrt(3) / 2 * s for s in (-1, 1)] + [
        0.5 + math.sqrt(3) / 2 * s for s in (-1, 1)
    ]
    estimate = correlation(np.repeat([-1, 1], 14), y[:2] * 7 + y[2:] * 7, fisher=0.95)
    assert len(x) == estimate.n_ratings == 28
    assert estimate.value == pytest.approx(1 / 2)
    half = 1.959964 / 5
    assert estimate.low == pytest.approx(math.tanh(math.log(3) / 2 - half), abs=1e-6)
    assert estimate.high == pytest.approx(math.tanh(math.log(3) / 2 + half), abs=1e-6)
    assert estimate.interval_method == "Fisher z, 28 pairs"


def test_fishers_interval_does_not_exist_for_few_pairs_or_a_line() -> None:
    few = correlation([1, 2, 3], [1, 3, 2], fisher=0.95)
    assert (few.low, few.interval_method) == (
        None,
        "Fisher z, 3 pairs; none: fewer than four pairs",
    )
    line = correlation([1, 2, 3, 4], [2, 4, 6, 8], fisher=0.95)
    assert (line.value, line.low) == (1, None)


@pytest.mark.parametrize(
    ("method", "level"),
    [
        ("kendall_tau_b", "sample"),
        ("spearman", "sample"),
        ("pearson", "summary"),
        ("pearson", "system"),
        ("kendall_tau_b", "system"),
    ],
)
def test_the_interval_is_that_of_a_plain_loop_over_resampled_sources(
    method: str, level: str
) -> None:
    rng = np.random.default_rng(5)
    quality = np.tile(np.linspace(0, 1, 6), 25)
    first = np.round(3 * (quality + rng.normal(size=150)))
    second = np.round(3 * (quality + rng.normal(size=150)))
    sources, systems = np.repeat(np.arange(25), 6), np.tile(np.arange(6), 25)
    options: dict[str, Any] = {"method": method, "level": level}
    estimate = correlation(
        first,
        second,
        sources=sources,
        systems=systems,
        bootstrap=Bootstrap(resamples=2000, seed=1),
        **options,
    )
    resampled = []
    for _ in range(160):
        drawn = rng.integers(0, 25, 25)
        rows = (drawn[:, None] * 6 + np.arange(6)).ravel()
        again = correlation(
            first[rows], second[rows], sources=sources, systems=systems[rows], **options
        )
        resampled.append(float(again))
    low, high = np.quantile(resampled, [0.025, 0.975])
    # The standard error of a 2.5 % quantile of 160 draws is 0.21 standard deviations: four.
    assert estimate.low == pytest.approx(low, abs=0.84 * float(np.std(resampled)))
    assert estimate.high == pytest.approx(high, abs=0.84 * float(np.std(resampled)))


def test_a_resample_without_a_system_is_undefined_and_counted() -> None:
    # p alone has system c: a quarter of the resamples draw only q and miss it.
    estimate = correlation(
        [1, 2, 4, 2, 3],
        [1, 3, 4, 2, 5],
        level="system",
        sources=list("pppqq"),
        systems=list("abcab"),
        bootstrap=Bootstrap(resamples=400),
    )
    assert estimate.interval_method is not None
    undefined = int(estimate.interval_method.split(", ")[-1].removesuffix(" undefined"))
    assert 65 < undefined < 135  # 100 expected, standard deviation 8.7


def test_about_95_of_100_intervals_cover_the_true_correlation() -> None:
    rng = np.random.default_rng(3)
    covered: dict[str, int] = defaultdict(int)
    for seed in range(200):
        x = rng.normal(size=60)
        y = 0.6 * x + 0.8 * rng.normal(size=60)  # correlation 0.6
        bootstrap = correlation(x, y, bootstrap=Bootstrap(resamples=300, seed=seed))
        for name, one in (
            ("bootstrap", bootstrap),
            ("fisher", correlation(x, y, fisher=0.95)),
        ):
            assert one.low is not None
            assert one.high is not None
            covered[name] += one.low <= 0.6 <= one.high
    # 190 expected, standard deviation 3.1; the bootstrap of 60 pairs runs a little short.
    assert 180 <= covered["fisher"] <= 198
    assert 174 <= covered["bootstrap"] <= 198
