"""Orders: how alike two of them are, and where each system comes in them on average."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from agreement import correlation
from agreement.ranks import mean_ranks
from results.data.options import Options
from results.data.parties import Pair, Parties, Party
from results.data.ratings import Ratings
from results.metrics.agreement import unite
from results.metrics.orders import ranked_systems
from results.metrics.rows import Row

PER_ITEM = "per_item"
# Of equal ranks each is the best that they share, as people enter them: 1 2 2 4.
TIES = "competition"


def rank_rows(ratings: Ratings, parties: Parties, options: Options) -> Iterator[Row]:
    """Kendall's tau of every pair, and every party's mean rank of each system."""
    if not ratings.facet.ranks:
        return
    for pair in parties.pairs:
        yield from _taus(ratings, pair, options)
    for party in (*parties.groups, *parties.singles):
        yield from _mean_ranks(ratings.by(party.raters).once(), party, options)


def _taus(ratings: Ratings, pair: Pair, options: Options) -> Iterator[Row]:
    """Tau within each unit, then the mean over units."""
    first, second = (ratings.by(one.raters).once() for one in (pair.first, pair.second))
    if not len(first) or not len(second):
        return
    how = options.consensus_for(ratings.facet.kind) if pair.first.several else None
    first = unite(first, how) if how else first
    _, mine, theirs = np.intersect1d(first.place, second.place, return_indices=True)
    estimate = correlation(
        first.number[mine],
        second.number[theirs],
        method="kendall_tau_b",
        level="summary",
        sources=first.unit[mine],
        clusters=first.source[mine],
        bootstrap=options.bootstrap,
    )
    yield Row(
        metric="kendall_tau_b",
        facet=ratings.facet.name,
        raters=pair.name,
        aggregation=PER_ITEM,
        consensus=how,
        estimate=replace(estimate, n_raters=2),
    )


def _mean_ranks(ratings: Ratings, party: Party, options: Options) -> Iterator[Row]:
    column = ratings.material.item_names["system"]
    ratings = ranked_systems(ratings)
    if not len(ratings):
        return
    systems = column.codes[ratings.item]
    found = mean_ranks(
        ratings.unit,
        ratings.rater,
        systems.tolist(),
        ratings.number,
        ties=TIES,
        clusters=ratings.source,
        bootstrap=options.bootstrap,
    )
    for system, estimate in sorted(found.overall.items(), key=lambda one: str(one[0])):
        assert isinstance(system, int)
        yield Row(
            metric="mean_rank",
            facet=ratings.facet.name,
            raters=party.name,
            group={"system": column.names[system]},
            aggregation=PER_ITEM,
            estimate=estimate,
        )
