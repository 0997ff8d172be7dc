import gzip
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from agreement import AlternativeAnnotatorTest, Bootstrap, alternative_annotator_test

# What the authors' notebook prints: winning rate and advantage probability.
PUBLISHED = {
    ("wax", "nominal", 0.1): [
        ("gemini_flash", "0.38 0.69"),
        ("gemini_pro", "0.50 0.74"),
        ("gpt-4o", "0.50 0.73"),
        ("llama-31", "0.00 0.57"),
        ("gpt-4o-mini", "0.00 0.59"),
        ("mistral-v03", "0.00 0.50"),
    ],
    ("lgbteen", "nominal", 0.2): [
        ("gemini_flash", "0.25 0.71"),
        ("gemini_pro", "0.00 0.67"),
        ("gpt-4o", "0.75 0.77"),
        ("llama-31", "0.00 0.72"),
        ("gpt-4o-mini", "0.75 0.76"),
        ("mistral-v03", "0.25 0.75"),
    ],
    ("10k_prompts", "interval", 0.15): [
        ("gemini_flash", "0.31 0.67"),
        ("gemini_pro", "0.08 0.63"),
        ("gpt-4o", "0.69 0.76"),
        ("llama-31", "0.15 0.67"),
        ("gpt-4o-mini", "0.92 0.80"),
        ("mistral-v03", "0.15 0.67"),
    ],
    ("cebab_stars", "interval", 0.1): [
        ("gemini_flash", "0.60 0.82"),
        ("gemini_pro", "0.80 0.87"),
        ("gpt-4o", "0.90 0.90"),
        ("llama-31", "0.60 0.85"),
        ("gpt-4o-mini", "0.90 0.89"),
        ("mistral-v03", "0.50 0.83"),
    ],
}


def run(
    people: dict[str, dict[Any, Any]], judge: dict[Any, Any], **options: Any
) -> AlternativeAnnotatorTest:
    rows = [(unit, name, value) for name, own in people.items() for unit, value in own.items()]
    rows += [(unit, "judge", value) for unit, value in judge.items()]
    units, raters, values = (list(column) for column in zip(*rows, strict=True))
    chosen: dict[str, Any] = {"distance": "nominal", "epsilon": 0.1, "judge": "judge", **options}
    return alternative_annotator_test(units, raters, values, **chosen)


def group(n: int = 40, seed: int = 0) -> tuple[dict[str, dict[Any, Any]], dict[Any, Any]]:
    """Three people and a judge who give the unit's label with probability 0.8."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    table = np.where(rng.random((4, n)) < 0.8, truth, rng.integers(0, 3, (4, n)))
    people = {name: dict(enumerate(row.tolist())) for name, row in zip("abc", table, strict=False)}
    return people, dict(enumerate(table[3].tolist()))


def test_one_person_by_hand() -> None:
    # "a" and the judge against "b" and "c", who agree on x. Of 40 units the judge says x on 30,
    # "a" on 20 of those: the judge wins or ties on 30 + 10 = 40 ("y" ties with "y"), "a" on
    # 20 + 10 = 30. Differences: -1 on 10 units, 0 on 30: mean -1/4, sd sqrt(40/39 * 3/16).
    judge = {unit: "x" if unit < 30 else "y" for unit in range(40)}
    people = {
        "a": {unit: "x" if unit < 20 else "y" for unit in range(40)},
        "b": dict.fromkeys(range(40), "x"),
        "c": dict.fromkeys(range(40), "x"),
    }
    one = run(people, judge).annotators["a"]
    assert (one.n_units, one.judge_wins, one.annotator_wins) == (40, 1, 0.75)
    t = (-1 / 4 - 0.1) / math.sqrt(40 / 39 * 3 / 16 / 40)
    assert one.p_value == pytest.approx(stats.t.cdf(t, 39), abs=1e-12)
    assert one.replaceable


@pytest.mark.parametrize("data", PUBLISHED, ids=lambda data: data[0])
def test_winning_rate_and_advantage_have_the_published_digits(
    shared_data: Path, data: tuple[str, str, float]
) -> None:
    name, distance, epsilon = data
    people, judges = (
        json.loads(
            gzip.decompress((shared_data / "alt-test" / f"{name}_{kind}.json.gz").read_bytes())
        )
        for kind in ("human", "llm")
    )
    printed = []
    for judge, _ in PUBLISHED[data]:
        test = run(people, judges[judge], distance=distance, epsilon=epsilon)
        rate, advantage = float(test.winning_rate), float(test.advantage_probability)
        printed.append((judge, f"{rate:.2f} {advantage:.2f}"))
        assert test.passed == (rate >= 0.5)
    assert printed == PUBLISHED[data]


def score(value: Any, others: list[Any], distance: str) -> float:
    if distance == "nominal":
        return float(np.mean([value == one for one in others]))
    if distance == "interval":
        return -math.sqrt(np.mean([(value - one) ** 2 for one in others]))
    pairs = [(len(value & one), len(value | one)) for one in others]
    return float(np.mean([both / either if either else 1 for both, either in pairs]))


@pytest.mark.parametrize("distance", ["nominal", "interval", "jaccard"])
def test_the_figures_equal_a_plain_loop_with_scipys_t_test_and_correction(distance: str) -> None:
    for seed in range(4):
        people, judge = group(60, seed)
        if distance == "jaccard":
            sets = [frozenset(), frozenset("x"), frozenset("xy")]
            people = {name: {u: sets[v] for u, v in own.items()} for name, own in people.items()}
            judge = {u: sets[v] for u, v in judge.items()}
        people["b"] = {u: v for u, v in people["b"].items() if u % 4}
        people["c"] = {u: v for u, v in people["c"].items() if u % 3}
        p_values, wins = [], []
        for name, own in people.items():
            ahead, won = [], []
            for u, value in own.items():
                others = [them[u] for n, them in people.items() if n != name and u in them]
                if others:
                    mine, theirs = (score(v, others, distance) for v in (value, judge[u]))
                    won.append(theirs >= mine - 1e-12)
                    ahead.append(int(mine >= theirs - 1e-12) - int(won[-1]))
            p_values.append(stats.ttest_1samp(ahead, 0.1, alternative="less").pvalue)
            wins.append(np.mean(won))
        adjusted = stats.false_discovery_control(p_values, method="by")
        test = run(people, judge, distance=distance)
        compared = list(test.annotators.values())
        assert [one.p_value for one in compared] == pytest.approx(p_values, abs=1e-12)
        assert [one.replaceable for one in compared] == (adjusted <= 0.05).tolist()
        assert float(test.advantage_probability) == pytest.approx(np.mean(wins), abs=1e-12)


def test_fewer_than_30_shared_units_are_refused() -> None:
    people, judge = group(30)
    assert run(people, judge).winning_rate.n_raters == 3
    test = run(people, {u: v for u, v in judge.items() if u})
    assert (
        test.winning_rate.undefined
        == "no person shares 30 units with the judge and with another person"
    )
    assert test.advantage_probability.undefined == test.winning_rate.undefined
    assert test.passed is None


def test_a_person_with_few_units_is_left_out_and_said_so() -> None:
    people, judge = group(40)
    people["d"] = dict.fromkeys(range(29), 0)
    test = run(people, judge)
    assert test.winning_rate.n_raters == 3
    assert test.annotators["d"].undefined is not None
    assert test.annotators["d"].n_units == 29


@pytest.mark.parametrize(
    "table",
    [
        ({"a": dict.fromkeys(range(40), 1)}, dict.fromkeys(range(40), 1)),  # nobody else
        ({"a": {1: 1}, "b": {1: None}}, {1: 1}),
        ({"a": {1: 1}, "b": {1: 2}}, {}),  # a judge without answers
    ],
)
def test_where_nobody_can_be_compared_it_says_why(table: Any) -> None:
    assert run(*table).winning_rate.undefined is not None


def test_a_judge_like_everybody_wins_and_one_unlike_anybody_loses() -> None:
    same = {name: dict.fromkeys(range(30), "x") for name in "abc"}
    assert run(same, dict.fromkeys(range(30), "x")).winning_rate.value == 1
    assert run(same, dict.fromkeys(range(30), "y")).winning_rate.value == 0
    # Nothing is below an epsilon of 0 when all are equal.
    assert run(same, dict.fromkeys(range(30), "x"), epsilon=0).winning_rate.value == 0


def test_order_and_names_do_not_matter() -> None:
    people, judge = group(50, seed=3)
    renamed = {f"person {name}": dict(reversed(own.items())) for name, own in people.items()}
    before, after = run(people, judge), run(dict(reversed(renamed.items())), judge)
    assert before.winning_rate == after.winning_rate
    assert float(before.advantage_probability) == pytest.approx(float(after.advantage_probability))


def test_the_interval_of_the_advantage_resamples_clusters() -> None:
    people, judge = group(60)
    test = run(people, judge, bootstrap=Bootstrap(resamples=400, seed=5))
    advantage = test.advantage_probability
    assert advantage.low is not None
    assert advantage.high is not None
    assert advantage.low < float(advantage) < advantage.high
    assert advantage.interval_method == "percentile bootstrap, 400 resamples of 60 clusters, seed 5"
    # One judge_wins per person; as 60 units of a share near 0.9 have a standard error of 0.04 at
    # most, the interval of their mean is no wider than that of one person.
    assert advantage.high - advantage.low < 2 * 1.96 * 0.065


def test_wrong_options_are_refused() -> None:
    people, judge = group()
    with pytest.raises(ValueError, match="take interval"):
        run(people, judge, distance="ordinal")
    with pytest.raises(ValueError, match="epsilon"):
        run(people, judge, epsilon=1.5)


# Units of one source depend on each other.


def test_the_test_over_sources_by_hand() -> None:
    """40 units in 20 sources of 2, everybody else says x. The judge is wrong on the last five
    sources, "a" on the first five units: mean (10 - 5) / 40 = 1/8. Sums of the sources minus their
    mean 1/4: -9/4 twice, -5/4, -1/4 twelve times, 7/4 five times; squares (162 + 25 + 12 + 245) /
    16 = 111/4; error^2 20/19 111/4 / 40^2 = 111/6080. With epsilon 1/2: t = (1/8 - 1/2) / that."""
    everyone = dict.fromkeys(range(40), "x")
    people = {"b": everyone, "c": everyone, "a": {**everyone, **dict.fromkeys(range(5), "z")}}
    judge = {**everyone, **dict.fromkeys(range(30, 40), "y")}

    result = run(people, judge, epsilon=0.5, clusters=[unit // 2 for unit in range(40)] * 4)

    expected = stats.t.cdf((1 / 8 - 1 / 2) / math.sqrt(111 / 6080), 19)
    assert result.annotators["a"].p_value == pytest.approx(expected)


def test_with_sources_of_one_size_it_is_scipys_test_of_their_means() -> None:
    people, judge = group(60, seed=5)
    result = run(people, judge, clusters=[unit % 20 for unit in range(60)] * 4)
    for name, own in people.items():
        others = [other for key, other in people.items() if key != name]
        ahead = []
        for unit in range(60):
            scores = [sum(mine[unit] == other[unit] for other in others) for mine in (own, judge)]
            ahead.append(np.sign(scores[0] - scores[1]))
        means = np.array(ahead).reshape(3, 20).mean(axis=0)
        expected = stats.ttest_1samp(means, 0.1, alternative="less").pvalue
        assert result.annotators[name].p_value == pytest.approx(expected)


def test_where_every_unit_is_its_own_source_nothing_changes() -> None:
    people, judge = group()
    assert run(people, judge, clusters=[str(unit) for unit in range(40)] * 4) == run(people, judge)


def test_people_with_units_of_few_sources_are_left_out() -> None:
    people, judge = group()
    result = run(people, judge, clusters=[unit % 14 for unit in range(40)] * 4)
    reason = "fewer than 15 sources of units so shared"
    assert {person.undefined for person in result.annotators.values()} == {reason}
    assert result.winning_rate.undefined == (
        "no person shares units of 15 sources with the judge and with another person"
    )
    enough = run(people, judge, clusters=[unit % 15 for unit in range(40)] * 4)
    assert enough.winning_rate.n_raters == 3


def test_fewer_than_three_people_are_no_group() -> None:
    people, judge = group()
    result = run({name: people[name] for name in "ab"}, judge)
    assert result.passed is None
    assert result.winning_rate.undefined == ("fewer than 3 people with 30 units of 15 sources")
    assert result.advantage_probability.n_raters == 2


def test_the_gap_is_what_the_test_compares_with_epsilon() -> None:
    people, judge = group(80, seed=2)
    result = run(people, judge, bootstrap=Bootstrap(resamples=200))
    each = [
        (person.annotator_wins or 0) - (person.judge_wins or 0)
        for person in result.annotators.values()
    ]
    assert result.gap.value == pytest.approx(sum(each) / 3)
    assert result.gap.low is not None
    assert result.gap.high is not None
    assert result.gap.low < sum(each) / 3 < result.gap.high


def failing(sources: int, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    """Three people are right in 85 % of 4 labels. The judge is as good, but for a share of the
    sources on which it guesses: its gap is epsilon, 0.1."""
    n = sources * size
    truth = rng.integers(0, 4, n)
    guess = rng.integers(0, 4, (4, n))
    right = rng.random((4, n)) < 0.85
    right[3] &= np.repeat(rng.random(sources) > FAILING, size)
    table = np.where(right, truth, guess)
    return [*range(n)] * 4, np.repeat(["a", "b", "c", "judge"], n).tolist(), table.ravel().tolist()


FAILING = 0.17  # of sources; over 200,000 units the gap is then 0.100


# Share of p below .05 at the boundary, by units as if independent, and by sources.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("sources", "size", "by_units", "by_sources"),
    [(200, 1, 0.05, 0.055), (40, 5, 0.15, 0.065), (20, 10, 0.18, 0.1), (15, 13, 0.23, 0.1)],
)
def test_how_often_a_judge_at_the_boundary_wins_is_what_the_documentation_says(
    sources: int, size: int, by_units: float, by_sources: float
) -> None:
    rng = np.random.default_rng(sources)
    shares = []
    for clusters in (None, np.repeat(np.arange(sources), size).tolist() * 4):
        p_values: list[float] = []
        for _ in range(600):
            units, raters, values = failing(sources, size, rng)
            result = alternative_annotator_test(
                units,
                raters,
                values,
                judge="judge",
                distance="nominal",
                epsilon=0.1,
                clusters=clusters,
            )
            p_values += [person.p_value or 0.0 for person in result.annotators.values()]
        shares.append(float(np.mean(np.array(p_values) < 0.05)))
    assert shares == pytest.approx([by_units, by_sources], abs=0.035)
