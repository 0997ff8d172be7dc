"""Figures of judges' scorecards: people's own agreement beside each judge's, and calibration."""

from collections.abc import Callable, Sequence

from django.utils.translation import gettext as _

from agreement import Estimate
from estimates.catalogue.scorecard import (
    AGREEMENT_AMONG_PEOPLE,
    AGREEMENT_WITH_PEOPLE,
    OBSERVED,
    PREDICTED,
)
from estimates.data.parties import HUMANS
from estimates.data.rows import SCORE_FACET, Row
from estimates.report.cache import Report
from estimates.scorecard.probabilities import BIN
from results.figures.plots import SHARES, Nothing, Plot, Points, Series
from results.reading.rows import RowIndex
from results.reading.titles import metric_title
from results.tables.choice import PageFilter
from tasktypes.facets import Facet

NO_FIGURES = "no judge answered what two people did"
NO_SCORES = "no judge gave probabilities"


def ceiling(report: Report, facet: Facet, _choice: PageFilter) -> Plot:
    """Each judge's agreement with single people beside people's with each other."""
    rows = [row for row in _of_judges(report, facet) if not row.group]
    names = [row.second for row in RowIndex(rows).where(AGREEMENT_WITH_PEOPLE)]
    if not names:
        return Nothing(_(NO_FIGURES))
    return Points(
        _("Mean agreement of two raters"),
        names,
        [
            _series(rows, AGREEMENT_AMONG_PEOPLE, names, lambda row: row.second),
            _series(rows, AGREEMENT_WITH_PEOPLE, names, lambda row: row.second),
        ],
        SHARES,
    )


def calibration(report: Report, facet: Facet, _choice: PageFilter) -> Plot:
    """People's share of yes and the mean score, by the judge's score."""
    rows = [row for row in _of_judges(report, facet) if BIN in row.group]
    names = [_bin(row) for row in RowIndex(rows).where(OBSERVED)]
    if not names:
        return Nothing(_(NO_SCORES))
    series = [_series(rows, name, names, _bin) for name in (PREDICTED, OBSERVED)]
    return Points(_("Share of yes"), names, series, SHARES)


def _of_judges(report: Report, facet: Facet) -> list[Row]:
    """Rows of the newest versions of judges beside people, of the whole study."""
    return [
        row
        for row in RowIndex(report.rows).of(facet.name)
        if row.first == HUMANS
        and row.second in report.versions
        and row.group.keys() <= {BIN, SCORE_FACET}
    ]


def _bin(row: Row) -> str:
    return f"{row.second}, {row.group[BIN]}"


def _series(
    rows: Sequence[Row], name: str, names: Sequence[str], key: Callable[[Row], str]
) -> Series:
    points: dict[str, Estimate] = {key(row): row.estimate for row in RowIndex(rows).where(name)}
    return Series(metric_title(name), [points.get(each) for each in names])
