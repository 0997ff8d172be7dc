"""A judge beside the spread of people's labels: by hand, published values, scipy, laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon

from agreement import Bootstrap, Estimate, label_divergence
from tests.agreement.bounds import bounds

UNITS = st.lists(
    st.tuples(
        st.lists(st.integers(0, 2), min_size=2, max_size=5),
        st.lists(st.integers(0, 2), min_size=1, max_size=3),
    ),
    min_size=1,
    max_size=8,
)


def divergence(*units: tuple[list[int], list[int]], bootstrap: Bootstrap | None = None) -> Estimate:
    """Of units with people's and the judge's labels."""
    sides = []
    for side in (0, 1):
        about = [(at, label) for at, unit in enumerate(units) for label in unit[side]]
        sides += [np.array([at for at, _ in about], dtype=np.int64)]
        sides += [np.array([label for _, label in about], dtype=np.int64)]
    return label_divergence(*sides, clusters=range(len(units)), bootstrap=bootstrap)


def test_two_units_by_hand() -> None:
    """Unit 1: people half and half, the judge one of them. The middle has 3/4 and 1/4:
    H = 3/4 log2(4/3) + 1/4 log2(4), minus half of people's 1 bit and of the judge's 0.
    Unit 2: all alike, 0."""
    first = 0.75 * np.log2(4 / 3) + 0.25 * 2 - 1 / 2
    assert divergence(([0, 1], [0]), ([1, 1], [1])).value == pytest.approx(first / 2)
    assert divergence(([0, 0], [1])).value == pytest.approx(1)


def test_the_examples_of_scipys_documentation() -> None:
    """`jensenshannon`, version 1.17: of [1, 0, 0] and [0, 1, 0] 1.0 with base 2, of [1, 0] and
    [.5, .5] 0.46450140402245893 with base e. The divergence is the square, here in bits."""
    assert divergence(([0, 0], [1])).value == pytest.approx(1.0**2)
    expected = 0.46450140402245893**2 / np.log(2)
    assert divergence(([0, 1], [0])).value == pytest.approx(expected)


def test_it_is_the_square_of_scipys_distance() -> None:
    draw = np.random.default_rng(3)
    units = [
        (draw.integers(0, 4, draw.integers(2, 6)).tolist(), draw.integers(0, 4, 3).tolist())
        for _ in range(40)
    ]
    spreads = [[np.bincount(side, minlength=4) for side in unit] for unit in units]
    expected = np.mean([jensenshannon(p, q, base=2) ** 2 for p, q in spreads])
    found = divergence(*units, bootstrap=Bootstrap(method="jackknife"))
    assert found.value == pytest.approx(expected)
    low, high = bounds(found)
    assert 0 < low < expected < high < 1


@given(UNITS)
def test_it_lies_within_0_and_1_and_ignores_names(
    units: list[tuple[list[int], list[int]]],
) -> None:
    found = float(divergence(*units))
    assert 0 <= found <= 1
    renamed = [([9 - x for x in people], [9 - x for x in judge]) for people, judge in units]
    assert float(divergence(*renamed)) == pytest.approx(found)
    assert float(divergence(*((people, people) for people, _ in units))) == pytest.approx(0)


def test_a_single_person_has_no_spread() -> None:
    assert divergence(([0], [0])).undefined == "no unit with the judge and two people"
    assert divergence(([0], [1]), ([0, 1], [1])).n_units == 1
