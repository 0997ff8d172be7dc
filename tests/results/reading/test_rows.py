"""Rows are found by what they are about, in their order."""

from agreement import Estimate
from estimates.data.rows import Row
from results.reading.rows import RowIndex
from tests.results.reading.made import SCALE, row

ROWS = [
    row("mean", Estimate(value=1.0, n_raters=2), system="A"),
    row("mean", Estimate(value=2.0, n_raters=5)),
    row("mean", Estimate(value=3.0), "gpt@1", system="A"),
    row("mean", Estimate(value=4.0), "humans~gpt", facet=SCALE, system="B"),
]


def values(rows: list[Row]) -> list[float]:
    return [float(each.estimate) for each in rows]


def test_rows_are_found_by_metric_raters_keys_and_group() -> None:
    index = RowIndex(ROWS, {"gpt": 2})
    assert values(index.where("mean", "humans")) == [1.0, 2.0]
    assert values(index.where(["mean", "share"], by=["system"])) == [1.0, 3.0, 4.0]
    assert values(index.where(group={"system": "A"})) == [1.0, 3.0]
    assert values([*index.of(SCALE.name)]) == [4.0]
    assert not index.where("share")


def test_one_estimate_is_that_of_the_whole_unless_a_part_is_named() -> None:
    index = RowIndex(ROWS)
    whole, part = index.get("mean"), index.get("mean", system="A")
    assert whole is not None
    assert part is not None
    assert (whole.value, part.value) == (2.0, 1.0)
    assert index.get("mean", system="B") is None
    assert index.by("system", "mean", "humans") == {"A": part}


def test_judges_are_told_by_their_versions_and_people_are_counted() -> None:
    index = RowIndex(ROWS, {"gpt": 2})
    assert index.judges == ["gpt"]
    assert index.is_judge("gpt@1")
    assert not index.is_judge("humans")
    assert index.people == 5
    assert not index.simulated
