"""The variances of systems that some raters, and some sources, like better than others do."""

import numpy as np
import pandas as pd  # type: ignore[import-untyped]
import pytest
import statsmodels.formula.api as smf

from agreement.systems.components import Cells, components, rater_weights
from agreement.values.coding import FloatArray


def cells_of(values: FloatArray) -> Cells:
    """Of a table (sources, raters, systems), NaN where missing."""
    there = ~np.isnan(values)
    source, rater, system = np.nonzero(there)
    shape = (values.shape[0], values.shape[1], values.shape[2])
    return Cells(source, rater, system, values[there], shape)


def drawn(
    seed: int,
    shape: tuple[int, int, int],
    *,
    taste: float,
    of_sources: float = 0.7,
    severity: float = 1.0,
) -> FloatArray:
    """The noise of a rating is 1, sources differ by 1 for all systems."""
    rng = np.random.default_rng(seed)
    n_sources, n_raters, n_systems = shape
    values = rng.normal(size=shape) + rng.normal(size=(n_sources, 1, 1))
    values += of_sources * rng.normal(size=(n_sources, 1, n_systems))
    values += severity * rng.normal(size=(1, n_raters, 1))
    return np.asarray(values + taste * rng.normal(size=(1, n_raters, n_systems)))


def test_of_three_raters_and_two_systems_by_hand() -> None:
    """No noise, two sources: raters put x 0, 2 and 4 above y. The variance of these is 4, twice
    that of raters x systems; nothing is left over, and it counts 2/3 times in the difference."""
    values = np.zeros((2, 3, 2))
    values[:, :, 0] = [0, 2, 4]
    found = components(cells_of(values))
    assert found is not None
    assert found.of_raters - found.of_rest == pytest.approx(2)
    assert found.of_rest == pytest.approx(0)
    assert found.rater_degrees == pytest.approx(2)
    assert rater_weights(cells_of(values), 0, 1) == pytest.approx((2 / 3, 0))


@pytest.mark.parametrize("seed", [1, 4])
def test_where_all_raters_rate_all_it_is_restricted_maximum_likelihood(seed: int) -> None:
    values = drawn(seed, (12, 5, 3), taste=0.8)
    found = components(cells_of(values))
    source, rater, system = (axis.ravel() for axis in np.indices(values.shape))
    names = ("source", "rater", "system", "value")
    frame = pd.DataFrame(dict(zip(names, (source, rater, system, values.ravel()), strict=True)))
    parts = ("source", "rater", "source):C(system", "rater):C(system")
    model = smf.mixedlm(
        "value ~ C(system)",
        frame,
        groups=np.ones(len(frame)),
        re_formula="0",
        vc_formula={part: f"0 + C({part})" for part in parts},
    )
    fitted = model.fit(reml=True)
    theirs = dict(zip(model.exog_vc.names, fitted.vcomp, strict=True))
    assert found is not None
    assert found.of_raters - found.of_rest == pytest.approx(theirs[parts[3]], rel=0.02)


@pytest.mark.parametrize("crowd", [False, True])
def test_with_gaps_the_variances_are_right_on_average(crowd: bool) -> None:
    """Mean over 150 studies; gaps differ by system; a crowd of eight gives three ratings to each
    output, others to each system."""
    found, apart, expected = [], [], []
    for seed in range(150):
        values = drawn(seed, (40, 8, 3), taste=0.6)
        rng = np.random.default_rng(1000 + seed)
        if crowd:
            values[np.argsort(rng.random(values.shape), axis=1) > 2] = np.nan
        else:
            values[rng.random(values.shape) < [0.1, 0.3, 0.6]] = np.nan
        cells = cells_of(values)
        parts, weights = components(cells), rater_weights(cells, 0, 2)
        assert parts is not None
        found.append((parts.of_raters - parts.of_rest, parts.severity))
        shared = cells.mean[:, 0] - cells.mean[:, 2]
        shared = shared[~np.isnan(shared)]
        apart.append(float(shared.mean()))
        expected.append(
            float(shared.var(ddof=1)) / len(shared) + weights[0] * 0.36 + weights[1] * 1.0
        )
    taste, severity = np.mean(found, axis=0)
    assert taste == pytest.approx(0.36, abs=0.06)
    assert severity == pytest.approx(1, abs=0.2)
    assert np.mean(np.square(apart)) == pytest.approx(np.mean(expected), rel=0.35)


def test_without_two_raters_of_anything_there_are_none() -> None:
    values = drawn(1, (6, 2, 2), taste=1)
    values[::2, 0] = np.nan
    values[1::2, 1] = np.nan
    assert components(cells_of(values)) is None


def test_pairs_of_raters_who_never_meet_have_fewer_degrees_of_freedom() -> None:
    """Three pairs of raters on other sources: three comparisons instead of five, of two systems."""
    values = drawn(2, (30, 6, 2), taste=1)
    for pair in range(3):
        others = [rater for rater in range(6) if rater // 2 != pair]
        values[np.ix_(np.arange(pair, 30, 3), np.array(others))] = np.nan
    found = components(cells_of(values))
    assert found is not None
    assert found.rater_degrees == pytest.approx(3)


def test_order_and_levels_do_not_matter() -> None:
    values = drawn(3, (20, 4, 3), taste=0.5)
    values[np.random.default_rng(1).random(values.shape) < 0.3] = np.nan
    there, turned = components(cells_of(values)), components(cells_of(values[::-1, ::-1, ::-1] + 7))
    assert there is not None
    assert turned is not None
    assert vars(turned) == pytest.approx(vars(there))
