"""Figures made from the rows of a report: systems, correlations, differences of systems, raters."""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement import Estimate
from estimates.catalogue import MEAN_DIFFERENCE, Table, metric, place_of
from estimates.data.parties import HUMANS, SIMULATED
from estimates.data.rows import OF_SYSTEMS, POOLED, SCORE_FACET, SUMMARY, Row
from estimates.report.cache import Report
from results.figures.plots import (
    COEFFICIENTS,
    Cloud,
    Matrix,
    Nothing,
    Plot,
    Points,
    Series,
    ends_of,
    scale_title,
)
from results.reading.rows import RowIndex
from results.reading.titles import metric_title, party_title
from results.tables.choice import PageFilter, headline, shown_parties
from tasktypes.facets import Facet

CROWDS = (HUMANS, SIMULATED)
OTHER = "other_system"
LEVELS = {
    OF_SYSTEMS: gettext_lazy("systems"),
    SUMMARY: gettext_lazy("within sources"),
    POOLED: gettext_lazy("samples"),
}
SETTLED = 0.05
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
    rows = [row for row in _of_part(report, facet, choice, {"system", OTHER}) if OTHER in row.group]
    index = RowIndex(rows)
    crowd = next((name for name in CROWDS if index.where(raters=name)), "")
    by_metric: dict[str, dict[tuple[str, str], Estimate]] = {}
    for row in index.where(raters=crowd):
        if Table.PAIRS in metric(row.metric).tables:
            pair = row.group["system"], row.group[OTHER]
            by_metric.setdefault(row.metric, {})[pair] = row.estimate
    apart = by_metric.get(MEAN_DIFFERENCE, {})
    values = {pair: of.value for pair, of in apart.items() if of.value is not None}
    if not values:
        return Nothing(_(NO_FIGURES))
    systems = _ordered(values)
    tested = [
        name
        for name, of in by_metric.items()
        if metric(name).kind == "p" and any(p.value is not None for p in of.values())
    ]
    p_name = min(tested, key=place_of, default="")
    p_values = by_metric.get(p_name, {})
    cells, marked = _square(systems, values, p_values)
    most = max(abs(value) for value in values.values()) or 1.0
    who = party_title(crowd)
    note = _("%(who)s; *: %(test)s below .05") % {"who": who, "test": metric_title(p_name)}
    measure = _("Row minus column")
    return Matrix(measure, systems, systems, cells, -most, most, note if p_name else who, marked)


def _ordered(values: Mapping[tuple[str, str], float]) -> list[str]:
    """The systems by the sum of their differences from all others."""
    sums: dict[str, float] = {}
    for (first, second), value in values.items():
        sums[first] = sums.get(first, 0.0) + value
        sums[second] = sums.get(second, 0.0) - value
    return sorted(sums, key=lambda name: (-sums[name], name))


def _square(
    systems: Sequence[str],
    values: Mapping[tuple[str, str], float],
    p_values: Mapping[tuple[str, str], Estimate],
) -> tuple[list[list[Estimate | None]], frozenset[tuple[int, int]]]:
    cells: list[list[Estimate | None]] = [[None] * len(systems) for _name in systems]
    marked = set()
    place = {name: at for at, name in enumerate(systems)}
    for (first, second), value in values.items():
        row, column = place[first], place[second]
        cells[row][column], cells[column][row] = Estimate(value=value), Estimate(value=-value)
        p = p_values.get((first, second))
        if p is not None and p.value is not None and p.value < SETTLED:
            marked |= {(row, column), (column, row)}
    return cells, frozenset(marked)


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
        "metric": metric_title(name, facet).lower(),
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
