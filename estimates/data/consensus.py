"""Several people as one rater: their consensus, and sets folded as published."""

from collections.abc import Hashable
from dataclasses import replace

import numpy as np

from agreement import consensus, fold_outside
from estimates.data.ratings import Ratings, distinct_pairs
from estimates.data.table import IntArray


def merge_outside_reference(ratings: Ratings, *, none_apart: bool = False) -> Ratings:
    """Sets with a reference as published: whatever lies outside the reference becomes one label,
    and so does "none" unless `none_apart` (see `agreement.fold_outside`). Everything else stays as
    it is."""
    if ratings.facet.kind != "set" or not len(ratings):
        return ratings
    codes = {value: code for code, value in enumerate(ratings.domain)}
    distinct, which = distinct_pairs(ratings.code, ratings.reference)
    folded = [
        code if reference < 0 else _fold_one(ratings, code, reference, codes, none_apart)
        for code, reference in distinct
    ]
    return replace(ratings, code=np.array(folded)[which], domain=tuple(codes))


def _fold_one(
    ratings: Ratings, code: int, reference: int, codes: dict[Hashable, int], none_apart: bool
) -> int:
    answer, right = ratings.domain[code], ratings.domain[reference]
    assert isinstance(answer, frozenset)
    assert isinstance(right, frozenset)
    return codes.setdefault(fold_outside(answer, right, none_apart=none_apart), len(codes))


def consensus_of(ratings: Ratings, how: str) -> Ratings:
    """One rating per place, the consensus of all; a place without consensus drops out."""
    ordered = ratings.take(np.argsort(ratings.place, kind="stable"))
    starts = np.flatnonzero(np.diff(ordered.place, prepend=-1))
    if ratings.facet.kind == "number":
        united = [
            consensus(numbers.tolist(), kind="number", how=how)
            for numbers in np.split(ordered.number, starts[1:])
        ]
        return replace(ordered.take(starts), number=np.array(united, dtype=np.float64))
    codes = {value: code for code, value in enumerate(ratings.domain)}
    chosen = _consensus_codes(ordered, starts, how, codes)
    side = _consensus_sides(ordered, starts, chosen)
    agreed = replace(ordered.take(starts), code=chosen, side=side, domain=tuple(codes))
    return agreed.take(chosen >= 0)


def _consensus_sides(ordered: Ratings, starts: IntArray, chosen: IntArray) -> IntArray:
    """The side of each place's consensus: that of the answers equal to it."""
    place = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(ordered)))
    same = ordered.code == chosen[place]
    sides = np.full(len(starts), -1, dtype=np.int64)
    sides[place[same]] = ordered.side[same]
    return sides


def _consensus_codes(
    ordered: Ratings, starts: IntArray, how: str, codes: dict[Hashable, int]
) -> IntArray:
    """The code of each place's consensus, new ones added to `codes`; -1 where there is none."""
    kind, code_of = ordered.facet.kind, dict[tuple[int, ...], int]()
    united = []
    every, ends = ordered.code.tolist(), [*starts[1:].tolist(), len(ordered.code)]
    for start, end in zip(starts.tolist(), ends, strict=True):
        key = tuple(sorted(every[start:end]))
        if key not in code_of:
            value = consensus([ordered.domain[code] for code in key], kind=kind, how=how)
            code_of[key] = -1 if value is None else codes.setdefault(value, len(codes))
        united.append(code_of[key])
    return np.array(united, dtype=np.int64)
