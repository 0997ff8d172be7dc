"""Named arrays as bytes, small enough for a database."""

import io
import json
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from estimates.data.table import IntArray

Arrays = Mapping[str, npt.NDArray[np.generic]]

# A low compression level: most of the gain for a tenth of the time.
LEVEL = 1


def pack(arrays: Arrays) -> bytes:
    """The arrays, integers among them in as few bytes as hold them all."""
    out = io.BytesIO()
    np.savez(out, allow_pickle=False, **{name: _narrow(array) for name, array in arrays.items()})
    return zlib.compress(out.getvalue(), LEVEL)


def unpack(packed: bytes | memoryview) -> Arrays:
    """What `pack` packed; `wide` gives integers their width again."""
    with np.load(io.BytesIO(zlib.decompress(packed)), allow_pickle=False) as arrays:
        return dict(arrays)


def wide(array: npt.NDArray[np.generic]) -> IntArray:
    """Whole numbers as statistics hold them; any other array as it is."""
    return np.asarray(array, dtype=np.int64 if array.dtype.kind == "i" else None)


def as_text(content: object) -> npt.NDArray[np.str_]:
    """A value that is not an array, as an array of JSON text."""
    return np.array(json.dumps(content))


def from_text(array: npt.NDArray[np.generic]) -> Any:
    """What `as_text` held; tuples and sets are lists there, and keys are texts."""
    return json.loads(str(array))


def _narrow(array: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
    if array.dtype != np.int64 or not array.size:
        return array
    low, high = int(array.min()), int(array.max())
    fits = (kind for kind in (np.int8, np.int16, np.int32) if _holds(kind, low, high))
    return array.astype(next(fits, np.int64))


def _holds(kind: type[np.signedinteger], low: int, high: int) -> bool:
    return bool(np.iinfo(kind).min <= low and high <= np.iinfo(kind).max)
