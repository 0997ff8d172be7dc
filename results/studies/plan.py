"""A plan of the next study, from this one as its pilot or from assumptions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agreement import Pilot
from annotation.models import Study
from estimates.report.cache import Report
from results.studies.size import Size, pilot_of, sizes_for


@dataclass(frozen=True)
class Wish:
    """An interval no wider than `width`, for a facet of the study (empty: for two answers of which
    the first has that share). agreement: an assumption in place of the study's own α. round_: the
    name of the round that is the pilot, counting or not; empty: all that count."""

    width: float
    facet: str = ""
    round_: str = ""
    share: float = 0.5
    agreement: float | None = None


@dataclass(frozen=True)
class Plan:
    """Sizes by raters per unit, and the α they rest on; or why there are none."""

    sizes: Sequence[Size] = ()
    agreement: float | None = None
    reason: str = ""


def plan(study: Study, report: Report | None, wish: Wish) -> Plan:
    """Simulate studies until intervals are narrow enough. report: what was counted last."""
    try:
        pilot = _pilot(study, report, wish)
        sizes = sizes_for(pilot, width=wish.width)
    except ValueError as error:
        return Plan(reason=str(error))
    return Plan(sizes, pilot.agreement)


def _pilot(study: Study, report: Report | None, wish: Wish) -> Pilot:
    if not wish.facet:
        shares = [wish.share, 1 - wish.share]
        agreement = 0.5 if wish.agreement is None else wish.agreement
        return Pilot(values=["yes", "no"], shares=shares, agreement=agreement, distance="nominal")
    round_ = study.rounds.get(name=wish.round_) if wish.round_ else None
    facets = (facet for block in study.blocks.all() for facet in block.facets)
    pilot = pilot_of(report, next(f for f in facets if f.name == wish.facet), round_)
    return pilot if wish.agreement is None else replace(pilot, agreement=wish.agreement)
