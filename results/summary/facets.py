"""The facet that the first screen shows, and those that it may be switched to."""

from collections.abc import Sequence

from estimates.report.cache import Report
from estimates.report.main_facet import facets_of, main_facet
from tasktypes.facets import Facet

__all__ = ["facets_of", "picked_facet"]


def picked_facet(facets: Sequence[Facet], name: str, report: Report) -> Facet | None:
    """The one that an address names, else the study's main one."""
    asked = next((facet for facet in facets if facet.name == name), None)
    return asked or main_facet(facets, report.study, report.rows)
