"""The number that a list of units is behind."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from annotation.models import Study
from annotation.queries.group_keys import OF_RATERS
from estimates.catalogue import Metric, metric
from estimates.data.options import Options
from estimates.data.rows import SCORE_FACET
from estimates.report.cache import kept_report
from estimates.report.live import as_shown
from results.tables.grids import Cell
from results.units.drilldown import Behind


@dataclass(frozen=True)
class Number:
    """A figure of a report with its metric, as the page showed it."""

    metric: Metric
    cell: Cell


def number_behind(
    study: Study, behind: Behind, options: Options, parameters: Mapping[str, str]
) -> Number | None:
    """The number that the address names by `metric` and `aggregation`, out of the kept report;
    None where it names none, or the report has it no more."""
    name, level = parameters.get("metric", ""), parameters.get("aggregation", "")
    if any(key.startswith(OF_RATERS) for key in behind.group):
        options = replace(options, rater_groups=True)
    report = kept_report(study, options) if name else None
    report = report and as_shown(report)
    if report is None:
        return None
    group = dict(behind.group)
    for row in report.rows:
        of = {key: value for key, value in row.group.items() if key != SCORE_FACET}
        if (
            (row.metric, row.facet, row.raters, of) == (name, behind.facet, behind.raters, group)
            and level in ("", row.aggregation)
            and behind.score_facet in ("", row.group.get(SCORE_FACET, ""))
        ):
            return Number(metric(name), Cell.of(row.estimate, metric=name, n=True))
    return None
