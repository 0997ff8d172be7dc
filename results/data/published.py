"""Estimates that others published, imported without the answers behind them."""

from agreement import Estimate
from annotation.models import Study
from results.data.parties import HUMANS
from results.metrics.rows import Group, Row

# Where such a row comes from, in place of how it was aggregated, which a table seldom says.
AGGREGATION = "published"
METHOD = "published; the answers are not public"
# How tables call all raters together.
EVERYBODY = ("all", "")


def published_rows(study: Study) -> list[Row]:
    """The rows of a study that was imported as a table of published estimates; else none."""
    estimates = study.imported.get("published", [])
    several = len({one["study"] for one in estimates}) > 1
    return [
        Row(
            metric=one["metric"],
            facet="",
            raters=HUMANS if one["rater"] in EVERYBODY else one["rater"],
            group=_group(one, several=several),
            aggregation=AGGREGATION,
            estimate=Estimate(value=one["value"], interval_method=METHOD),
        )
        for one in estimates
    ]


def _group(one: dict[str, str], *, several: bool) -> Group:
    """By system, and by study where the table holds several."""
    named = {"study": one["study"] if several else "", "system": one["system"]}
    return {key: name for key, name in named.items() if name}
