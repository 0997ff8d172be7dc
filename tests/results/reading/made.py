"""Estimates, rows and facets for the tests of the first screen."""

from agreement import Estimate
from results.data.rows import Row
from results.reading.rows import FacetRows
from results.reading.wording import plain
from tasktypes.facets import Facet

LABELS = Facet("fine", "Is it fine?", "label", "nominal", labels=("yes", "no"))
SCALE = Facet("clear", "Clarity", "number", "ordinal", low=1, high=5)
__all__ = ["LABELS", "SCALE", "about", "plain", "row", "rows_of"]


def about(
    value: float, low: float, high: float, n: int = 100, *, n_raters: int | None = None
) -> Estimate:
    """An estimate with an interval."""
    return Estimate(value=value, low=low, high=high, n_units=n, n_raters=n_raters)


def row(
    metric: str,
    estimate: Estimate,
    raters: str = "humans",
    *,
    facet: Facet = LABELS,
    **group: str,
) -> Row:
    return Row(
        metric=metric,
        facet=facet.name,
        raters=raters,
        aggregation="pooled",
        estimate=estimate,
        group=group,
    )


def rows_of(*rows: Row, facet: Facet = LABELS, judges: tuple[str, ...] = ()) -> FacetRows:
    return FacetRows(facet, rows, dict.fromkeys(judges, 1))
