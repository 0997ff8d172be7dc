import math

import pytest

from agreement import Estimate


def test_an_estimate_has_a_value_or_a_reason_but_never_both_or_neither() -> None:
    with pytest.raises(ValueError, match="either a value or a reason"):
        Estimate()
    with pytest.raises(ValueError, match="either a value or a reason"):
        Estimate(value=0.5, undefined="no ratings")


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("field", ["value", "sd", "low"])
def test_nan_and_infinity_are_refused_in_every_field(field: str, number: float) -> None:
    fields = {"value": 0.5, "sd": 0.1, "low": 0.4, "high": 0.6, field: number}
    with pytest.raises(ValueError, match="must be finite"):
        Estimate(**fields)  # type: ignore[arg-type]


def test_half_an_interval_is_refused() -> None:
    with pytest.raises(ValueError, match="both bounds or none"):
        Estimate(value=0.5, low=0.4)


def test_an_undefined_estimate_has_no_interval_and_a_reason_with_words() -> None:
    with pytest.raises(ValueError, match="no interval"):
        Estimate(undefined="no ratings", low=0.1, high=0.2)
    with pytest.raises(ValueError, match="must say why"):
        Estimate(undefined="")


def test_a_missing_estimate_keeps_its_counts_and_refuses_to_be_a_number() -> None:
    estimate = Estimate.missing("no unit has two ratings", n_units=3, n_raters=2, n_ratings=3)
    assert estimate.value is None
    assert (estimate.n_units, estimate.n_raters, estimate.n_ratings) == (3, 2, 3)
    with pytest.raises(ValueError, match="no unit has two ratings"):
        float(estimate)


def test_a_defined_estimate_is_a_number() -> None:
    assert float(Estimate(value=0.25)) == 0.25
