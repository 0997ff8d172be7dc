"""Precision, recall and F1 of a set against a reference set."""

from collections.abc import Collection, Hashable, Sequence
from typing import NamedTuple

import numpy as np

from agreement.coding import FloatArray


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


def set_scores(found: Collection[Hashable], reference: Collection[Hashable]) -> SetScores:
    """P = |X and Y| / |X|, R = |X and Y| / |Y|, F1 = 2 |X and Y| / (|X| + |Y|).

    found: the answer X; reference: the right answer Y; repeated elements count once.
    Both empty: all 1 ("none" was the right answer). Only one of them empty: all 0. Never
    undefined; a missing answer is not an empty one and must be left out by the caller.

    Source: van Rijsbergen (1979), "Information Retrieval", chapter 7; the empty cases follow
    Xing, Baldwin and Lau (2025), "Evaluating Evidence Attribution in Generated Fact Checking
    Explanations".
    """
    return SetScores(*(float(score[0]) for score in set_scores_each([found], [reference])))


def set_scores_each(
    found: Sequence[Collection[Hashable]], references: Sequence[Collection[Hashable]]
) -> SetScoreArrays:
    """`set_scores` of N answers against N references, as arrays (N,).

    Raises ValueError where the two differ in length, TypeError for an answer that is missing.
    """
    if len(found) != len(references):
        raise ValueError(f"{len(found)} answers for {len(references)} references")
    pairs = [(_distinct(x), _distinct(y)) for x, y in zip(found, references, strict=True)]
    sizes = np.array([(len(x & y), len(x), len(y)) for x, y in pairs], dtype=np.float64)
    shared, given, wanted = sizes.reshape(-1, 3).T
    both_empty = (given == 0) & (wanted == 0)

    def share(part: FloatArray, whole: FloatArray) -> FloatArray:
        return np.where(both_empty, 1.0, part / np.maximum(whole, 1))

    return SetScoreArrays(
        share(shared, given), share(shared, wanted), share(2 * shared, given + wanted)
    )


def _distinct(members: Collection[Hashable]) -> frozenset[Hashable]:
    if isinstance(members, str):
        raise TypeError(f"{members!r} is not a set: give a collection of elements")
    return frozenset(members)
