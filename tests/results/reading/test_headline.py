"""The headline that lists show is the first card's."""

from typing import Any

import pytest

from annotation.models import Study
from annotation.rounds.collection import Standing
from estimates.data.rows import Row
from estimates.models import CachedEstimates
from estimates.report.cache import report_of
from estimates.report.headline import headline_of
from results.reading.headline import read_headline

ROW: dict[str, Any] = {
    "metric": "krippendorff_alpha_nominal", "facet": "support", "raters": "humans", "group": {},
    "aggregation": "pooled", "consensus": None, "value": 0.84, "low": 0.81, "high": 0.87,
    "live_low": 0.7, "live_high": 0.9, "live_method": "confidence sequence",
    "n_units": 200, "n_raters": 9, "n_ratings": 600, "confidence": 0.95,
    "interval_method": "bootstrap over items",
}  # fmt: skip


def test_it_has_the_verdict_of_the_first_card_and_the_interval_that_applies() -> None:
    kept = {"title": "Support", "row": ROW, "people": 9}
    closed = read_headline(kept, Standing.PLANNED)
    assert (closed.value, closed.interval, closed.badge) == (
        "0.84",
        "0.81 to 0.87",
        "Well, these 9",
    )
    opened = read_headline(kept, Standing.COLLECTING)
    assert (opened.value, opened.interval, opened.badge) == (
        "0.84",
        "0.70 to 0.90",
        "Fairly, these 9",
    )


@pytest.mark.django_db
def test_it_is_kept_with_the_report(study: Study) -> None:
    report = report_of(study)
    kept = CachedEstimates.objects.get().headline
    assert kept == headline_of(study, report.rows)
    if kept is not None:
        assert Row.from_json(kept["row"]).raters == "humans"
