"""Which of two intervals is shown, on every page and in every text.

The live one holds at every look: it is shown while answers come in, and where a study was closed
before all planned answers were in. The fixed-sample one is narrower and holds once, at the planned
end.
"""

from collections.abc import Iterable
from dataclasses import replace

from agreement import Estimate
from annotation.rounds.collection import Standing
from estimates.catalogue import metric
from estimates.data.rows import Row, live_estimate


def shown_rows(rows: Iterable[Row], standing: Standing) -> tuple[Row, ...]:
    """Rows of a study that stands so, as pages show them."""
    return tuple(
        replace(row, estimate=shown_estimate(row.metric, row.estimate, standing)) for row in rows
    )


def shown_estimate(name: str, estimate: Estimate, standing: Standing) -> Estimate:
    """The estimate of a metric of that name with the interval that is shown."""
    if not standing.is_live or not metric(name).live or estimate.value is None:
        return estimate
    return live_estimate(estimate)
