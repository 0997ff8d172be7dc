from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import entropy

from agreement import DawidSkene, dawid_skene, posterior_uncertainty

SHARES = st.lists(st.lists(st.floats(0.01, 1), min_size=3, max_size=3), min_size=1, max_size=5)


def model_of(posterior: list[list[float]]) -> DawidSkene:
    p = np.array(posterior)
    p = p / p.sum(axis=1, keepdims=True)
    return DawidSkene(labels=[*range(p.shape[1])], units=[*range(len(p))], posterior=p)


def test_certain_even_and_between_by_hand() -> None:
    # (3/4 ln 4/3 + 1/4 ln 4) / ln 2
    between = (0.75 * log(4 / 3) + 0.25 * log(4)) / log(2)
    model = model_of([[1, 0], [0.5, 0.5], [0.75, 0.25]])
    assert posterior_uncertainty(model) == pytest.approx({0: 0, 1: 1, 2: between})


@given(SHARES)
def test_it_is_the_entropy_of_scipy_between_0_and_1(posterior: list[list[float]]) -> None:
    model = model_of(posterior)
    values = posterior_uncertainty(model)
    assert list(values.values()) == pytest.approx(entropy(model.posterior, axis=1) / log(3))
    turned = model_of([row[::-1] for row in posterior])
    assert posterior_uncertainty(turned) == pytest.approx(values)


def test_an_undefined_model_has_none() -> None:
    assert posterior_uncertainty(dawid_skene([1], ["a"], ["x"])) == {}
