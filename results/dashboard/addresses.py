"""The addresses that numbers on a page lead to."""

from urllib.parse import urlencode

from django.urls import reverse

from annotation.models import Study
from annotation.queries.group_keys import OF_RATERS
from annotation.rater_names import BETWEEN
from estimates.catalogue.agreement import CONTROL_ACCURACY
from estimates.catalogue.reliability import COMPONENT, RATERS_PER_UNIT
from estimates.data.groups import CRITERION
from estimates.data.rows import POOLED, UNITS, Row
from results.tables.choice import PageFilter

# Groups for which there is no list of the units behind a number.
NOT_LISTED = {
    *(COMPONENT, CRITERION, RATERS_PER_UNIT, UNITS),
    *("other_system", "other_judge", "attribution", "against", "metric", "study"),
}
# The row of the report that the number is of, and which answers count, in addresses.
METRIC, AGGREGATION = "metric", "aggregation"
RECOUNTED = ("only", "without", "excluded")


def units_url(study: Study, row: Row, choice: PageFilter) -> str:
    """The list of the units behind a number, which names the number; empty where there is none."""
    by_raters = any(key.startswith(OF_RATERS) for key in row.group)
    if NOT_LISTED & row.group.keys() or (by_raters and BETWEEN in row.raters):
        return ""
    parameters = {"facet": row.facet, "raters": row.raters, **row.group, METRIC: row.metric}
    if row.aggregation != POOLED:
        parameters[AGGREGATION] = row.aggregation
    parameters |= {key: name for key, name in choice.asked.items() if key in RECOUNTED}
    if row.metric == CONTROL_ACCURACY:
        parameters["controls"] = "1"
    return f"{reverse('results:units', args=[study.slug])}?{urlencode(parameters)}"
