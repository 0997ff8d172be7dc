"""Only the answers that the options let count."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from annotation.models import Rater, Study
from results.data.options import Options
from results.data.ratings import Ratings, ratings_of
from results.data.table import Table, load_table

COLUMNS = ("question", "rater", "replicate", "round", "facet", "place", "number", "code")


def left_out(raters: Iterable[Rater], options: Options) -> Collection[int]:
    """Ids of the people and simulated raters whose answers the options leave out; never judges."""
    people = [rater for rater in raters if rater.kind != Rater.Kind.JUDGE]
    if options.only:
        return {rater.pk for rater in people if rater.name != options.only}
    if options.without:
        return {rater.pk for rater in people if rater.name == options.without}
    return set()


def narrow(table: Table, options: Options) -> Table:
    """The table without their ratings; the table itself where nobody is left out."""
    out = left_out(table.raters, options)
    if not out:
        return table
    kept = ~np.isin(table.rater, list(out))
    columns: dict[str, Any] = {name: getattr(table, name)[kept] for name in COLUMNS}
    raters = tuple(rater for rater in table.raters if rater.pk not in out)
    return replace(table, raters=raters, **columns)


def narrow_ratings(study: Study, ratings: Ratings, options: Options) -> Ratings:
    """The same for the ratings of one facet, which are read anew where excluded ones count."""
    if options.excluded:
        name = ratings.facet.name
        ratings = ratings_of(load_table(study, facet=name, excluded=True), name)
    if not options.only and not options.without:
        return ratings
    out = left_out(study.raters.all(), options)
    return ratings.take(~np.isin(ratings.rater, list(out)))
