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


@pytest.mark.parametrize("judge", [LENIENT, BALANCED])
def test_rates_over_both_labels_follow_from_the_rates_of_each(rows: Rows, judge: str) -> None:
    """Balanced accuracy is the mean of both rates; the people's answers are 139 yes and 61 no."""
    pair = f"humans~{judge}"
    yes, no = TRUE_POSITIVE_RATE[judge], TRUE_NEGATIVE_RATE[judge]
    right, passed = 139 * yes, 61 * (1 - no)
    missed, refused = 139 * (1 - yes), 61 * no

    def value(metric: str) -> float:
        return float(rows[metric, pair, ()].estimate)

    assert value("balanced_accuracy") == pytest.approx((yes + no) / 2)
    f1 = (2 * right / (2 * right + passed + missed), 2 * refused / (2 * refused + passed + missed))
    assert value("macro_f1") == pytest.approx(sum(f1) / 2)
    spread = (right + passed) * (missed + refused) * 139 * 61
    assert value("mcc") == pytest.approx((right * refused - passed * missed) / spread**0.5)
    assert 0 < value("label_divergence") < 1
