"""Calibrated scores per item, for further analysis."""

from collections.abc import Iterator

from annotation.models import Item, Study, Unit
from annotation.models.answers import Moment
from estimates.data.database import load_table
from estimates.data.parties import divide
from estimates.data.ratings import ratings_of
from estimates.metrics.calibration import calibrated_scores, is_calibrated
from exports.csv_text import csv_line

HEAD = ("facet", "raters", "item", "system", "score", "sd", "low", "high", "n_ratings", "undefined")


def calibrated_lines(study: Study, *, moment: Moment | None = None) -> Iterator[str]:
    """The head, then per facet and crowd a line for each item: its place among items in standard
    deviations, with the posterior's own. A unit of several items, none of which has a rating
    of its own, is named itself. Where a facet's ratings cannot be calibrated one line says why."""
    yield csv_line(HEAD)
    facets = [facet for block in study.blocks.all() for facet in block.facets]
    for facet in filter(is_calibrated, facets):
        table = load_table(study, facet=facet.name, moment=moment)
        ratings, names = ratings_of(table, facet.name), _names(study)
        items, units = table.material.item_ids, table.material.unit_ids
        for crowd in divide(table.raters).crowds:
            calibration = calibrated_scores(ratings, crowd)
            if calibration.undefined:
                yield csv_line([facet.name, crowd.name, *[""] * 7, calibration.undefined])
            for at, (owner, score) in enumerate(calibration.scores().items()):
                code = int(str(owner))
                name = items[code] if code < len(items) else -units[code - len(items)]
                sd = float(calibration.sd[at])
                figures = (score.value, sd, score.low, score.high, score.n_ratings, "")
                yield csv_line([facet.name, crowd.name, *names[name], *figures])


def _names(study: Study) -> dict[int, tuple[str, str]]:
    """Key and system of items by id; of units, by their ids below zero."""
    items = Item.objects.filter(study=study).values_list("pk", "key", "system")
    units = Unit.objects.filter(study=study).values_list("pk", "key")
    return {pk: (key, system) for pk, key, system in items} | {-pk: (key, "") for pk, key in units}
