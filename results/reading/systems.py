"""What differs between systems? The figures and the verdict."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

from agreement import Estimate
from agreement.bootstrap.intervals import FEWEST_RATERS
from agreement.systems.differences import ALIKE
from estimates.catalogue import metric
from estimates.catalogue.scores import F1, MEAN, MEAN_RANK, SHARE, STRENGTH, STRENGTH_FIT, WIN_SHARE
from estimates.catalogue.systems import DIFFERENCE_P_HOLM, MEAN_DIFFERENCE, THESE_P_HOLM
from estimates.data.groups import SYSTEM
from estimates.data.parties import HUMANS
from estimates.metrics.systems.differences import OTHER
from estimates.report.shown import awaits_the_end
from results.reading.answer import Badge, Tone
from results.reading.bounds import (
    defined,
    excludes,
    for_raters_like_them,
    for_these_raters,
    turned,
)
from results.reading.rows import FacetRows
from tasktypes.facets import Facet

# A difference is settled only below this p, and where the interval leaves out 0, too.
LEVEL = 0.05


class SystemsVerdict(StrEnum):
    """What may be said of systems; docs/results.md has the rules."""

    NO_METRIC = "nothing to average"
    NO_SYSTEM = "no system is named"
    ONE_SYSTEM = "one system"
    NO_PEOPLE = "nobody answered"
    UNTESTED = "untested"
    NOT_SHOWN = "not shown"
    THESE = "these raters"
    DIFFER = "some differ"
    ALL_DIFFER = "all differ"


BADGES = {
    SystemsVerdict.NO_METRIC: Badge(Tone.OPEN, "No verdict"),
    SystemsVerdict.NO_SYSTEM: Badge(Tone.OPEN, "No system"),
    SystemsVerdict.ONE_SYSTEM: Badge(Tone.OPEN, "One system"),
    SystemsVerdict.NO_PEOPLE: Badge(Tone.OPEN, "No answers"),
    SystemsVerdict.UNTESTED: Badge(Tone.OPEN, "Not tested"),
    SystemsVerdict.NOT_SHOWN: Badge(Tone.OPEN, "Not shown"),
    SystemsVerdict.THESE: Badge(Tone.CARE, "These raters"),
    SystemsVerdict.DIFFER: Badge(Tone.CARE, "Some differ"),
    SystemsVerdict.ALL_DIFFER: Badge(Tone.GOOD, "They differ"),
}


@dataclass(frozen=True)
class System:
    """A system with people's figure of it."""

    name: str
    estimate: Estimate


@dataclass(frozen=True)
class Pair:
    """Two systems. difference: the upper one's figure minus the lower one's on the same sources,
    with the intervals of both readings. these, others: p for these raters and for raters like them,
    corrected for all pairs."""

    upper: System
    lower: System
    difference: Estimate
    these: Estimate
    others: Estimate | None = None

    @property
    def turned(self) -> "Pair":
        """The same pair named the other way round."""
        apart = turned(self.difference)
        return replace(self, upper=self.lower, lower=self.upper, difference=apart)

    @property
    def differs(self) -> bool:
        """Whether test and interval tell the two apart for these raters."""
        return _allows(self.these) and excludes(for_these_raters(self.difference))

    @property
    def holds(self) -> bool:
        """Whether they do so for raters like them, too."""
        others = for_raters_like_them(self.difference)
        return self.differs and _allows(self.others) and excludes(others)

    @property
    def size(self) -> float:
        """How far apart they are."""
        return float(self.difference)


def _below(p: Estimate | None) -> bool:
    return p is not None and p.value is not None and p.value < LEVEL


def _allows(p: Estimate | None) -> bool:
    """Whether a test does not speak against what an interval shows; at a look there is none."""
    return p is not None and (_below(p) or awaits_the_end(p))


@dataclass(frozen=True)
class Systems:
    """What the rules look at. by: the metric; systems: the highest first (of ranks the lowest);
    named: all systems of the study; pairs: as far as they are tested; flat: the widest of those
    that differ by the same on every source, which is no test. people: how many answered, None where
    that is not known. fit: p of strengths' fitting who won against whom."""

    by: str
    systems: Sequence[System] = ()
    named: int = 0
    pairs: Sequence[Pair] = ()
    people: int | None = 0
    fit: Estimate | None = None
    reason: str = ""
    flat: Pair | None = None

    @property
    def fits(self) -> bool:
        """Whether nothing speaks against strengths, or there are none."""
        return not _below(self.fit)

    @property
    def apart(self) -> list[Pair]:
        """The pairs told apart for these raters."""
        return [pair for pair in self.pairs if pair.differs]

    @property
    def holding(self) -> list[Pair]:
        """The pairs told apart for raters like them, which takes three of these."""
        enough = self.people is not None and self.people >= FEWEST_RATERS
        return [pair for pair in self.pairs if pair.holds] if enough else []

    @property
    def widest(self) -> Pair:
        """The pair that is farthest apart."""
        return max(self.pairs, key=lambda pair: abs(pair.size))

    @property
    def cycle(self) -> Sequence[str]:
        """Three systems of which each is told apart from the next, and the last from the first."""
        beats = {(pair.upper.name, pair.lower.name) for pair in self.apart}
        for first, second in sorted(beats):
            third = next((c for b, c in sorted(beats) if b == second and (c, first) in beats), "")
            if third:
                return first, second, third
        return ()

    def of(self, *names: str) -> Pair | None:
        """The pair of these two, in whichever order."""
        return next((p for p in self.pairs if {p.upper.name, p.lower.name} == {*names}), None)


def metric_of(facet: Facet) -> str:
    """The figure that stands for a system; empty where labels have no mean."""
    if facet.ranks:
        return MEAN_RANK
    if facet.names_items:
        return STRENGTH
    if facet.kind == "label":
        return SHARE if len(facet.labels) == 2 else ""
    return MEAN if facet.kind == "number" else F1


def systems_of(rows: FacetRows) -> Systems:
    """The systems of a facet, as people see them."""
    by = metric_of(rows.facet)
    own = rows.by(SYSTEM, by, HUMANS)
    if by == STRENGTH and not any(map(defined, own.values())):
        by, own = WIN_SHARE, rows.by(SYSTEM, WIN_SHARE, HUMANS)  # somebody won or lost everything
    systems = [System(name, of) for name, of in own.items() if defined(of)]
    sign = 1 if metric(by).better == "lower" else -1
    systems.sort(key=lambda system: (sign * float(system.estimate), system.name))
    everywhere = {row.group[SYSTEM] for row in rows.where(by=[SYSTEM])}
    found = (_pair(rows, by, *two) for two in combinations(systems, 2))
    pairs = [pair for pair in found if pair is not None]
    tested = [pair for pair in pairs if defined(pair.these) or awaits_the_end(pair.these)]
    flat = [p for p in pairs if p.these.undefined == ALIKE and defined(p.difference)]
    reasons = (pair.these.undefined for pair in pairs)
    reasons_of_means = (of.undefined for of in own.values())
    return Systems(
        by=by,
        systems=systems,
        named=len(everywhere),
        pairs=tested,
        people=rows.people,
        fit=rows.get(STRENGTH_FIT) if by == STRENGTH else None,
        reason=next(filter(None, [*reasons, *reasons_of_means]), "") or "",
        flat=max(flat, key=lambda pair: pair.size, default=None),
    )


def _pair(rows: FacetRows, by: str, first: System, second: System) -> Pair | None:
    """Rows hold the system first in the alphabet minus the other; here it is the one listed first,
    of ranks turned, so that above 0 it is the better one. Turned where, on the sources that both
    share, the one listed second is the better one."""
    group = dict(zip((SYSTEM, OTHER), sorted((first.name, second.name)), strict=True))
    difference, these = (rows.get(name, **group) for name in (MEAN_DIFFERENCE, THESE_P_HOLM))
    if difference is None or these is None:
        return None
    if (group[SYSTEM] != first.name) != (metric(by).better == "lower"):
        difference = turned(difference)
    pair = Pair(first, second, difference, these, rows.get(DIFFERENCE_P_HOLM, **group))
    return pair.turned if defined(difference) and pair.size < 0 else pair


def verdict_on(facts: Systems) -> SystemsVerdict:
    """The rules in their order; the first that applies."""
    rules = (
        (SystemsVerdict.NO_METRIC, not facts.by),
        (SystemsVerdict.ONE_SYSTEM, facts.named == 1),
        (SystemsVerdict.NO_PEOPLE, facts.people == 0),
        (SystemsVerdict.NO_SYSTEM, not facts.named),
        (SystemsVerdict.UNTESTED, not facts.pairs),
        (SystemsVerdict.NOT_SHOWN, not facts.apart),
        (SystemsVerdict.THESE, not facts.holding),
    )
    verdict = next((verdict for verdict, applies in rules if applies), None)
    if verdict is not None:
        return verdict
    n = len(facts.systems)
    return (
        SystemsVerdict.ALL_DIFFER
        if len(facts.holding) == n * (n - 1) // 2
        else SystemsVerdict.DIFFER
    )
