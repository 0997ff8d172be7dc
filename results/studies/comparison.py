"""Two studies side by side: how far the second reproduces the figures and conclusions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from agreement import Estimate, correlation, cv_star
from agreement.systems.correlation import FEW_SYSTEMS, LEAST
from annotation.models import Study
from estimates.catalogue.agreement import ALPHA
from estimates.catalogue.judges import PEARSON, SPEARMAN
from estimates.catalogue.scores import CV_STAR, F1, MEAN, MEAN_RANK
from estimates.data.groups import SYSTEM
from estimates.data.parties import HUMANS
from estimates.data.published import AGGREGATION as PUBLISHED
from estimates.data.rows import Row
from estimates.report.cache import Report
from results.reading.cautions import few_systems
from results.reading.rows import RowIndex
from results.studies.conclusions import Conclusion, conclusions_of

LEVEL = "system"
AGAINST, OF_METRIC = "against", "metric"
# Of a facet the first of these that both studies have by system is compared.
METRICS = (MEAN_RANK, MEAN, F1)
CORRELATED = (PEARSON, SPEARMAN)
NO_SYSTEM = "no system in common"
TWO_SCALES = "the two studies asked on different scales"
# The lower end and the upper one.
Scale = tuple[float, float | None]


@dataclass(frozen=True)
class SystemPair:
    """One system's figure in both studies, and how far apart the two are (CV*, percent)."""

    system: str
    here: Estimate
    there: Estimate
    cv_star: Estimate


@dataclass(frozen=True)
class Comparison:
    """One metric of one party by system."""

    metric: str
    facet: str
    raters: str
    systems: tuple[SystemPair, ...]
    correlations: Mapping[str, Estimate]


@dataclass(frozen=True)
class AlphaPair:
    """People's agreement in both studies; None where a study has no such figure."""

    metric: str
    facet: str
    here: Estimate | None
    there: Estimate | None


@dataclass(frozen=True)
class Reproduction:
    """What two studies have in common. `here` is the study that was asked about, `there` the
    other one, in general the original."""

    study: str
    against: str
    comparisons: tuple[Comparison, ...]
    alphas: tuple[AlphaPair, ...]
    conclusions: tuple[Conclusion, ...]

    def rows(self) -> Iterator[Row]:
        """The comparisons as rows of the study's report, with the other study in the group."""
        for comparison in self.comparisons:
            same = [other for other in self.comparisons if other.facet == comparison.facet]
            several = len({other.metric for other in same}) > 1
            group = {AGAINST: self.against, **({OF_METRIC: comparison.metric} if several else {})}
            row = Row(
                metric=CV_STAR,
                facet=comparison.facet,
                raters=comparison.raters,
                group=group,
                aggregation=LEVEL,
                estimate=Estimate.missing(NO_SYSTEM),
            )
            for pair in comparison.systems:
                about = {**group, SYSTEM: pair.system}
                yield replace(row, group=about, estimate=pair.cv_star)
            for name, estimate in comparison.correlations.items():
                yield replace(row, metric=name, estimate=estimate)


def compare_reports(here: Report, there: Report) -> Reproduction:
    """Two reports side by side; both may be of published estimates, without answers."""
    comparisons = tuple(_comparisons(here, there))
    return Reproduction(
        study=here.study.slug,
        against=there.study.slug,
        comparisons=comparisons,
        alphas=tuple(_alphas(here, there)),
        conclusions=conclusions_of(here, there),
    )


def _comparisons(here: Report, there: Report) -> Iterator[Comparison]:
    scales, others = _scales(here.study), _scales(there.study)
    for raters in (HUMANS, *sorted(here.versions.keys() & there.versions.keys())):
        mine, theirs = (_by_system(report, raters) for report in (here, there))
        compared = set()
        for metric in _metrics(mine, theirs):
            pairs = facet_pairs(_facets(mine, metric), _facets(theirs, metric))
            for facet, other in pairs:
                if facet in compared and not _is_published(here, there):
                    continue
                compared.add(facet)
                ends = (scales.get(facet), others.get(other)) if metric == MEAN else ()
                figures = mine[metric, facet], theirs[metric, other]
                systems = _pairs(*figures, [scale for scale in ends if scale])
                yield Comparison(metric, facet or other, raters, systems, _correlate(systems))


def _scales(study: Study) -> dict[str, Scale]:
    """The ends of each facet's scale; they are unknown for published figures."""
    if study.has_published_figures:
        return {}
    facets = [facet for block in study.blocks.all() for facet in block.facets]
    return {facet.name: (facet.low, facet.high) for facet in facets if facet.low is not None}


def _by_system(report: Report, raters: str) -> dict[tuple[str, str], dict[str, Estimate]]:
    """(metric, facet) -> system -> figure; of those that are defined."""
    figures: dict[tuple[str, str], dict[str, Estimate]] = {}
    for row in RowIndex(report.rows).where(raters=raters, by=[SYSTEM]):
        if row.aggregation in ("per_item", PUBLISHED):
            values = figures.setdefault((row.metric, row.facet), {})
            if row.estimate.value is not None:
                values[row.group[SYSTEM]] = row.estimate
    return figures


def _metrics(mine: Iterable[tuple[str, str]], theirs: Iterable[tuple[str, str]]) -> list[str]:
    """The usual ones first, then whatever a published table has."""
    shared = {metric for metric, _ in mine} & {metric for metric, _ in theirs}
    named = {metric for metric, facet in [*mine, *theirs] if not facet}
    return [m for m in METRICS if m in shared] + sorted((shared & named) - set(METRICS))


def _facets(keys: Iterable[tuple[str, str]], metric: str) -> list[str]:
    return [facet for name, facet in keys if name == metric]


def _is_published(*reports: Report) -> bool:
    return any(report.study.has_published_figures for report in reports)


def facet_pairs(mine: Sequence[str], theirs: Sequence[str]) -> list[tuple[str, str]]:
    """Facets of the same name. A published figure names none: it is compared with the other
    study's facet where that has only one with the metric."""
    shared = [(facet, facet) for facet in dict.fromkeys(mine) if facet in theirs]
    if shared or not ("" in mine or "" in theirs):
        return shared
    return [(mine[0], theirs[0])] if len(mine) == len(theirs) == 1 else []


def _pairs(
    mine: Mapping[str, Estimate], theirs: Mapping[str, Estimate], scales: Sequence[Scale]
) -> tuple[SystemPair, ...]:
    """scales: those of the two studies that are known."""
    return tuple(
        SystemPair(name, figure, theirs[name], _apart(figure, theirs[name], scales))
        for name, figure in mine.items()
        if name in theirs
    )


def _apart(here: Estimate, there: Estimate, scales: Sequence[Scale]) -> Estimate:
    """CV* is about scales that begin at 0: what lies on another one is moved there."""
    if len(set(scales)) > 1:
        return Estimate.missing(TWO_SCALES)
    low = scales[0][0] if scales else 0.0
    return cv_star(
        [estimate.value - low for estimate in (here, there) if estimate.value is not None]
    )


def _correlate(systems: Sequence[SystemPair]) -> dict[str, Estimate]:
    if not systems:
        return {name: Estimate.missing(NO_SYSTEM, n_units=0) for name in CORRELATED}
    if len(systems) < LEAST:
        few = Estimate.missing(FEW_SYSTEMS, n_units=len(systems))
        return dict.fromkeys(CORRELATED, few)
    here, there = [pair.here.value for pair in systems], [pair.there.value for pair in systems]
    coefficients = {
        name: correlation(here, there, method=name, level="sample") for name in CORRELATED
    }
    return {
        name: replace(estimate, n_units=len(systems), n_raters=None, n_ratings=None)
        for name, estimate in coefficients.items()
    }


def caution_of(comparison: Comparison) -> str:
    """What to bear in mind of its correlations; empty where there is nothing."""
    values = [estimate.value for estimate in comparison.correlations.values()]
    return few_systems(len(comparison.systems)) if any(v is not None for v in values) else ""


def _alphas(here: Report, there: Report) -> Iterator[AlphaPair]:
    mine, theirs = (_alphas_of(report) for report in (here, there))
    for metric in dict.fromkeys([m for m, _ in mine] + [m for m, _ in theirs]):
        for facet, other in facet_pairs(_facets(mine, metric), _facets(theirs, metric)):
            figures = mine[metric, facet], theirs[metric, other]
            yield AlphaPair(metric, facet or other, *figures)


def _alphas_of(report: Report) -> dict[tuple[str, str], Estimate]:
    return {
        (row.metric, row.facet): row.estimate
        for row in RowIndex(report.rows).where(raters=HUMANS, group={})
        if row.metric.startswith(ALPHA)
    }
