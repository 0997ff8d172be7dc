"""Which of two intervals is shown, on every page and in every text.

The live one holds at every look: it is shown while answers come in, and where a study was closed
before all planned answers were in. The fixed-sample one is narrower and holds once, at the planned
end, and so do tests: until then no p is shown beside an interval that holds at every
look.
"""

from collections.abc import Iterable
from dataclasses import replace

from agreement import Estimate
from annotation.rounds.collection import Standing
from estimates.catalogue import Table, metric
from estimates.catalogue.effects import PLACES
from estimates.data.rows import Row, live_estimate

# Why there is no p at a look.
AT_THE_END = "tests are made when all planned answers are in"


def shown_rows(rows: Iterable[Row], standing: Standing) -> tuple[Row, ...]:
    """Rows of a study that stands so, as pages show them."""
    return tuple(
        replace(row, estimate=shown_estimate(row.metric, row.estimate, standing)) for row in rows
    )


def shown_estimate(name: str, estimate: Estimate, standing: Standing) -> Estimate:
    """The estimate of a metric of that name with the interval that is shown."""
    if not standing.is_live or estimate.value is None:
        return estimate
    if _rests_on_a_test(name):
        n_units, n_raters, n_ratings = estimate.n_units, estimate.n_raters, estimate.n_ratings
        return Estimate.missing(AT_THE_END, n_units=n_units, n_raters=n_raters, n_ratings=n_ratings)
    return live_estimate(estimate) if metric(name).live else estimate


def _rests_on_a_test(name: str) -> bool:
    """Whether it is a p of people's answers, or says what such a p is taken for. Those of a judge's
    drift have looks of their own."""
    of = metric(name)
    return name in PLACES or (of.kind == "p" and Table.DRIFT not in of.tables)


def awaits_the_end(estimate: Estimate) -> bool:
    """Whether there is a test, and its p is not shown yet."""
    return estimate.undefined == AT_THE_END
