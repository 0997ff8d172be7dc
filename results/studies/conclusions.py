"""Conclusions of a study about its systems, and whether the figures support them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from agreement.values.rounding import even
from results.data.groups import SYSTEM
from results.data.parties import HUMANS
from results.data.rows import Row
from results.metrics.catalogue import metric
from results.report.cache import Report

CONFIRMED, NOT_CONFIRMED, UNDECIDED = "confirmed", "not confirmed", "undecided"


@dataclass(frozen=True)
class Statement:
    """One system is better than another by a metric, which may name its facet: facet/metric."""

    metric: str
    better: str
    worse: str

    def holds(self, rows: Sequence[Row]) -> bool | None:
        """Whether the figures of people support it; None where there are no figures."""
        better, worse = (self._value(rows, name) for name in (self.better, self.worse))
        if better is None or worse is None:
            return None
        lower = metric(self.metric.rpartition("/")[2]).better == "lower"
        apart = np.diff(even(np.array([worse, better]))).item()
        return bool(apart < 0 if lower else apart > 0)

    def _value(self, rows: Sequence[Row], system: str) -> float | None:
        """The one figure of that system; None where there is none, or where facets differ in it."""
        facet, _slash, name = self.metric.rpartition("/")
        values = [
            row.estimate.value
            for row in rows
            if (row.metric, row.raters, row.group) == (name, HUMANS, {SYSTEM: system})
            and (not facet or row.facet in (facet, ""))
        ]
        return values[0] if len(values) == 1 else None


@dataclass(frozen=True)
class Conclusion:
    """A sentence, the statements that make it up, and whether all of them hold in each study."""

    text: str
    statements: tuple[Statement, ...]
    here: bool | None
    there: bool | None

    @property
    def verdict(self) -> str:
        """Confirmed where it holds in both studies, undecided where a study has no figures."""
        if self.here is None or self.there is None:
            return UNDECIDED
        return CONFIRMED if self.here and self.there else NOT_CONFIRMED


def conclusions_of(here: Report, there: Report) -> tuple[Conclusion, ...]:
    """The conclusions that the files of either study state. Those with the same text are one,
    which holds where all of its statements do."""
    stated: dict[str, dict[Statement, None]] = {}
    for text, statement in (*_stated(there), *_stated(here)):
        stated.setdefault(text, {})[statement] = None
    return tuple(
        Conclusion(
            text=text,
            statements=tuple(statements),
            here=_all([statement.holds(here.rows) for statement in statements]),
            there=_all([statement.holds(there.rows) for statement in statements]),
        )
        for text, statements in stated.items()
    )


def _stated(report: Report) -> Iterator[tuple[str, Statement]]:
    for conclusion in report.study.conclusions:
        yield (
            conclusion["text"],
            Statement(conclusion["metric"], conclusion["better"], conclusion["worse"]),
        )


def _all(held: Sequence[bool | None]) -> bool | None:
    """False where any is false, even if others are unknown."""
    if False in held:
        return False
    return None if None in held else True
