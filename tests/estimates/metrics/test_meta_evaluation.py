"""Judges as those who order systems and texts, as rows of a report."""

from pathlib import Path

import numpy as np
import pytest

from agreement import correlation_difference, pairwise_accuracy, tie_calibrated_accuracy
from estimates.data.options import Options
from estimates.data.rows import OF_SYSTEMS, SUMMARY, Row
from tests.label_table.tables import checked, write_table

HEAD = "id source system human_1 human_2 gpt llama"
SYSTEMS, SOURCES = 4, 12


@pytest.fixture
def table(tmp_path: Path) -> tuple[Path, np.ndarray]:
    """Two people and two judges, in this order, on every system of every source."""
    draw = np.random.default_rng(2)
    truth = np.repeat(np.linspace(2, 4, SYSTEMS)[None], SOURCES, axis=0)
    ratings = np.clip(np.round(truth + draw.normal(0, 1, (4, SOURCES, SYSTEMS))), 1, 5).astype(int)
    lines = [
        f"{d}-{s} d{d} s{s} {' '.join(map(str, ratings[:, d, s]))}"
        for d in range(SOURCES)
        for s in range(SYSTEMS)
    ]
    return write_table(tmp_path, HEAD, *lines), ratings


def rows_of(path: Path, *, everything: bool) -> list[Row]:
    stated = {"unit": "id", "source": "source", "system": "system"}
    check = checked(
        path,
        humans=("human_1", "human_2"),
        judges=("gpt", "llama"),
        options=Options(resamples=100, everything=everything),
        **stated,
    )
    return list(check.rows)


def test_pairs_of_systems_and_of_texts_are_those_of_the_functions(
    table: tuple[Path, np.ndarray],
) -> None:
    path, ratings = table
    people, gpt = ratings[:2].mean(axis=0).ravel(), ratings[2].ravel()
    systems = np.tile(np.arange(SYSTEMS), SOURCES)
    sources = np.repeat(np.arange(SOURCES), SYSTEMS)
    rows = {row.metric: row for row in rows_of(path, everything=False) if row.second == "gpt"}

    pairs = rows["pairwise_system_accuracy"]
    expected = pairwise_accuracy(people, gpt, systems=systems, sources=sources)
    assert pairs.estimate.value == pytest.approx(expected.value)
    assert (pairs.aggregation, pairs.estimate.n_units) == (OF_SYSTEMS, SYSTEMS)
    assert pairs.estimate.low is not None

    tied = tie_calibrated_accuracy(people, gpt, sources=sources)
    assert rows["tie_calibrated_accuracy"].estimate.value == pytest.approx(tied.accuracy.value)
    assert rows["tie_threshold"].estimate.value == pytest.approx(tied.threshold.value)
    assert rows["tie_threshold"].aggregation == SUMMARY
    assert "correlation_difference" not in rows


def test_two_judges_are_permuted_where_everything_is_asked_for(
    table: tuple[Path, np.ndarray],
) -> None:
    path, ratings = table
    sides = [ratings[:2].mean(axis=0).ravel(), ratings[2].ravel(), ratings[3].ravel()]
    rows = [row for row in rows_of(path, everything=True) if row.metric == "correlation_difference"]
    assert {row.aggregation for row in rows} == {OF_SYSTEMS, SUMMARY}
    for row in rows:
        assert (row.raters, row.group) == ("humans~gpt", {"other_judge": "llama"})
        expected = correlation_difference(
            *sides,
            systems=np.tile(np.arange(SYSTEMS), SOURCES),
            sources=np.repeat(np.arange(SOURCES), SYSTEMS),
            level={OF_SYSTEMS: "system", SUMMARY: "summary"}[row.aggregation],
        )
        assert row.estimate.value == pytest.approx(expected.difference.value)
