"""Estimates that others published, imported without the answers behind them."""

from collections.abc import Mapping, Sequence
from typing import Any

from agreement import Estimate
from estimates.data.parties import HUMANS
from estimates.data.rows import Group, Row

# Where such a row comes from, in place of how it was aggregated, which a table seldom says.
AGGREGATION = "published"
METHOD = "published; the answers are not public"
# How tables call all raters together.
EVERYBODY = ("all", "")


def published_rows(estimates: Sequence[Mapping[str, Any]]) -> tuple[Row, ...]:
    """The rows of a table of published estimates, as it is stored with its study."""
    several = len({estimate["study"] for estimate in estimates}) > 1
    return tuple(
        Row(
            metric=estimate["metric"],
            facet="",
            raters=HUMANS if estimate["rater"] in EVERYBODY else estimate["rater"],
            group=_group(estimate, several=several),
            aggregation=AGGREGATION,
            estimate=Estimate(value=estimate["value"], interval_method=METHOD),
        )
        for estimate in estimates
    )


def _group(estimate: Mapping[str, str], *, several: bool) -> Group:
    """By system, and by study where the table holds several."""
    named = {"study": estimate["study"] if several else "", "system": estimate["system"]}
    return {key: name for key, name in named.items() if name}
