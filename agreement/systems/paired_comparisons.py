"""Comparisons of two systems at a time, and between which of them strengths can be told."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..scores.clustered import Clusters
from ..values.coding import FloatArray, IntArray, as_floats
from ..values.ratings import Ids

NEVER_MET = "the comparisons fall into groups of systems that never met"
WON_ALL = "won all of its comparisons: no finite strength"
LOST_ALL = "lost all of its comparisons: no finite strength"
TIES = "beside ties too few wins to tell the systems apart by: no finite strength"
ONE_WAY = "no chain of wins leads both ways to the other systems: no finite strength"


@dataclass(frozen=True, eq=False)
class Comparisons:
    """N comparisons; first, second: (N,) codes of names; outcome: (N,) 1, 0 or 1/2; clusters and
    raters: of each of them."""

    names: list[Hashable]
    first: IntArray
    second: IntArray
    outcome: FloatArray
    clusters: Clusters
    raters: Clusters

    def met(self, system: int) -> int:
        """How many comparisons a system is in."""
        return int(((self.first == system) | (self.second == system)).sum())

    def among(self, chosen: list[int]) -> "Comparisons":
        """The comparisons of the chosen systems with each other."""
        place = np.full(len(self.names), -1, dtype=np.int64)
        place[chosen] = np.arange(len(chosen))
        kept = (place[self.first] >= 0) & (place[self.second] >= 0)
        return Comparisons(
            [self.names[code] for code in chosen],
            place[self.first[kept]],
            place[self.second[kept]],
            self.outcome[kept],
            Clusters.of(self.clusters.code[kept], int(kept.sum())),
            Clusters.of(self.raters.code[kept], int(kept.sum())),
        )

    @property
    def tie_is_told(self) -> bool:
        """Whether the share of ties between equals is finite: some circle of systems has more wins
        along it than ties (else strengths that move apart can go with ever more ties)."""
        size = len(self.names)
        longest = np.full((size, size), -np.inf)
        for one, other in ((self.first, self.second), (self.second, self.first)):
            tied = self.outcome == 0.5
            longest[one[tied], other[tied]] = -1.0
        won, lost = self.outcome == 1, self.outcome == 0
        longest[self.first[won], self.second[won]] = 1.0
        longest[self.second[lost], self.first[lost]] = 1.0
        for through in range(size):
            # Capped, as circles of wins have no longest way.
            ways = longest[:, through, None] + longest[None, through]
            longest = np.minimum(np.maximum(longest, ways), size)
        return bool((np.diag(longest) > 0).any())

    def beaten(self) -> npt.NDArray[np.bool_]:
        """Whether the system of a row ever won against or tied with that of a column: (S, S)."""
        size = len(self.names)
        result = np.zeros((size, size), dtype=bool)
        result[self.first[self.outcome > 0], self.second[self.outcome > 0]] = True
        result[self.second[self.outcome < 1], self.first[self.outcome < 1]] = True
        return result


def read_comparisons(
    first: Sequence[Hashable] | npt.NDArray[Any],
    second: Sequence[Hashable] | npt.NDArray[Any],
    outcomes: Sequence[object] | npt.NDArray[Any],
    clusters: Ids | None,
    raters: Ids | None = None,
) -> Comparisons:
    """The comparisons that are not missing, each with the earlier code first; those of a system
    with itself say nothing and drop out. ValueError for other outcomes than 0, 1/2 and 1, and for
    different lengths."""
    outcome = as_floats(outcomes)
    if not len(first) == len(second) == len(outcome):
        raise ValueError("first, second and outcomes differ in length")
    kept = np.flatnonzero(~np.isnan(outcome))
    if not np.isin(outcome[kept], [0, 0.5, 1]).all():
        raise ValueError("an outcome is 1, 0 or, for a tie, 0.5")
    code: dict[Hashable, int] = {}
    ids = [[_plain(side[at]) for at in kept.tolist()] for side in (first, second)]
    for one, other in zip(*ids, strict=True):
        code.setdefault(one, len(code))
        code.setdefault(other, len(code))
    sides = [np.array([code[name] for name in side], dtype=np.int64) for side in ids]
    apart = sides[0] != sides[1]
    turned = sides[0] > sides[1]
    values = np.where(turned, 1 - outcome[kept], outcome[kept])
    grouped, rated = (
        Clusters.of(Clusters.of(ids, len(outcome)).code[kept[apart]], int(apart.sum()))
        for ids in (clusters, raters)
    )
    return Comparisons(
        list(code),
        np.minimum(*sides)[apart],
        np.maximum(*sides)[apart],
        values[apart],
        grouped,
        rated,
    )


def _plain(name: Any) -> Hashable:
    plain: Hashable = name.item() if isinstance(name, np.generic) else name
    return plain


def standing(comparisons: Comparisons) -> tuple[list[int], dict[int, str]]:
    """The largest group of systems with finite strengths (by code; none where it is of one, or two
    are as large), and why every other system has none."""
    size = len(comparisons.names)
    beaten = comparisons.beaten()
    if not size or (_reaching(beaten | beaten.T) == 0).any():
        return [], dict.fromkeys(range(size), NEVER_MET)
    reaching = _reaching(beaten)
    both = reaching & reaching.T
    sizes = both.sum(axis=1)
    most = int(sizes.max())
    single = most > 1 and int((sizes == most).sum()) == most
    group = np.flatnonzero(both[int(sizes.argmax())]).tolist() if single else []
    reasons = {code: _reason(code, beaten) for code in range(size) if code not in group}
    return group, reasons


def _reason(system: int, beaten: npt.NDArray[np.bool_]) -> str:
    if not beaten[:, system].any():
        return WON_ALL
    return LOST_ALL if not beaten[system].any() else ONE_WAY


def _reaching(beaten: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Whether a chain leads from the system of a row to that of a column; to itself always."""
    result = beaten | np.eye(len(beaten), dtype=bool)
    for through in range(len(result)):
        result |= np.outer(result[:, through], result[through])
    return result
