"""The one number by which lists tell how far the people of a study agree.

It is kept beside the rows of a report, since the rows of many studies are too much to read for a
list.
"""

from collections.abc import Sequence
from typing import Any

from annotation.models import Study
from estimates.catalogue import alpha_of
from estimates.data.parties import HUMANS
from estimates.data.rows import Row, people_in
from estimates.report.main_facet import facets_of, main_facet


def headline_of(study: Study, rows: Sequence[Row]) -> dict[str, Any] | None:
    """α of people over the whole study in its main facet, as JSON: {"title": of the facet, "row",
    "people": how many answered, null where that is not known}; None where no row says so."""
    facet = main_facet(facets_of(study), study, rows)
    if facet is None:
        return None
    own = [row for row in rows if row.facet == facet.name and row.raters == HUMANS]
    whole = [row for row in own if row.metric == alpha_of(facet.distance) and not row.group]
    if not whole:
        return None
    return {"title": str(facet.title), "row": whole[0].as_json(), "people": people_in(own)}
