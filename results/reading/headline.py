"""The one number by which lists tell how far the people of a study agree."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotation.rounds.collection import Standing
from estimates.data.rows import Row
from estimates.report.shown import shown_estimate
from results.reading.people import Agreement, badge_on, verdict_on
from results.reading.wording import interval, number


@dataclass(frozen=True)
class Headline:
    """How far people agree. value: α, empty where it is undefined; interval: `0.45 to 0.57`, or
    empty; badge: the verdict of the first card of the results."""

    title: str
    value: str
    interval: str
    badge: str


def read_headline(kept: Mapping[str, Any], standing: Standing) -> Headline:
    """What `estimates.report.headline` kept, of a study that stands so."""
    row = Row.from_json(kept["row"])
    estimate = shown_estimate(row.metric, row.estimate, standing)
    facts = Agreement(alpha=estimate, people=kept["people"])
    badge = badge_on(facts, verdict_on(facts)).text
    value = "" if estimate.value is None else number(estimate.value)
    return Headline(kept["title"], value, interval(estimate), badge)
