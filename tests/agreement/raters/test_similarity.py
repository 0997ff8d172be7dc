"""Is a person more similar to a judge than expected, and what does a whole study tell?"""

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import sqrt
from pathlib import Path
from statistics import fmean, median
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import false_discovery_control, t

from agreement import DISTANCES, JudgeSimilarity, benjamini_hochberg, judge_similarity
from agreement.raters import similarity
from tests.agreement.raters.copycats import Crowd, alarms

JUDGE = "judge"
Table = Mapping[str, Sequence[Any]]  # rater -> one value per unit, None where there is none


def beside_judge(table: Table, distance: str = "nominal", **options: Any) -> dict[Any, Any]:
    rows = [(u, r, v) for r, values in table.items() for u, v in enumerate(values)]
    units, raters, values = zip(*rows, strict=True)
    of_unit = options.pop("clusters", None)
    clusters = None if of_unit is None else [of_unit[unit] for unit in units]
    return judge_similarity(
        units, raters, values, judge=JUDGE, distance=distance, clusters=clusters, **options
    )


# The false discovery rate.

PUBLISHED = [
    *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459),
    *(0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0),
]


def test_the_false_discovery_rate_by_hand() -> None:
    # 3 x 0.01 / 1 = 0.03, 3 x 0.04 / 2 = 0.06 and 3 x 0.05 / 3 = 0.05, of which the least from
    # the largest down: 0.03, 0.05, 0.05.
    assert benjamini_hochberg([0.04, 0.01, 0.05]) == pytest.approx([0.05, 0.03, 0.05])
    assert benjamini_hochberg([]) == []


def test_the_false_discovery_rate_of_the_published_example() -> None:
    # Benjamini and Hochberg (1995), section 4.1: at .05 the four smallest are rejected.
    assert [q <= 0.05 for q in benjamini_hochberg(PUBLISHED)] == [True] * 4 + [False] * 11


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_the_false_discovery_rate_equals_scipys(p_values: list[float]) -> None:
    assert benjamini_hochberg(p_values) == pytest.approx(false_discovery_control(p_values))


def test_what_is_no_p_value_is_refused() -> None:
    with pytest.raises(ValueError, match="within 0 and 1"):
        benjamini_hochberg([1.5])


# Similarity to a judge.

BY_HAND = {
    **{name: [1, 1, 1, 1, 0, 0, 0, 0] * 3 for name in ("ada", "bob", "cid", "dot")},
    "eve": [1, 1, 1, 0, 1, 0, 0, 0] * 3,  # as the judge
    JUDGE: [1, 1, 1, 0, 1, 0, 0, 0] * 3,
}


def test_excess_similarity_by_hand() -> None:
    # Half of all answers are 1, so unrelated ones agree in 1/2. Agreement beyond that: of eve with
    # the judge 1/2, with the others 3/4 - 1/2 = 1/4. The others agree by 1/4 with the judge and by
    # 1/2 with each other, half as much; so 1/8 is expected of eve. In units of 1/2, 1 - 1/4:
    by_rater = beside_judge(BY_HAND)
    eve, ada = by_rater["eve"], by_rater["ada"]
    assert (eve.to_judge, eve.to_people) == (pytest.approx(1), pytest.approx(1 / 2))
    assert eve.excess.value == pytest.approx(3 / 4)
    # Beside ada are eve and three who agree with each other and eve by (2 x 1/2 + 1/4) / 3 = 5/12:
    # s = (1/2 + 3/4) / (1/4 + 3 x 5/12) = 5/6. Ada agrees with them by (3 x 1/2 + 1/4) / 4 = 7/16.
    assert ada.excess.value == pytest.approx((1 / 4 - 5 / 6 * 7 / 16) * 2)
    assert (eve.excess.n_units, eve.excess.n_raters) == (24, 4)


def by_definition(table: Table, distance: str, clusters: Sequence[int]) -> dict[str, Any]:
    """All of it once more, with plain loops over pairs of units."""
    apart, people = DISTANCES[distance], [name for name in table if name != JUDGE]
    sums: dict[str, Any] = {}
    for name in people:
        others = {
            unit: [table[o][unit] for o in people if o != name and table[o][unit] is not None]
            for unit, own in enumerate(table[name])
            if own is not None and table[JUDGE][unit] is not None
        }
        own_units = [unit for unit, met in others.items() if met]
        added: list[list[float]] = []
        chances = []
        for met in ({u: [table[JUDGE][u]] for u in own_units}, others):
            crossed = {
                (u, v): fmean(apart(table[name][u], value) for value in met[v])
                for u in own_units
                for v in own_units
            }
            chances.append(fmean(crossed.values()))
            added.append(
                [
                    fmean(crossed[u, v] + crossed[v, u] for v in own_units)
                    - chances[-1]
                    - crossed[u, u]
                    for u in own_units
                ]
            )
        sums[name] = own_units, *added, chances[1]
    return {name: _compared(_steadied(sums), name, clusters) for name in people}


def _steadied(sums: Mapping[str, Any]) -> Mapping[str, Any]:
    """Beside what units add, the same minus a share of what the others of the unit add on average,
    and how close these are to the judge."""
    added = {
        (name, unit): pair
        for name, (units, judge, met, _) in sums.items()
        for unit, *pair in zip(units, judge, met, strict=True)
    }
    slope = sum(judge for judge, _ in added.values()) / sum(met for _, met in added.values())
    theirs = {
        (name, unit): [added[o, unit] for o in sums if o != name and (o, unit) in added]
        for name, unit in added
    }
    # Similarity to this person is left out of what others add.
    others = {
        key: (
            fmean(judge for judge, _ in each),
            (sum(met for _, met in each) - added[key][1]) / (len(each) - 1),
        )
        if len(each) > 1
        else (0.0, 0.0)
        for key, each in theirs.items()
    }
    excess = {key: judge - slope * met for key, (judge, met) in added.items()}
    usual = {key: judge - slope * met for key, (judge, met) in others.items()}
    share = sum(excess[key] * usual[key] for key in added) / sum(v**2 for v in usual.values())
    share = min(max(share, 0), 1)
    beyond = {
        key: [own - share * other for own, other in zip(pair, others[key], strict=True)]
        for key, pair in added.items()
    }
    return {
        name: (
            *of,
            *zip(*(beyond[name, unit] for unit in of[0]), strict=True),
            sum(fmean(judge for judge, _ in theirs[name, unit]) for unit in of[0]),
        )
        for name, of in sums.items()
    }


def _compared(sums: Mapping[str, Any], name: str, clusters: Sequence[int]) -> Any:
    others = [o for o in sums if o != name]
    slope = sum(sum(sums[o][1]) for o in others) - sums[name][6]
    slope /= sum(sum(sums[o][2]) for o in others) - sum(sums[name][2])

    def excess(person: str) -> tuple[float, float, int]:
        units, _judge, _met, _chance, judge, met, _ = sums[person]
        differences = [one - slope * other for one, other in zip(judge, met, strict=True)]
        mean = fmean(differences)
        by_cluster: dict[int, float] = {}
        for unit, value in zip(units, differences, strict=True):
            by_cluster[clusters[unit]] = by_cluster.get(clusters[unit], 0) + value - mean
        n = len(by_cluster)
        return mean, n / (n - 1) * sum(s**2 for s in by_cluster.values()) / len(units) ** 2, n

    value, variance, n_clusters = excess(name)
    usual = [excess(o) for o in others]
    middle = median(one[0] for one in usual)
    spread = (1.4826 * median(abs(one[0] - middle) for one in usual)) ** 2
    spread = max(spread - median(v for _, v, _ in usual), 0)
    residuals = [sum(sums[o][1]) - slope * sum(sums[o][2]) for o in others]
    of_slope = len(others) / (len(others) - 1) * sum(r**2 for r in residuals)
    of_slope *= (fmean(sums[name][5]) / sum(sum(sums[o][2]) for o in others)) ** 2
    error = sqrt(variance + of_slope + spread)
    freedom = error**4 / (
        variance**2 / (n_clusters - 1) + (of_slope**2 + spread**2) / (len(others) - 1)
    )
    scale = sum(s[3] * len(s[0]) for s in sums.values()) / sum(len(s[0]) for s in sums.values())
    reach = t.ppf(0.975, freedom) * error / scale
    return value / scale, reach, t.sf(value / error, freedom)


def drawn(seed: int, kind: str, *, people: int = 6, units: int = 24) -> Table:
    """Answers that follow a truth, with holes."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=units)
    table: dict[str, list[Any]] = {}
    for name in (*(f"person {at}" for at in range(people)), JUDGE):
        values = np.where(rng.random(units) < 0.6, truth, rng.integers(3, size=units))
        held = [None if rng.random() < 0.1 else int(value) for value in values]
        sets = [None if value is None else frozenset(range(value)) for value in held]
        table[name] = sets if kind == "set" else held
    return table


@pytest.mark.parametrize("distance", ["nominal", "interval", "ratio", "jaccard", "masi"])
def test_excess_similarity_equals_its_definition(
    distance: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(similarity, "LEAST_UNITS", 10)
    table = drawn(7, DISTANCES[distance].kind)
    clusters = [unit // 2 for unit in range(24)]
    computed = beside_judge(table, distance, clusters=clusters)
    for name, (value, reach, p_value) in by_definition(table, distance, clusters).items():
        one = computed[name]
        assert one.excess.value == pytest.approx(value, abs=1e-9)
        assert one.excess.high - one.excess.low == pytest.approx(2 * reach, abs=1e-9)
        assert one.p_value == pytest.approx(p_value, abs=1e-9)


def test_of_published_votes_a_copy_of_the_machine_is_the_furthest_from_what_is_expected(
    shared_data: Path,
) -> None:
    # Three people voted on each sentence. The machine here gives the majority of each fifth summary
    # the other way round; a made person copies it, with one answer in ten turned.
    path = shared_data / "qags-cnndm" / "mturk_cnndm.jsonl.gz"
    votes: list[list[int]] = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            for sentence in json.loads(line)["summary_sentences"]:
                three = [int(vote["response"] == "yes") for vote in sentence["responses"]]
                machine = int(sum(three) >= 2) ^ (number % 5 == 0)
                votes.append([*three, machine ^ (len(votes) % 10 == 0), machine])
    columns = dict(zip(("a", "b", "c", "copy", JUDGE), zip(*votes, strict=True), strict=True))
    fifth = [1 - v if at % 4 == 0 else v for at, v in enumerate(columns["a"])]
    by_rater = beside_judge({**columns, "careless": fifth})
    assert by_rater["copy"].excess.low > 0.3
    assert by_rater["copy"].p_value < 0.05
    assert all(by_rater[name].p_value > 0.05 for name in ("a", "b", "c", "careless"))


@given(st.integers(0, 1000), st.randoms(use_true_random=False))
@settings(max_examples=15)
def test_names_and_order_do_not_matter_and_neither_does_the_unit_of_numbers(
    seed: int, random: Any
) -> None:
    table = drawn(seed, "number")
    order = list(range(24))
    random.shuffle(order)
    names = list(table)
    random.shuffle(names)
    again = {name: [table[name][unit] for unit in order] for name in names}
    tens = {
        name: [None if v is None else 10 * v + 5 for v in values] for name, values in again.items()
    }
    before, after = beside_judge(table, "interval"), beside_judge(tens, "interval")
    for name, one in before.items():
        assert after[name].excess.value == pytest.approx(one.excess.value, abs=1e-9)
        assert after[name].p_value == pytest.approx(one.p_value, abs=1e-9)


def test_ordinal_similarity_is_that_of_mid_ranks() -> None:
    table = drawn(5, "number", units=40)
    every = sorted(v for values in table.values() for v in values if v is not None)
    ranks = {v: fmean(at for at, one in enumerate(every) if one == v) for v in {*every}}
    ranked = {
        name: [None if v is None else ranks[v] for v in values] for name, values in table.items()
    }
    by_rank = beside_judge(ranked, "interval")
    for name, one in beside_judge(table, "ordinal").items():
        assert one.excess.value == pytest.approx(by_rank[name].excess.value, abs=1e-9)


def test_who_always_gives_one_answer_is_close_to_nobody() -> None:
    table = drawn(3, "label", units=40)
    one = {name: [1] * 40 if name == "person 0" else values for name, values in table.items()}
    same = beside_judge(one)["person 0"]
    assert (same.to_judge, same.to_people) == pytest.approx((0, 0))


def only(table: Table, names: str, units: int = 24) -> Table:
    return {name: table[name][:units] for name in (*names.split(), JUDGE)}


@pytest.mark.parametrize(
    ("table", "clusters", "reason"),
    [
        (only(BY_HAND, "ada bob cid dot eve", 19), None, similarity.FEW_UNITS),
        (BY_HAND, [unit // 3 for unit in range(24)], similarity.FEW_SOURCES),
        (only(BY_HAND, "ada bob cid eve"), None, similarity.FEW_OTHERS),
        (only(BY_HAND, "eve"), None, similarity.FEW_UNITS),
        ({**BY_HAND, JUDGE: [None] * 24}, None, similarity.FEW_UNITS),
        (dict.fromkeys(BY_HAND, [0, 1] * 12), None, similarity.NO_VARIATION),
        (dict.fromkeys(BY_HAND, [1] * 24), None, similarity.NO_AGREEMENT),
    ],
)
def test_what_cannot_be_told_has_a_reason_instead_of_a_number(
    table: Table, clusters: Sequence[int] | None, reason: str
) -> None:
    for one in beside_judge(table, clusters=clusters).values():
        assert one.excess.undefined == reason
        assert one == JudgeSimilarity(excess=one.excess)


def test_a_confidence_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="confidence"):
        beside_judge(BY_HAND, confidence=1.0)


def test_a_person_with_very_many_units_is_judged_by_some_of_them() -> None:
    table = drawn(1, "label", units=1500)
    assert {one.excess.n_units for one in beside_judge(table).values()} == {1000}


# How often somebody honest is taken for more than chance, and a copycat noticed.


def test_few_honest_people_stand_out_and_copycats_with_many_units_do() -> None:
    honest, copying = (alarms(Crowd(units=240, overlap=5, copycats=n), studies=10) for n in (0, 2))
    assert honest.false <= 0.2
    assert copying.noticed >= 0.7


VARIED = (0.3, 0.95)
ALIKE, SKILLS = Crowd(units=30), Crowd(units=30, skill=VARIED)
WEAK, GOOD = Crowd(units=30, skill=VARIED, judge=0.4), Crowd(units=30, skill=VARIED, judge=0.97)
HARD, FIVE = replace(GOOD, hard=True), Crowd(units=30, skill=VARIED, overlap=5)
SOURCES = replace(SKILLS, per_source=5)
FOUR, THIRTY = Crowd(units=30, skill=VARIED, labels=4), Crowd(units=30, skill=VARIED, people=30)
NUMBERS = Crowd(units=30, skill=(0.2, 0.8), judge=0.5, numbers=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("crowd", "documented"),
    [
        (ALIKE, {30: (2, 7), 60: (3, 17), 120: (3, 44), 240: (3, 82)}),
        (SKILLS, {30: (2, 5), 60: (4, 12), 120: (3, 35), 240: (1, 67)}),
        (WEAK, {30: (5, 23), 60: (2, 52), 120: (2, 82), 240: (3, 97)}),
        (GOOD, {30: (1, 0), 60: (2, 0), 120: (2, 0), 240: (2, 1)}),
        (HARD, {30: (3, 4), 60: (6, 6), 120: (4, 14), 240: (6, 33)}),
        (SOURCES, {60: (4, 14), 120: (3, 34), 240: (3, 66)}),
        (FOUR, {30: (3, 11), 60: (2, 32), 120: (1, 62), 240: (1, 91)}),
        (FIVE, {30: (2, 6), 60: (1, 19), 120: (2, 45), 240: (2, 80)}),
        (THIRTY, {30: (1, 1), 60: (2, 3), 120: (2, 17), 240: (2, 51)}),
        (NUMBERS, {30: (3, 2), 60: (1, 10), 120: (2, 27), 240: (3, 66)}),
    ],
)
def test_false_alarms_and_copycats_noticed_are_what_the_documentation_says(
    crowd: Crowd, documented: Mapping[int, tuple[int, int]]
) -> None:
    for units, (false, noticed) in documented.items():
        sized, studies = replace(crowd, units=units), 100
        honest = alarms(sized, studies=studies, seed=units)
        copying = alarms(replace(sized, copycats=crowd.people // 5), studies=studies, seed=units)
        for share, percent in ((honest.false, false), (copying.noticed, noticed)):
            # The documented shares are of 400 studies: four times the error of the difference.
            p = max(percent / 100, 0.02)
            bound = 4 * sqrt(p * (1 - p) * (1 / studies + 1 / 400))
            assert share == pytest.approx(percent / 100, abs=bound)
        assert copying.wrong <= 0.05
