"""Significance clusters: systems in groups between which every difference is a finding."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """Where a system stands. cluster: from 1, the best. best, worst: the places that it may have,
    from 1 on: one more than there are systems shown to be better, and than are not shown worse."""

    cluster: int
    best: int
    worst: int


def significance_clusters(
    order: Sequence[str], findings: Collection[tuple[str, str]]
) -> Mapping[str, Place]:
    """Systems in clusters, and the range of places of each.

    A new cluster begins where each system before is shown to be better than each one from there on.
    So two systems of different clusters always differ; two of one cluster may differ, too.

    order: the systems, the best first. findings: (better, worse) of each pair of systems with a
    difference that is a finding. Returns a Place of each system. Raises ValueError for a system
    named twice, and for a finding about a system that is not there.

    Source: Kocmi et al. (2022), "Findings of the 2022 Conference on Machine Translation (WMT22)",
    section 6; ranges of places as in Barrault et al. (2019), "Findings of the 2019 Conference on
    Machine Translation (WMT19)", section 4.
    """
    found = {*findings}
    if len({*order}) < len(order):
        raise ValueError("a system is named twice")
    if not {name for pair in found for name in pair} <= {*order}:
        raise ValueError("a finding is about a system that is not in the order")
    places, cluster = {}, 1
    for at, name in enumerate(order):
        apart = all((one, other) in found for one in order[:at] for other in order[at:])
        if at and apart:
            cluster += 1
        better = sum((other, name) in found for other in order)
        worse = sum((name, other) in found for other in order)
        places[name] = Place(cluster, 1 + better, len(order) - worse)
    return places
