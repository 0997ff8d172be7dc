"""How many units would settle what is not shown."""

import pytest

from agreement import Estimate
from results.reading.steps import rounded, units_to_settle
from tests.results.reading.made import about


def test_units_grow_with_the_square_of_what_the_interval_must_shrink_by() -> None:
    # Half a width of .2 must become .1: four times 100 units.
    assert units_to_settle(about(0.1, -0.1, 0.3), 0.0) == 400


@pytest.mark.parametrize(
    "estimate",
    [
        None,
        Estimate.missing("nothing"),
        Estimate(value=0.1, n_units=10),
        about(0.1, 0.1, 0.1),
        about(0.01, -0.2, 0.22),  # as good as on the bound
        about(0.5, 0.3, 0.7),  # settled already
    ],
)
def test_no_number_of_units_where_it_is_no_question_of_units(estimate: Estimate | None) -> None:
    assert units_to_settle(estimate, 0.0) is None


@pytest.mark.parametrize(("count", "expected"), [(7, 7), (96.2, 97), (811, 820), (2713.0, 2800)])
def test_two_digits_are_given_upwards(count: float, expected: int) -> None:
    assert rounded(count) == expected
