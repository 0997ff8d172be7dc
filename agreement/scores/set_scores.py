"""Precision, recall and F1 of a set against one reference set, or the best of several."""

from collections.abc import Collection, Hashable, Sequence
from typing import NamedTuple

import numpy as np

from ..values.coding import FloatArray

Chain = Collection[Hashable]


class SetScores(NamedTuple):
    """Scores of one answer, each in [0, 1]."""

    precision: float
    recall: float
    f1: float


class SetScoreArrays(NamedTuple):
    """Scores of N answers, each (N,) in [0, 1]."""

    precision: FloatArray
    recall: FloatArray
    f1: FloatArray


def set_scores(answer: Collection[Hashable], reference: Collection[Hashable]) -> SetScores:
    """P = |X and Y| / |X|, R = |X and Y| / |Y|, F1 = 2 |X and Y| / (|X| + |Y|).

    answer: X; reference: the right answer Y; repeated elements count once.
    Both empty: all 1 ("none" was the right answer). Only one of them empty: all 0. Never
    undefined; a missing answer is not an empty one and must be left out by the caller.

    Source: van Rijsbergen (1979), "Information Retrieval", chapter 7; the empty cases follow
    Xing, Baldwin and Lau (2025), "Evaluating Evidence Attribution in Generated Fact Checking
    Explanations".
    """
    return SetScores(*(float(score[0]) for score in set_scores_each([answer], [reference])))


def set_scores_each(
    answers: Sequence[Collection[Hashable]], references: Sequence[Collection[Hashable]]
) -> SetScoreArrays:
    """`set_scores` of N answers against N references, as arrays (N,).

    Raises ValueError where the two differ in length, TypeError for an answer that is missing.
    """
    if len(answers) != len(references):
        raise ValueError(f"{len(answers)} answers for {len(references)} references")
    pairs = [(_distinct(x), _distinct(y)) for x, y in zip(answers, references, strict=True)]
    sizes = np.array([(len(x & y), len(x), len(y)) for x, y in pairs], dtype=np.float64)
    shared, chosen, wanted = sizes.reshape(-1, 3).T
    both_empty = (chosen == 0) & (wanted == 0)

    def share(part: FloatArray, whole: FloatArray) -> FloatArray:
        return np.where(both_empty, 1.0, part / np.maximum(whole, 1))

    return SetScoreArrays(
        share(shared, chosen), share(shared, wanted), share(2 * shared, chosen + wanted)
    )


def best_chain_scores(answer: Chain, chains: Sequence[Chain]) -> SetScores:
    """The best precision, the best recall and the best F1 of a set over n >= 1 references.

    answer: the set; chains: the references, for example one evidence chain per person. Each score
    is the best on its own, so the three may come from different chains, and F1 need not lie
    between the other two. Empty sets are treated as in `set_scores`.

    Never undefined and without an interval: average over sources with `mean_by`. Raises ValueError
    where there is no chain (not the same as an empty one); a missing set must be left out by the
    caller.

    Source: Xing, Baldwin and Lau (2025), "Evaluating Evidence Attribution in Generated Fact
    Checking Explanations", Table 4.
    """
    return SetScores(*(float(score[0]) for score in best_chain_scores_each([answer], [chains])))


def best_chain_scores_each(
    answers: Sequence[Chain], chains: Sequence[Sequence[Chain]]
) -> SetScoreArrays:
    """`best_chain_scores` of N sets against their chains, as arrays (N,).

    Raises ValueError where the two differ in length or a set has no chain.
    """
    if len(answers) != len(chains):
        raise ValueError(f"{len(answers)} sets for the chains of {len(chains)}")
    sizes = [len(own) for own in chains]
    if 0 in sizes:
        raise ValueError(f"set {sizes.index(0)} has no chain to be compared with")
    repeated = [answer for answer, size in zip(answers, sizes, strict=True) for _ in range(size)]
    scores = set_scores_each(repeated, [chain for own in chains for chain in own])
    starts = np.cumsum(sizes, dtype=np.int64) - np.array(sizes, dtype=np.int64)
    if not len(starts):
        return scores
    return SetScoreArrays(*(np.maximum.reduceat(score, starts) for score in scores))


def _distinct(members: Collection[Hashable]) -> frozenset[Hashable]:
    if isinstance(members, str):
        raise TypeError(f"{members!r} is not a set: give a collection of elements")
    return frozenset(members)
