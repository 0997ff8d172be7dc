"""Strengths from comparisons: by hand, the published league, independent fits, laws."""

from collections.abc import Sequence

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from agreement import BradleyTerry, bradley_terry
from agreement.systems.paired_comparisons import TIES
from agreement.values.coding import FloatArray

# Agresti (2002), "Categorical Data Analysis", table 10.10: American League 1987, wins of the team
# in the row over that in the column.
TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
WINS = (
    (0, 7, 9, 7, 7, 9, 11),
    (6, 0, 7, 5, 11, 9, 9),
    (4, 6, 0, 7, 7, 8, 12),
    (6, 8, 6, 0, 6, 7, 10),
    (6, 2, 6, 7, 0, 7, 12),
    (4, 4, 5, 6, 6, 0, 6),
    (2, 4, 1, 3, 1, 7, 0),
)
Games = tuple[list[str], list[str], list[float]]


def league() -> Games:
    games = [
        (winner, loser, 1.0)
        for winner, row in zip(TEAMS, WINS, strict=True)
        for loser, times in zip(TEAMS, row, strict=True)
        for _ in range(times)
    ]
    first, second, outcomes = zip(*games, strict=True)
    return list(first), list(second), list(outcomes)


def of(games: Sequence[str]) -> BradleyTerry:
    """`A>B` or `A=B`."""
    outcomes = [1.0 if ">" in game else 0.5 for game in games]
    return bradley_terry([g[0] for g in games], [g[2] for g in games], outcomes)


def drawn(seed: int, *, ties: float, number: int = 300) -> tuple[list[int], list[int], list[float]]:
    rng = np.random.default_rng(seed)
    strengths = np.array([1.0, 0.5, 0.0, -0.5, -1.0])
    first = rng.integers(0, 5, number)
    second = (first + rng.integers(1, 5, number)) % 5
    won = rng.random(number) < 1 / (1 + np.exp(strengths[second] - strengths[first]))
    outcomes = np.where(rng.random(number) < ties, 0.5, won.astype(float))
    return first.tolist(), second.tolist(), outcomes.tolist()


def test_two_systems_by_hand() -> None:
    """A wins three of four: log odds log 3 apart, half of it each; chance 1 / (1 + 3^-1/2)."""
    found = of(["A>B", "A>B", "A>B", "B>A"])

    assert found.strength["A"].value == pytest.approx(np.log(3) / 2)
    assert found.chance["A"].value == pytest.approx(1 / (1 + 3**-0.5))
    assert found.chance["B"].value == pytest.approx(1 - 1 / (1 + 3**-0.5))
    assert found.chance["A"].n_units == 4


def test_ties_by_hand() -> None:
    """Two wins, one tie, one loss are 2 : v sqrt 2 : 1, so v = 1 / sqrt 2. Against an average
    system A, of strength sqrt 2, wins, ties and loses as 2^1/4 : 2^-1/2 : 2^-1/4."""
    found = of(["A>B", "A>B", "A=B", "B>A"])

    assert found.strength["A"].value == pytest.approx(np.log(2) / 2)
    ways = np.array([2**0.25, 2**-0.5, 2**-0.25])
    assert found.chance["A"].value == pytest.approx((ways[0] + ways[1] / 2) / ways.sum())
    assert found.tie == pytest.approx(2**-0.5 / (2 + 2**-0.5))


def test_the_american_league_has_its_published_abilities() -> None:
    """Agresti (2002), section 10.6: with Baltimore 0; error of Milwaukee's 0.34 by the model."""
    found = bradley_terry(*league()).strength

    above = {team: round(float(found[team]) - float(found["Baltimore"]), 2) for team in TEAMS}
    assert list(above.values()) == [1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0]


def test_ties_are_those_of_the_largest_likelihood() -> None:
    """Davidson's, maximised by scipy over plain loops."""
    first, second, outcomes = drawn(1, ties=0.25)

    def against(parameters: FloatArray) -> float:
        strengths, tie = np.exp([0.0, *parameters[:4]]), np.exp(parameters[4])
        total = 0.0
        for one, other, outcome in zip(first, second, outcomes, strict=True):
            p, q = strengths[one], strengths[other]
            ways = {1.0: p, 0.5: tie * np.sqrt(p * q), 0.0: q}
            total -= float(np.log(ways[outcome] / sum(ways.values())))
        return total

    theirs = minimize(against, np.zeros(5), tol=1e-10).x
    found = bradley_terry(first, second, outcomes)
    ours = [float(found.strength[k]) - float(found.strength[0]) for k in range(1, 5)]
    assert ours == pytest.approx(theirs[:4].tolist(), abs=1e-4)
    assert found.tie == pytest.approx(1 - 2 / (2 + np.exp(theirs[4])), abs=1e-5)


def test_without_ties_it_equals_a_logistic_regression_of_statsmodels() -> None:
    first, second, outcomes = drawn(1, ties=0)
    clusters = [at // 3 for at in range(300)]
    design = np.zeros((300, 5))
    design[np.arange(300), first] += 1
    design[np.arange(300), second] -= 1
    fit = sm.GLM(outcomes, design[:, 1:], family=sm.families.Binomial()).fit(
        cov_type="cluster", cov_kwds={"groups": clusters}, tol=1e-12
    )

    found = bradley_terry(first, second, outcomes, clusters=clusters)

    base = float(found.strength[0])
    assert [float(found.strength[k]) - base for k in range(1, 5)] == pytest.approx(
        fit.params.tolist(), abs=1e-7
    )
    place = [found.fitted.index(k) for k in range(5)]
    covariance = found.covariance[np.ix_(place, place)]
    apart = np.sqrt([covariance[k, k] + covariance[0, 0] - 2 * covariance[0, k] for k in (1, 2)])
    # statsmodels multiplies by (N - 1) / (N - k) beside G / (G - 1).
    corrected = fit.bse[:2] * np.sqrt((300 - 4) / (300 - 1))
    assert apart.tolist() == pytest.approx(corrected.tolist(), rel=1e-6)


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from([0.0, 0.5, 1.0])),
        min_size=1,
        max_size=25,
    ),
    st.randoms(),
)
def test_order_sides_and_names_do_not_matter(
    games: list[tuple[int, int, float]], random: object
) -> None:
    first, second, outcomes = (list(each) for each in zip(*games, strict=True))
    turned = games[::-1]
    before = bradley_terry(first, second, outcomes)

    after = bradley_terry(
        [f"s{b}" for _, b, _ in turned],
        [f"s{a}" for a, _, _ in turned],
        [1 - o for *_, o in turned],
    )

    for name, estimate in before.strength.items():
        other = after.strength[f"s{name}"]
        assert other.undefined == estimate.undefined
        assert other.value == pytest.approx(estimate.value, abs=1e-5)
    defined = [each.value for each in before.strength.values() if each.value is not None]
    assert sum(defined) == pytest.approx(0, abs=1e-6)


def test_systems_that_never_met_even_through_others_cannot_be_compared() -> None:
    found = of(["A>B", "B>A", "C>D", "D>C"])

    reasons = {estimate.undefined for estimate in found.chance.values()}
    assert reasons == {"the comparisons fall into groups of systems that never met"}


def test_who_wins_or_loses_everything_has_no_finite_strength() -> None:
    found = of(["A>B", "A>C", "B>C", "C>B", "B>C", "B>D", "C>D"])

    assert found.chance["A"].undefined == "won all of its comparisons: no finite strength"
    assert found.chance["D"].undefined == "lost all of its comparisons: no finite strength"
    assert found.strength["B"].value == pytest.approx(np.log(2) / 2)
    assert found.strength["B"].n_units == 3


@pytest.mark.parametrize(
    ("games", "is_told"),
    [
        (["A=B", "A=B"], False),
        (["A>B", "A=B"], False),  # ever farther apart, with ever more ties
        (["A>B", "A=B", "B>A"], True),
        (["A>B", "B>C", "A=C"], True),  # two wins in a circle with one tie
        (["A>B", "B=C", "C=A"], False),
    ],
)
def test_beside_ties_it_takes_a_circle_with_more_wins(games: Sequence[str], is_told: bool) -> None:
    reasons = {each.undefined for each in of(games).chance.values()}
    assert reasons == ({None} if is_told else {TIES})


def test_nothing_compared_has_no_strengths() -> None:
    assert of([]).chance == {}


def test_a_circle_does_not_fit_and_an_order_does() -> None:
    """R beats S, S beats T, T beats R in 80 % of 60 sources; then an order, 100 times."""
    rng = np.random.default_rng(3)
    source = np.repeat(np.arange(60), 3)
    first, second = np.tile([0, 1, 2], 60), np.tile([1, 2, 0], 60)
    circle = bradley_terry(first, second, (rng.random(180) < 0.8) * 1.0, clusters=source)
    assert float(circle.fit_p) < 1e-6
    small = 0
    for _ in range(100):
        chance = np.array([0.73, 0.73, 0.12])[first]
        won = (rng.random(180) < chance) * 1.0
        small += float(bradley_terry(first, second, won, clusters=source).fit_p) < 0.05
    assert small <= 12
    assert (
        of(["A>B", "B>A"]).fit_p.undefined == "no circle of systems that met: nothing could misfit"
    )


def test_intervals_for_other_raters_hold_the_truth_where_raters_have_tastes() -> None:
    """Three raters compare all pairs of three systems on 30 sources; tastes of .4 in logits."""
    rng = np.random.default_rng(5)
    source, rater, pair = (axis.ravel() for axis in np.indices((30, 3, 3)))
    first, second = np.array([0, 0, 1])[pair], np.array([1, 2, 2])[pair]
    these = others = 0
    for _ in range(100):
        taste = 0.4 * rng.normal(size=(3, 3))
        logit = taste[rater, first] - taste[rater, second]
        won = (rng.random(270) < 1 / (1 + np.exp(-logit))) * 1.0
        found = bradley_terry(first, second, won, clusters=source, raters=rater).strength[0]
        these += (found.these_low or 0) <= 0 <= (found.these_high or 0)
        others += (found.others_low or 0) <= 0 <= (found.others_high or 0)
    assert these < 75
    assert others > 88


def test_a_draw_of_two_groups_as_large_leaves_none() -> None:
    found = of(["A>B", "B>A", "C>D", "D>C", "A>C"])

    assert {each.undefined for each in found.chance.values()} == {
        "no chain of wins leads both ways to the other systems: no finite strength"
    }


def test_few_sources_make_no_interval() -> None:
    found = bradley_terry(*drawn(0, ties=0), clusters=[at % 9 for at in range(300)]).chance[0]

    assert found.value is not None
    assert found.low is None
    assert (found.interval_method or "").endswith("fewer than 11")


def test_other_outcomes_are_refused() -> None:
    with pytest.raises(ValueError, match="an outcome is 1, 0"):
        bradley_terry(["A"], ["B"], [2])


def test_intervals_hold_the_truth_where_sources_favour_systems() -> None:
    """Thirty sources of ten comparisons, each with a taste of its own."""
    rng = np.random.default_rng(8)
    truth = np.array([0.6, 0.0, -0.6])
    held = 0
    for _ in range(150):
        source = np.repeat(np.arange(30), 10)
        taste = rng.normal(0, 0.5, (30, 3))
        first = rng.integers(0, 3, 300)
        second = (first + rng.integers(1, 3, 300)) % 3
        logit = (truth + taste[source])[np.arange(300), first]
        logit = logit - (truth + taste[source])[np.arange(300), second]
        won = (rng.random(300) < 1 / (1 + np.exp(-logit))).astype(float)
        found = bradley_terry(first, second, won, clusters=source).strength[0]
        # Tastes make the average of the log odds a little smaller.
        held += (found.low or 0) <= 0.57 <= (found.high or 0)
    assert held / 150 >= 0.9
