"""What a figure shows: one headline figure by system and party, with its intervals."""

from collections.abc import Sequence
from dataclasses import dataclass

from agreement import Estimate
from results.caching import Report
from results.choosing import Choice, headline, shown_parties
from results.rows import Row
from results.wording import metric_title, party_title


@dataclass(frozen=True)
class Series:
    """The points of one party, one per category; None where it has none."""

    name: str
    points: Sequence[Estimate | None]


@dataclass(frozen=True)
class Plot:
    """Points with intervals: categories downwards, parties beside each other."""

    measure: str
    categories: Sequence[str]
    series: Sequence[Series]


def plot_of(report: Report, facet: str, choice: Choice) -> Plot | None:
    """The plot of a facet by system, as a whole where systems are not told apart; None where
    there is nothing to draw."""
    metric = headline(report, facet)
    rows = [row for row in report.rows if row.facet == facet and row.metric == metric]
    drawn = _by_system(rows, choice) or {"": [row for row in rows if row.group == choice.group]}
    series = [
        Series(party_title(party), [_point(of, party) for of in drawn.values()])
        for party in shown_parties(report)
    ]
    series = [one for one in series if any(one.points)]
    if not series:
        return None
    return Plot(metric_title(metric), [name or choice.system for name in drawn], series)


def _by_system(rows: Sequence[Row], choice: Choice) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        rest = {key: name for key, name in row.group.items() if key != "system"}
        if "system" in row.group and rest == choice.group:
            found.setdefault(row.group["system"], []).append(row)
    return found


def _point(rows: Sequence[Row], party: str) -> Estimate | None:
    for row in rows:
        if row.raters == party and row.estimate.value is not None:
            return row.estimate
    return None
