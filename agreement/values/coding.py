"""Turning ids and values into integer codes, which is all that the statistics look at."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Kind = Literal["label", "number", "set", "ranks"]
IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

MISSING = -1


@dataclass(frozen=True, eq=False)
class Coded:
    """Values that are encoded already: the fast way in for large tables.

    codes: (N,) integers; code k stands for domain[k], -1 for a missing rating.
    domain: (V,) the values, of the kind that the distance takes. Equal values may repeat.
    """

    codes: npt.ArrayLike
    domain: Sequence[object]


@dataclass(frozen=True, eq=False)
class PackedSets:
    """V sets over one vocabulary as bits, so that 64 elements are compared in one operation.

    words: (V, W) uint64; sizes: (V,) number of elements.
    """

    words: npt.NDArray[np.uint64]
    sizes: IntArray

    def __len__(self) -> int:
        return len(self.sizes)

    def __getitem__(self, chosen: IntArray) -> "PackedSets":
        return PackedSets(self.words[chosen], self.sizes[chosen])


@dataclass(frozen=True, eq=False)
class PackedRankings:
    """V rankings of the same m candidates as the order of every two of them.

    signs: (V, m (m - 1) / 2) of -1, 0 (tied) and 1.
    """

    signs: npt.NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.signs)

    def __getitem__(self, chosen: IntArray) -> "PackedRankings":
        return PackedRankings(self.signs[chosen])


Domain = list[Hashable] | FloatArray | PackedSets | PackedRankings


def take(domain: Domain, chosen: IntArray) -> Domain:
    """The chosen values of a domain, in the order of `chosen`."""
    if isinstance(domain, list):
        return [domain[index] for index in chosen]
    return domain[chosen]


def code_ids(ids: Sequence[Hashable] | npt.NDArray[Any]) -> tuple[IntArray, int]:
    """Ids (N,) as codes 0..n-1, and n. Any hashable is an id."""
    if not isinstance(ids, np.ndarray) or ids.dtype.kind == "O":
        codes, domain = code_in_order(ids)
        return codes, len(domain)
    if ids.dtype.kind in "iu" and len(ids):
        low, high = int(ids.min()), int(ids.max())
        if high - low < 4 * len(ids) + 1000:  # a table look-up instead of a sort
            shifted = ids.astype(np.int64) - low
            present = np.bincount(shifted, minlength=high - low + 1) > 0
            return (np.cumsum(present) - 1)[shifted], int(present.sum())
    unique, inverse = np.unique(ids, return_inverse=True)
    return inverse.astype(np.int64), len(unique)


def code_values(
    values: "Sequence[object] | npt.NDArray[Any] | Coded", kind: Kind
) -> tuple[IntArray, Domain]:
    """Values (N,) as codes (N,), -1 where missing (None or NaN), and the distinct values.

    Numbers come out in ascending order, which the ordinal distance relies on.
    Raises TypeError for a value that is not of `kind` and ValueError for an infinite number.
    """
    if not isinstance(values, Coded):
        return _CODERS[kind](values)
    codes = np.asarray(values.codes, dtype=np.int64)
    if codes.size and (codes.max() >= len(values.domain) or codes.min() < MISSING):
        raise ValueError(f"codes must lie between -1 and {len(values.domain) - 1}")
    recoded, domain = _CODERS[kind](values.domain)
    return np.append(recoded, MISSING)[codes], domain  # index -1 finds the appended MISSING


def pack_sets(sets: Sequence[frozenset[Hashable]]) -> PackedSets:
    """Sets (V,) as bits over the union of their elements."""
    element: dict[Hashable, int] = {}
    for members in sets:
        for member in members:
            element.setdefault(member, len(element))
    words = np.zeros((len(sets), len(element) // 64 + 1), dtype=np.uint64)
    for row, members in enumerate(sets):
        for member in members:
            word, bit = divmod(element[member], 64)
            words[row, word] |= np.uint64(1 << bit)
    sizes = np.array([len(members) for members in sets], dtype=np.int64)
    return PackedSets(words, sizes)


def pack_rankings(rankings: Sequence[Sequence[float]]) -> PackedRankings:
    """Rankings (V, m), lower or higher better, as the signs of all differences."""
    size = len(rankings[0]) if len(rankings) else 0
    ranks = np.array(rankings, dtype=np.float64).reshape(len(rankings), size)
    first, second = np.triu_indices(ranks.shape[1], 1)
    return PackedRankings(np.sign(ranks[:, first] - ranks[:, second]).astype(np.int8))


def as_floats(values: Sequence[object] | npt.NDArray[Any]) -> FloatArray:
    """Numbers (N,) as floats, NaN where missing; infinities and non-numbers are refused."""
    array = np.asarray(values)
    if array.dtype.kind not in "iufb":
        array = np.array([_number(value) for value in values], dtype=np.float64)
    floats = array.astype(np.float64)
    if np.isinf(floats).any():
        raise ValueError("a value is infinite")
    return floats


def _number(value: Any) -> float:
    if value is None:
        return float("nan")
    if isinstance(value, str | bytes):
        raise TypeError(f"{value!r} is not a number")
    return float(value)


def _is_missing(value: object) -> bool:
    return value is None or (isinstance(value, float) and isnan(value))


def code_in_order(values: Iterable[Any]) -> tuple[IntArray, list[Hashable]]:
    """Values (N,) as codes in order of first appearance, and the distinct values."""
    every = list(values)
    domain = list(dict.fromkeys(every))
    index = {value: code for code, value in enumerate(domain)}
    return np.fromiter(map(index.__getitem__, every), np.int64, len(every)), domain


def n_distinct(codes: IntArray) -> int:
    """How many different codes (N,) there are: counted, where they are dense, as numpy's `unique`
    takes ten times as long for many."""
    if not len(codes):
        return 0
    low, high = int(codes.min()), int(codes.max())
    if high - low > 8 * len(codes):
        return len(np.unique(codes))
    return int(np.count_nonzero(np.bincount(codes - low)))


def _code_labels(values: Sequence[object] | npt.NDArray[Any]) -> tuple[IntArray, Domain]:
    if isinstance(values, np.ndarray) and values.dtype.kind in "iubfUS":
        return _code_array(values)
    return _without_missing(*code_in_order(None if _is_missing(v) else v for v in values))


def _code_array(values: npt.NDArray[Any]) -> tuple[IntArray, Domain]:
    codes = np.full(len(values), MISSING, dtype=np.int64)
    present = ~np.isnan(values) if values.dtype.kind == "f" else np.ones(len(values), dtype=bool)
    domain, codes[present] = np.unique(values[present], return_inverse=True)
    return codes, domain.tolist()


def _code_numbers(values: Sequence[object] | npt.NDArray[Any]) -> tuple[IntArray, Domain]:
    codes, domain = _code_array(as_floats(values))
    return codes, np.array(domain, dtype=np.float64)


def _code_sets(values: Sequence[object] | npt.NDArray[Any]) -> tuple[IntArray, Domain]:
    codes, domain = _without_missing(*code_in_order(_as_set(value) for value in values))
    return codes, pack_sets(domain)  # type: ignore[arg-type]  # _as_set made them frozensets


def _as_set(value: Any) -> frozenset[Hashable] | None:
    if isinstance(value, frozenset):
        return value
    if _is_missing(value):
        return None
    if isinstance(value, str | bytes) or not isinstance(value, Collection):
        raise TypeError(f"{value!r} is not a set: give a collection of elements")
    return frozenset(value)


def _code_rankings(values: Sequence[object] | npt.NDArray[Any]) -> tuple[IntArray, Domain]:
    candidates: list[Hashable] = []
    dense: list[tuple[int, ...] | None] = []
    for value in values:
        if _is_missing(value):
            dense.append(None)
            continue
        ranks = _ranks_by_candidate(value)
        candidates = candidates or list(ranks)
        if len(ranks) != len(candidates) or not all(name in ranks for name in candidates):
            raise ValueError(f"{value!r} does not rank the same candidates as the others")
        numbers = as_floats([ranks[name] for name in candidates])
        if np.isnan(numbers).any():
            raise ValueError(f"{value!r} misses a rank")
        # 1, 2, 2 and 1, 3, 3 are one ranking.
        dense.append(tuple(np.unique(numbers, return_inverse=True)[1].tolist()))
    codes, domain = _without_missing(*code_in_order(dense))
    return codes, pack_rankings(domain)  # type: ignore[arg-type]  # tuples of integers


def _ranks_by_candidate(value: Any) -> Mapping[Hashable, object]:
    if isinstance(value, Mapping):
        return value
    if isinstance(value, str | bytes) or not isinstance(value, Sequence | np.ndarray):
        raise TypeError(f"{value!r} is not a ranking: give the rank of each candidate")
    return dict(enumerate(value))


def _without_missing(codes: IntArray, domain: list[Hashable]) -> tuple[IntArray, list[Hashable]]:
    """Take None out of the domain: its code becomes MISSING, later codes move down."""
    if None not in domain:
        return codes, domain
    hole = domain.index(None)
    moved = np.where(codes == hole, MISSING, codes - (codes > hole))
    return moved, domain[:hole] + domain[hole + 1 :]


_CODERS: dict[Kind, Callable[[Sequence[object] | npt.NDArray[Any]], tuple[IntArray, Domain]]] = {
    "label": _code_labels,
    "number": _code_numbers,
    "set": _code_sets,
    "ranks": _code_rankings,
}
