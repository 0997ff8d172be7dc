"""A set against several references, each score from the reference that suits it best."""

from collections.abc import Collection, Hashable, Sequence

import numpy as np

from agreement.setscores import SetScoreArrays, SetScores, set_scores_each

Chain = Collection[Hashable]


def best_chain_scores(found: Chain, chains: Sequence[Chain]) -> SetScores:
    """The best precision, the best recall and the best F1 of a set over n >= 1 references.

    found: the set; chains: the references, for example one evidence chain per person. Each score
    is the best on its own, so the three may come from different chains, and F1 need not lie
    between the other two. Empty sets are treated as in `set_scores`.

    Never undefined and without an interval: average over sources with `mean_by`. Raises ValueError
    where there is no chain (not the same as an empty one); a missing set must be left out by the
    caller.

    Source: Xing, Baldwin and Lau (2025), "Evaluating Evidence Attribution in Generated Fact
    Checking Explanations", Table 4.
    """
    return SetScores(*(float(score[0]) for score in best_chain_scores_each([found], [chains])))


def best_chain_scores_each(
    found: Sequence[Chain], chains: Sequence[Sequence[Chain]]
) -> SetScoreArrays:
    """`best_chain_scores` of N sets against their chains, as arrays (N,).

    Raises ValueError where the two differ in length or a set has no chain.
    """
    if len(found) != len(chains):
        raise ValueError(f"{len(found)} sets for the chains of {len(chains)}")
    sizes = [len(own) for own in chains]
    if 0 in sizes:
        raise ValueError(f"set {sizes.index(0)} has no chain to be compared with")
    repeated = [one for one, size in zip(found, sizes, strict=True) for _ in range(size)]
    scores = set_scores_each(repeated, [chain for own in chains for chain in own])
    starts = np.cumsum(sizes, dtype=np.int64) - np.array(sizes, dtype=np.int64)
    if not len(starts):
        return scores
    return SetScoreArrays(*(np.maximum.reduceat(score, starts) for score in scores))
