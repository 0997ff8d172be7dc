"""What a study is about: its facets, and the main one among them."""

from collections.abc import Sequence

from annotation.models import Study
from estimates.data.parties import HUMANS
from estimates.data.rows import Row
from tasktypes.facets import Facet


def facets_of(study: Study) -> list[Facet]:
    """The facets of all blocks in their order, without those that only machines have: their scores
    are compared with people's in the facets that are here. None of a study of published figures."""
    if study.has_published_figures:
        return []
    every = [facet for block in study.blocks.all() for facet in block.facets]
    return [facet for facet in every if not facet.own_scale] or every


def main_facet(
    facets: Sequence[Facet], study: Study, rows: Sequence[Row], asked: str = ""
) -> Facet | None:
    """What the study is about: the facet that is asked for; else the one that the first of its
    stated conclusions names; else the first that people answered; else the first that a judge
    did; else the first."""
    stated = _stated(study)
    people = {row.facet for row in rows if row.raters == HUMANS and row.estimate.n_ratings}
    judges = {row.facet for row in rows if row.estimate.n_ratings}
    for names in ({asked}, stated, people, judges):
        for facet in facets:
            if facet.name in names:
                return facet
    return facets[0] if facets else None


def _stated(study: Study) -> set[str]:
    """The facet of the first conclusion whose metric names one: facet/metric."""
    metrics = (str(conclusion.get("metric", "")) for conclusion in study.conclusions)
    named = (metric.rpartition("/")[0] for metric in metrics)
    return {name for name in [next(filter(None, named), "")] if name}
