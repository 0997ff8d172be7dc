"""Who wins when two texts are compared: choices as numbers of the texts themselves."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from results.data.groups import SYSTEM
from results.data.options import Options
from results.data.parties import Parties
from results.data.ratings import COLUMNS, Ratings, item_names
from results.data.rows import Row
from results.metrics.averages import POPULATION, average_rows
from results.metrics.systems import comparison_rows

TWO = 2
TIED = 0.5


def winning_rows(ratings: Ratings, parties: Parties, options: Options) -> Iterator[Row]:
    """Of labels that name one of two texts: the share of comparisons that each system wins, and
    the systems compared by it."""
    if not ratings.facet.names_items:
        return
    wins = wins_of(ratings)
    for party in parties.groups:
        theirs = wins.by(party.raters)
        shares = {"win_share": theirs.number}
        for row in average_rows(theirs, shares, party, options, ddof=POPULATION, keys=[SYSTEM]):
            if row.group or row.estimate.value is None:  # over all systems it is one half
                yield row
    yield from comparison_rows(wins, parties, options)


def wins_of(ratings: Ratings) -> Ratings:
    """Two numbers per choice, one for each text: 1 for the one preferred and 0 for the other, 1/2
    for both where neither was. Units that do not show two texts do not count."""
    units, which = np.unique(ratings.unit, return_inverse=True)
    pairs = np.array([_by_name(ratings, unit) for unit in units.tolist()], dtype=np.int64)
    pairs = pairs.reshape(-1, TWO)[which]
    kept = np.flatnonzero(pairs[:, 0] >= 0)
    side = ratings.side[kept]
    both = ratings.take(np.repeat(kept, TWO))
    preferred = np.where(side[:, None] < 0, TIED, side[:, None] == np.arange(TWO))
    columns: dict[str, Any] = {name: getattr(both, name) for name in COLUMNS}
    columns |= {
        "place": both.place * TWO + np.tile(np.arange(TWO), len(kept)),
        "item": pairs[kept].reshape(-1),
        "number": preferred.astype(np.float64).reshape(-1),
        "code": np.full(len(both), -1, dtype=np.int64),
    }
    facet = replace(ratings.facet, kind="number", distance="interval")
    return Ratings(facet=facet, material=ratings.material, domain=(), **columns)


def _by_name(ratings: Ratings, unit: int) -> tuple[int, int]:
    """The two items of a unit in the order of their names, as sides are; -1 for other units."""
    items = [item for _, item in ratings.material.unit_items.get(unit, ())]
    if len(items) != TWO:
        return -1, -1
    names = item_names(ratings.material, unit, items)
    _, (first, second) = zip(*sorted(zip(names, items, strict=True)), strict=True)
    return first, second
