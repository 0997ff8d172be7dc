"""Only the answers that the options let count."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from annotation.models import Rater
from results.data.options import Options
from results.data.table import Table

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
