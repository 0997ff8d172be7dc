"""Rows of a report: an estimate together with what it is an estimate of."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from agreement import Estimate
from annotation.rater_names import BETWEEN, HUMANS
from estimates.data.raters import UNNAMED

Group = Mapping[str, str]
RowKey = tuple[str, str, str, tuple[tuple[str, str], ...], str, str | None]

# In a group: the facet of a judge's numbers, where a row compares them with people's in another.
SCORE_FACET = "score_facet"

# In a group: units that are no part of the study by themselves, such as those in `COMMON`.
UNITS = "units"
COMMON: Group = {UNITS: "common"}

# Before the names of the fields of an estimate's further intervals: the live one, the one for these
# raters, the one for raters like them.
FURTHER = ("live_", "these_", "others_")
# The fields of an estimate that a row leaves out where they are empty.
LEFT_OUT = frozenset(each.name for each in fields(Estimate) if each.name.startswith(FURTHER))

# Why numbers within a unit have no interval for other raters.
NUMBERED = f"none: {UNNAMED}"
# Why coefficients have no interval for other raters at a look.
NOT_YET = "none: not before all planned answers are in"

# How what a row has was put together: over all ratings, within a place and an item and then over
# items, over sources, within a source and then over sources, and of the means of systems.
POOLED, PER_ITEM, PER_SOURCE = "pooled", "per_item", "per_source"
SUMMARY, OF_SYSTEMS = "summary", "system"


@dataclass(frozen=True, kw_only=True)
class Row:
    """One estimate. No two rows of a report share all of the fields before `estimate`."""

    metric: str
    facet: str
    raters: str
    aggregation: str
    estimate: Estimate
    group: Group = field(default_factory=dict)
    consensus: str | None = None

    @property
    def key(self) -> RowKey:
        """What tells the row from all others."""
        group = tuple(sorted(self.group.items()))
        return self.metric, self.facet, self.raters, group, self.aggregation, self.consensus

    @property
    def first(self) -> str:
        """Who the row is about, or the first of a pair."""
        return self.raters.partition(BETWEEN)[0]

    @property
    def second(self) -> str:
        """Who the row is about, or the second of a pair."""
        return self.raters.rpartition(BETWEEN)[2]

    def as_json(self) -> dict[str, Any]:
        """The row as plain JSON, in the order in which it is documented; further intervals only
        where there are some, or a reason why not."""
        # Not by `asdict`, which copies each number: reports have thousands of rows.
        figures = vars(self.estimate)
        return {
            "metric": self.metric,
            "facet": self.facet,
            "raters": self.raters,
            "group": dict(self.group),
            "aggregation": self.aggregation,
            "consensus": self.consensus,
            **{
                name: value
                for name, value in figures.items()
                if value is not None or name not in LEFT_OUT
            },
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Row":
        """The row that `as_json` wrote."""
        names = Estimate.__dataclass_fields__
        others = {name: value for name, value in stored.items() if name not in names}
        return cls(
            estimate=Estimate(**{name: stored[name] for name in names if name in stored}), **others
        )


def people_in(rows: Iterable[Row]) -> int | None:
    """How many people gave the answers that rows are of; None where the files do not say it."""
    own = [row.estimate for row in rows if row.raters == HUMANS]
    if any(estimate.others_method == NUMBERED for estimate in own):
        return None
    return max((estimate.n_raters or 0 for estimate in own), default=0)


def live_estimate(estimate: Estimate) -> Estimate:
    """The estimate with live intervals alone; none where there is none, and why."""
    if estimate.live_method is None:
        return estimate  # no answers come in here, or no interval was asked for
    live = replace(
        estimate,
        low=estimate.live_low,
        high=estimate.live_high,
        interval_method=estimate.live_method,
    )
    if estimate.these_method is None:
        return live
    if estimate.live_these_method is None:  # the live one is that for these raters
        these = _reading(live, "these", "live")
        # Too few raters stay too few.
        return these if estimate.others_low is None else _reading(these, "others", "", NOT_YET)
    return _reading(_reading(live, "these", "live_these"), "others", "live")


def _reading(estimate: Estimate, name: str, other: str, method: str = "") -> Estimate:
    """With another interval of the estimate for one reading, or (other: "") none."""
    low, high = (getattr(estimate, f"{other}_{end}") if other else None for end in ("low", "high"))
    said = method or getattr(estimate, f"{other}_method")
    own: dict[str, Any] = {f"{name}_low": low, f"{name}_high": high, f"{name}_method": said}
    return replace(estimate, **own)
