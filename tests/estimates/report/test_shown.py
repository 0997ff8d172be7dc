"""What pages show of a figure while answers come in, and at the planned end."""

import pytest

from agreement import Estimate
from annotation.rounds.collection import Standing
from estimates.report.shown import AT_THE_END, shown_estimate
from results.reading.systems import Pair, System

P = Estimate(value=0.01, n_units=40)
TESTS = ("difference_p_these_holm", "difference_p_holm", "min_f_p", "judge_difference_p")


@pytest.mark.parametrize("name", [*TESTS, "place_best", "system_cluster"])
@pytest.mark.parametrize("standing", Standing)
def test_there_is_no_p_beside_an_interval_that_holds_at_every_look(
    name: str, standing: Standing
) -> None:
    shown = shown_estimate(name, P, standing)
    assert (shown == P) is (standing is Standing.PLANNED)
    assert shown == P or (shown.undefined, shown.n_units) == (AT_THE_END, 40)


def test_the_p_of_a_judges_drift_has_looks_of_its_own() -> None:
    assert shown_estimate("drift_accuracy_p", P, Standing.COLLECTING) == P


def test_a_test_without_a_p_keeps_its_reason() -> None:
    few = Estimate.missing("fewer than five sources")
    assert shown_estimate("difference_p", few, Standing.COLLECTING) == few


@pytest.mark.parametrize(("low", "told_apart"), [(0.2, True), (-0.1, False)])
def test_at_a_look_systems_are_told_apart_by_the_live_interval(
    low: float, *, told_apart: bool
) -> None:
    awaited = shown_estimate("difference_p_these_holm", P, Standing.COLLECTING)
    apart = Estimate(value=1.0, low=low, high=1.8, interval_method="confidence sequence")
    alder, birch = (System(name, Estimate(value=3.0)) for name in ("alder", "birch"))
    assert Pair(alder, birch, apart, awaited, None).differs is told_apart
    at_the_end = Estimate(value=0.2)
    assert not Pair(alder, birch, apart, at_the_end, None).differs
