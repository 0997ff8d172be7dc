"""How strictly each person rates, beside the others on the same texts."""

from collections.abc import Iterator

from agreement import severity
from estimates.data.ratings import reach_of
from estimates.statistics.statistic import Figure, Rated, Statistic


def _severity(crowd: Rated) -> Iterator[Figure]:
    """Of every single rater of a crowd, over the whole study."""
    theirs = {int(rater) for rater in crowd.ratings.rater}
    singles = [
        party for party in crowd.scope.parties.singles if not theirs.isdisjoint(party.raters)
    ]
    if len(singles) < 2:
        return
    bootstrap, ratings = crowd.options.bootstrap, crowd.ratings
    by_rater = severity(
        ratings.place,
        ratings.rater,
        ratings.number,
        clusters=ratings.source,
        reach=reach_of(ratings),
        confidence=None if bootstrap is None else bootstrap.confidence,
    )
    for party in singles:
        (rater,) = party.raters
        if rater in by_rater:
            yield Figure("severity", by_rater[rater], raters=party.name)


SEVERITY = Statistic(compute=_severity, applies=lambda facet: facet.is_score)
