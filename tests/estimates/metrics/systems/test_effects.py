"""Effect sizes, systems on different inputs and clusters, as rows of a report."""

from pathlib import Path

import numpy as np
import pytest

from agreement import effect_sizes
from estimates.data.options import Options
from estimates.data.rows import Row
from tests.label_table.tables import checked, write_table

HEAD = "id source system human_1 human_2 gpt"
PEOPLE = ("human_1", "human_2")
SHARED = {"s0": (3, 4), "s1": (2, 3), "s2": (1, 2)}


def rows_of(folder: Path, *lines: str, options: Options | None = None) -> list[Row]:
    path = write_table(folder, HEAD, *lines)
    stated = {"unit": "id", "source": "source", "system": "system"}
    check = checked(
        path, humans=PEOPLE, judges=("gpt",), options=options or Options(resamples=50), **stated
    )
    return list(check.rows)


def lines_of(n_sources: int = 30) -> list[str]:
    """Two people who nearly agree on three systems, the first the best, and a judge."""
    draw = np.random.default_rng(1)
    lines = []
    for source in range(n_sources):
        for system, (low, high) in SHARED.items():
            ratings = draw.integers(low, high + 1, 3)
            cells = " ".join(map(str, ratings))
            lines.append(f"{source}-{system} d{source} {system} {cells}")
    return lines


def test_the_rows_are_those_of_the_means_on_shared_sources(tmp_path: Path) -> None:
    lines = lines_of()
    rows = [row for row in rows_of(tmp_path, *lines) if row.metric == "cliff_delta"]
    assert {row.raters for row in rows} == {"humans"}
    assert len(rows) == 3
    means = {
        system: [np.mean([float(x) for x in line.split()[3:5]]) for line in lines if system in line]
        for system in SHARED
    }
    for row in rows:
        found = effect_sizes(means[row.group["system"]], means[row.group["other_system"]])
        assert row.estimate.value == pytest.approx(found.cliff_delta.value)
        assert row.estimate.n_units == 30


def test_judges_have_them_where_everything_is_asked_for(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, *lines_of(8), options=Options(resamples=0, everything=True))
    raters = {row.raters for row in rows if row.metric == "superiority"}
    assert raters == {"humans", "gpt"}


def test_systems_without_a_source_of_both_are_compared_unpaired(tmp_path: Path) -> None:
    """One system on sources 0 to 5, the other on 6 to 11, one point lower."""
    lines = [
        f"{at} d{at} {'old' if at < 6 else 'new'} {4 - at // 6} {4 - at // 6 + at % 2} 3"
        for at in range(12)
    ]
    rows = {row.metric: row for row in rows_of(tmp_path, *lines) if row.raters == "humans"}
    # "new" comes first by name.
    assert rows["unpaired_difference"].estimate.value == pytest.approx(-1)
    assert rows["unpaired_superiority"].estimate.value == pytest.approx(0)
    # One of 2 x 462 deals of twelve sources is as far apart on either side: 2 of 924.
    assert float(rows["permutation_p_holm"].estimate) < 0.02
    assert float(rows["mann_whitney_p_holm"].estimate) < 0.02
    assert "superiority" not in rows


def test_systems_that_all_differ_are_clusters_of_their_own(tmp_path: Path) -> None:
    places = {
        (row.metric, row.group["system"]): row.estimate.value
        for row in rows_of(tmp_path, *lines_of())
        if row.raters == "humans" and row.metric in ("system_cluster", "place_best", "place_worst")
    }
    for at, system in enumerate(SHARED, start=1):
        assert {places[metric, system] for metric in ("system_cluster", "place_best")} == {at}
        assert places["place_worst", system] == at
