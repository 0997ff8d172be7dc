"""In which significance cluster a system stands."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Protocol

from agreement import Estimate, SystemDifference, significance_clusters
from estimates.catalogue.effects import PLACE_BEST, PLACE_WORST, SYSTEM_CLUSTER
from estimates.data.groups import SYSTEM
from estimates.statistics.statistic import Figure

# A difference is a finding below this p.
LEVEL = 0.05
# Of two systems a cluster says no more than their test does.
LEAST_SYSTEMS = 3


class TwoSystems(Protocol):
    """Two systems by name."""

    @property
    def first(self) -> str: ...
    @property
    def second(self) -> str: ...


def places(
    pairs: Sequence[TwoSystems], compared: Sequence[SystemDifference], *, descending: bool
) -> Iterator[Figure]:
    """The cluster and the range of places of every system, for these raters, where every two were
    tested. compared: of each pair. descending: a lower mean is the better one."""
    if any(of.difference.value is None or of.these_p_holm.value is None for of in compared):
        return
    ahead: dict[str, float] = defaultdict(float)
    findings = set()
    for pair, of in zip(pairs, compared, strict=True):
        first, second, p = pair.first, pair.second, of.these_p_holm
        apart = -float(of.difference) if descending else float(of.difference)
        ahead[first] += apart
        ahead[second] -= apart
        if float(p) < LEVEL:
            findings.add((first, second) if apart > 0 else (second, first))
    if len(ahead) < LEAST_SYSTEMS:
        return
    order = sorted(ahead, key=lambda name: (-ahead[name], name))
    for name, place in significance_clusters(order, findings).items():
        about = {SYSTEM_CLUSTER: place.cluster, PLACE_BEST: place.best, PLACE_WORST: place.worst}
        for metric, value in about.items():
            estimate = Estimate(value=float(value), n_units=len(order))
            yield Figure(metric, estimate, group={SYSTEM: name})
