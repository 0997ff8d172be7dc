"""The one number by which lists tell how far the people of a study agree."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from results.data.rows import Row, live_estimate
from results.reading.people import BADGES, Agreement, verdict_on
from results.reading.wording import interval, number


@dataclass(frozen=True)
class Headline:
    """How far people agree. value: α, empty where it is undefined; interval: `0.45 to 0.57`, or
    empty; badge: the verdict of the first card of the results."""

    title: str
    value: str
    interval: str
    badge: str


def read_headline(kept: Mapping[str, Any], *, live: bool) -> Headline:
    """What `results.report.headline` kept. live: the study is open, so the interval is the one that
    holds at every look."""
    estimate = Row.from_json(kept["row"]).estimate
    if live and estimate.value is not None:
        estimate = live_estimate(estimate)
    verdict = verdict_on(Agreement(alpha=estimate, people=kept["people"]))
    value = "" if estimate.value is None else number(estimate.value)
    return Headline(kept["title"], value, interval(estimate), BADGES[verdict].text)
