"""A judge's rates beside people's, as rows of a report."""

from pathlib import Path

import pytest

from annotation.models import Study
from estimates.data.options import Options
from estimates.data.rows import Row
from tests.results.estimates import estimate_study
from tests.results.two_judges import (
    BALANCED,
    LENIENT,
    PRECISION,
    TRUE_NEGATIVE_RATE,
    TRUE_POSITIVE_RATE,
    import_two_judges,
)

OPTIONS = Options(resamples=50)
Rows = dict[tuple[str, str, tuple[tuple[str, str], ...]], Row]


def rows_of(study: Study) -> Rows:
    found = estimate_study(study, OPTIONS).rows
    return {(row.metric, row.raters, tuple(row.group.items())): row for row in found}


@pytest.fixture
def rows(db: None, tmp_path: Path) -> Rows:
    return rows_of(import_two_judges(tmp_path))


@pytest.mark.parametrize("judge", [LENIENT, BALANCED])
def test_rates_of_the_two_judges(rows: Rows, judge: str) -> None:
    pair = f"humans~{judge}"

    def value(metric: str) -> float | None:
        return rows[metric, pair, ()].estimate.value

    assert value("true_positive_rate") == TRUE_POSITIVE_RATE[judge]
    assert value("true_negative_rate") == TRUE_NEGATIVE_RATE[judge]
    assert value("precision") == PRECISION[judge]
