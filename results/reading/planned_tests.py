"""What a study of this size, or a larger one, can show of its systems by its report's tests."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from agreement import (
    Estimate,
    RaterPart,
    detectable_difference,
    raters_for_difference,
    sources_for_difference,
)
from agreement.scores.clustered import ROUNDING
from estimates.catalogue.systems import MEAN_DIFFERENCE, RATERS_BY_SYSTEMS
from estimates.data.groups import SYSTEM
from estimates.data.parties import HUMANS
from estimates.data.rows import Row
from estimates.metrics.systems.differences import OTHER
from results.reading.rows import RowIndex

POWER, LEVEL = 0.8, 0.05
# Fewer sources have no spread to plan with; fewer raters say nothing of others.
LEAST = 3
# How many times as many sources, and raters, the sizes of a plan are.
TIMES = (1, 2, 4, 8)
PAIR = (SYSTEM, OTHER)


@dataclass(frozen=True)
class PlannedTest:
    """The tests of every two systems of a facet, and what their errors rest on.

    first, second, now: the largest difference there is. sources: of the pair with the fewest. sd:
    of the sources' differences, over all pairs. raters: what raters like these add, None where one
    cannot say. pairs: they share the level, which Holm's correction never falls below.
    """

    facet: str
    first: str
    second: str
    now: Estimate
    sources: int
    sd: float
    raters: RaterPart | None
    pairs: int

    def least(self, times: int = 1, raters: RaterPart | None = None) -> float:
        """The difference shown with power .8 with so many times the sources; for others none that
        these raters would not show."""
        found = float(
            detectable_difference(
                sources=times * self.sources,
                sd=self.sd,
                raters=raters,
                power=POWER,
                level=LEVEL / self.pairs,
            )
        )
        return found if raters is None else max(found, self.least(times))

    @property
    def largest(self) -> tuple[str, str, float]:
        """The largest difference, the higher system first."""
        names = (self.first, self.second) if float(self.now) > 0 else (self.second, self.first)
        return *names, self._size

    @property
    def least_of_these(self) -> float:
        """For these raters."""
        return self.least()

    @property
    def least_of_others(self) -> float | None:
        """For raters like them."""
        return None if self.raters is None else self.least(raters=self.raters)

    @property
    def units_of_these(self) -> Estimate:
        """Sources that show the difference as it is, for these raters."""
        return self._units(None)

    @property
    def units_of_others(self) -> Estimate | None:
        """The same for raters like them, with as many raters as now."""
        return None if self.raters is None else self._units(self.raters)

    @property
    def people_of_others(self) -> Estimate | None:
        """Raters that show it for others, with as many sources as now."""
        if self.raters is None or not self._size:
            return None
        return raters_for_difference(
            self._size,
            sources=self.sources,
            sd=self.sd,
            raters=self.raters,
            power=POWER,
            level=LEVEL / self.pairs,
        )

    def _units(self, raters: RaterPart | None) -> Estimate:
        if not self._size:
            return Estimate.missing("there is no difference")
        return sources_for_difference(
            self._size, sd=self.sd, raters=raters, power=POWER, level=LEVEL / self.pairs
        )

    @property
    def _size(self) -> float:
        return abs(float(self.now))

    @property
    def more_sources(self) -> list[int]:
        """1, 2, 4 and 8 times the sources."""
        return [times * self.sources for times in TIMES]

    @property
    def grid(self) -> list[tuple[int, list[float]]]:
        """Raters, and the differences that they show for others with 1, 2, 4 and 8 times the
        sources; the same for 2, 4 and 8 times the raters."""
        if self.raters is None:
            return []
        sizes = [self.raters._replace(raters=times * self.raters.raters) for times in TIMES]
        return [(size.raters, [self.least(times, size) for times in TIMES]) for size in sizes]


def planned_tests(rows: Iterable[Row]) -> list[PlannedTest]:
    """Of every facet with two systems that people rated on the same sources."""
    index = RowIndex(rows)
    facets = dict.fromkeys(row.facet for row in index.where(MEAN_DIFFERENCE, HUMANS, by=PAIR))
    found = (planned_test(index.of(facet)) for facet in facets)
    return [test for test in found if test is not None]


def planned_test(rows: RowIndex) -> PlannedTest | None:
    """Of the systems of one facet; None where no two of them share enough sources, or all differ
    by the same everywhere."""
    apart = rows.where(MEAN_DIFFERENCE, HUMANS, by=PAIR)
    spread = [row for row in apart if row.estimate.sd is not None]
    spread = [row for row in spread if (row.estimate.n_units or 0) >= LEAST]
    if not spread:
        return None
    widest = max(spread, key=lambda row: abs(float(row.estimate)))
    sd = sqrt(sum(float(row.estimate.sd or 0) ** 2 for row in spread) / len(spread))
    if sd < ROUNDING:  # the same difference everywhere says nothing of other sources
        return None
    return PlannedTest(
        facet=widest.facet,
        first=widest.group[SYSTEM],
        second=widest.group[OTHER],
        now=widest.estimate,
        sources=min(row.estimate.n_units or 0 for row in spread),
        sd=sd,
        raters=_rater_part(rows, len(apart)),
        pairs=len(apart),
    )


def _rater_part(rows: RowIndex, pairs: int) -> RaterPart | None:
    spread = rows.get(RATERS_BY_SYSTEMS)
    if spread is None or spread.value is None or (spread.n_raters or 0) < LEAST:
        return None
    # m systems have m (m - 1) / 2 pairs.
    systems = round((1 + sqrt(1 + 8 * pairs)) / 2)
    return RaterPart(spread.n_raters or 0, spread.value, systems)
