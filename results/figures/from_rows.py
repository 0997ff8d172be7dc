"""Figures made from the rows of a report: systems, correlations, differences of systems, raters."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement import Estimate
from estimates.catalogue import Table, metric, place_of
from estimates.catalogue.scores import HEAD_TO_HEAD
from estimates.catalogue.systems import MEAN_DIFFERENCE
from estimates.data.rows import OF_SYSTEMS, POOLED, SCORE_FACET, SUMMARY, Row
from estimates.metrics.systems.differences import OTHER
from estimates.report.cache import Report
from results.figures.plots import (
    COEFFICIENTS,
    SHARES,
    Cloud,
    Matrix,
    Nothing,
    Plot,
    Points,
    Series,
    ends_of,
    scale_title,
)
from results.reading.rows import CROWDS, RowIndex
from results.reading.titles import metric_title, party_title
from results.reading.wording import uncapitalised
from results.tables.choice import PageFilter, headline, shown_parties
from tasktypes.facets import Facet

LEVELS = {
    OF_SYSTEMS: gettext_lazy("systems"),
    SUMMARY: gettext_lazy("within sources"),
    POOLED: gettext_lazy("samples"),
}
SETTLED, DRAW = 0.05, 0.5
Pair = tuple[str, str]
NO_FIGURES = "there are no figures for this part of the study"


def correlations(report: Report, facet: Facet, choice: PageFilter) -> Plot:
    """Each judge's correlation with people, of systems' means, within sources and of samples."""
    rows = [
        row
        for row in _of_part(report, facet, choice, {SCORE_FACET})
        if Table.CORRELATION in metric(row.metric).tables and row.aggregation in LEVELS
        if row.first in CROWDS
    ]
    defined = [row for row in rows if row.estimate.value is not None]
    if not defined:
        return Nothing(_(NO_FIGURES))
    name = min((row.metric for row in defined), key=place_of)
    own = RowIndex(defined).where(name)
    points = {(_judge(row), row.aggregation): row.estimate for row in own}
    judges = sorted(
        dict.fromkeys(judge for judge, _level in points),
        key=lambda judge: -max(points[at].value or 0.0 for at in points if at[0] == judge),
    )
    series = [
        Series(str(title), [points.get((judge, level)) for judge in judges])
        for level, title in LEVELS.items()
    ]
    series = [level for level in series if any(level.points)]
    return Points(metric_title(name), judges, series, COEFFICIENTS)


def _judge(row: Row) -> str:
    facet = row.group.get(SCORE_FACET)
    return f"{row.second} ({facet})" if facet else row.second


def differences(report: Report, facet: Facet, choice: PageFilter) -> Plot:
    """The system in a row minus the one in a column, best first, and which differences the test
    that is corrected for all pairs settles."""
    pairs = _Pairs.of(report, facet, choice)
    apart = pairs.defined(MEAN_DIFFERENCE)
    if not apart:
        return Nothing(_(NO_FIGURES))
    values = {pair: float(estimate) for pair, estimate in apart.items()}
    systems, most = _ordered(values), max(map(abs, values.values())) or 1.0
    turned = {pair: Estimate(value=-value) for pair, value in values.items()}
    plain = {pair: Estimate(value=value) for pair, value in values.items()}
    cells = _square(systems, plain, turned)
    measure, marked = _("Row minus column"), pairs.settled(systems)
    return Matrix(measure, systems, systems, cells, -most, most, pairs.note, marked)


def wins(report: Report, facet: Facet, choice: PageFilter) -> Plot:
    """How often the system in a row won against the one in a column, best first, with the number
    of their comparisons, and for which two the test that is corrected for all pairs settles it."""
    pairs = _Pairs.of(report, facet, choice)
    met = pairs.defined(HEAD_TO_HEAD)
    if not met:
        return Nothing(_(NO_FIGURES))
    systems = _ordered({pair: float(share) - DRAW for pair, share in met.items()})
    every = pairs.by_metric[HEAD_TO_HEAD]
    cells = _square(systems, every, {pair: _lost(share) for pair, share in every.items()})
    return Matrix(
        _("Row won against column (number of comparisons)"),
        systems,
        systems,
        cells,
        *SHARES,
        pairs.note,
        pairs.settled(systems),
        middle=DRAW,
        counted=True,
    )


def _lost(share: Estimate) -> Estimate:
    """The same comparisons from the other side."""
    if share.value is None:
        return share
    low, high = (None if bound is None else 1 - bound for bound in (share.high, share.low))
    return replace(share, value=1 - share.value, low=low, high=high)


@dataclass(frozen=True)
class _Pairs:
    """Of every two systems each metric, as the first crowd that there is answered."""

    crowd: str
    by_metric: Mapping[str, Mapping[Pair, Estimate]]

    @classmethod
    def of(cls, report: Report, facet: Facet, choice: PageFilter) -> "_Pairs":
        """Those of the chosen part."""
        part = _of_part(report, facet, choice, {"system", OTHER})
        index = RowIndex(row for row in part if OTHER in row.group)
        crowd = next((name for name in CROWDS if index.where(raters=name)), "")
        by_metric: dict[str, dict[Pair, Estimate]] = {}
        for row in index.where(raters=crowd):
            pair = row.group["system"], row.group[OTHER]
            by_metric.setdefault(row.metric, {})[pair] = row.estimate
        return cls(crowd, by_metric)

    def defined(self, name: str) -> dict[Pair, Estimate]:
        """The estimates that have a value."""
        found = self.by_metric.get(name, {})
        return {pair: of for pair, of in found.items() if of.value is not None}

    @property
    def test(self) -> str:
        """The first p value of the catalogue that there is; empty where there is none."""
        tests = [name for name in self.by_metric if metric(name).kind == "p" and self.defined(name)]
        return min((t for t in tests if Table.PAIRS in metric(t).tables), key=place_of, default="")

    @property
    def note(self) -> str:
        """Who answered, and what a star means."""
        who = party_title(self.crowd)
        about = {"who": who, "test": metric_title(self.test)}
        return _("%(who)s; * if below .05: %(test)s") % about if self.test else who

    def settled(self, systems: Sequence[str]) -> frozenset[tuple[int, int]]:
        """The fields of pairs whose p is small."""
        place = {name: at for at, name in enumerate(systems)}
        small = [of for of, p in self.defined(self.test).items() if float(p) < SETTLED]
        fields = [(place[one], place[other]) for one, other in small if {one, other} <= {*place}]
        return frozenset(
            field for row, column in fields for field in ((row, column), (column, row))
        )


def _ordered(values: Mapping[tuple[str, str], float]) -> list[str]:
    """The systems by the sum of their differences from all others."""
    sums: dict[str, float] = {}
    for (first, second), value in values.items():
        sums[first] = sums.get(first, 0.0) + value
        sums[second] = sums.get(second, 0.0) - value
    return sorted(sums, key=lambda name: (-sums[name], name))


def _square(
    systems: Sequence[str],
    first: Mapping[Pair, Estimate],
    second: Mapping[Pair, Estimate],
) -> list[list[Estimate | None]]:
    """A field per row and column: first of each pair, and second of the pair turned round."""
    turned = {(other, one): estimate for (one, other), estimate in second.items()}
    fields = {**first, **turned}
    return [[fields.get((row, column)) for column in systems] for row in systems]


def workers(report: Report, facet: Facet, _choice: PageFilter) -> Plot:
    """How far each rater agrees with the others, by how much they answered."""
    rows = [*_single(report, facet)]
    if not rows:
        return Nothing(_("no figures of single raters"))
    name = min((row.metric for row in rows), key=place_of)
    points = [row.estimate for row in RowIndex(rows).where(name)]
    x = [float(point.n_ratings or 0) for point in points]
    y = [point.value or 0.0 for point in points]
    title = metric_title(name)
    return Cloud(title, _("Answers"), title, x, y, [1] * len(x), own_scales=True)


def _single(report: Report, facet: Facet) -> Iterator[Row]:
    """Rows of people's quality that say from how many answers, and have a value."""
    for row in RowIndex(report.rows).of(facet.name).where(group={}):
        entry, estimate = metric(row.metric), row.estimate
        told = row.raters not in CROWDS and estimate.value is not None and estimate.n_ratings
        if told and Table.QUALITY in entry.tables and entry.better == "higher":
            yield row


def _of_part(report: Report, facet: Facet, choice: PageFilter, more: set[str]) -> list[Row]:
    """The rows of the chosen part with some keys more, else those of the whole study."""
    rows = RowIndex(report.rows).of(facet.name)
    part = [
        row
        for row in rows
        if choice.group.items() <= row.group.items()
        and row.group.keys() - choice.group.keys() <= more
    ]
    return part or [row for row in rows if row.group.keys() <= more]


def systems_plot(report: Report, facet: Facet, choice: PageFilter, only: str = "") -> Plot:
    """The headline figure of a facet by system, best first, as a whole where systems are not told
    apart. only: the one party that is shown."""
    name = headline(report, facet.name)
    rows = RowIndex(report.rows).of(facet.name).where(name)
    by_system = _by_system(rows, choice)
    drawn = by_system or {"": [row for row in rows if row.group == choice.group]}
    parties = [only] if only else shown_parties(report)
    systems = _best_first(drawn, parties, lower=metric(name).better == "lower")
    series = [
        Series(party_title(party), [_point(drawn[system], party) for system in systems])
        for party in parties
    ]
    series = [party for party in series if any(party.points)]
    if not series:
        return Nothing(_(NO_FIGURES))
    measure = _("%(facet)s, %(metric)s") % {
        "facet": scale_title(facet),
        "metric": uncapitalised(metric_title(name, facet)),
    }
    names = [system or choice.system for system in systems]
    return Points(measure, names, series, ends_of(name, facet))


def _best_first(
    drawn: Mapping[str, Sequence[Row]], parties: Sequence[str], *, lower: bool
) -> list[str]:
    """The systems by what the first party finds of them that has figures of any."""
    for party in parties:
        values = {name: point.value for name in drawn if (point := _point(drawn[name], party))}
        if values:
            return sorted(
                drawn,
                key=lambda name: (
                    name not in values,
                    (values.get(name) or 0.0) * (1 if lower else -1),
                ),
            )
    return list(drawn)


def _by_system(rows: Sequence[Row], choice: PageFilter) -> dict[str, list[Row]]:
    wanted = {key: name for key, name in choice.group.items() if key != "system"}
    rows_of: dict[str, list[Row]] = {}
    for row in rows:
        rest = dict(row.group)
        system = rest.pop("system", "")
        if system and rest == wanted and choice.system in ("", system):
            rows_of.setdefault(system, []).append(row)
    return rows_of


def _point(rows: Sequence[Row], party: str) -> Estimate | None:
    own = RowIndex(rows).where(raters=party)
    return next((row.estimate for row in own if row.estimate.value is not None), None)
