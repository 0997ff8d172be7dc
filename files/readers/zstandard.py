"""Texts packed by Zstandard, which Python itself reads from 3.14 on.

Polars unpacks them, all at once. How many bytes that can be is told before by the blocks that they
are packed in: none of them holds more than 128 KiB.
"""

import io

_FRAME, _SKIPPED_FRAME = b"\x28\xb5\x2f\xfd", b"\x2a\x4d\x18"
_BLOCK = 128 * 1024
# The size of a field by the two bits that announce it.
_DICTIONARY, _CONTENT = (0, 1, 2, 4), (0, 2, 4, 8)
# Blocks may hold less: of an honest text they hold half at least.
_LOOSE, _SMALL = 4, 16 * 1024 * 1024


def zstandard_text(packed: bytes, size: int) -> bytes:
    """What is packed, which says of itself that it has so many bytes; without a line's end where
    one is last. ValueError where it has others, or is damaged."""
    import polars as pl

    if _most_unpacked(packed) > max(size * _LOOSE, _SMALL):
        raise ValueError("unpacks to more than it says")
    try:
        # A table of lines. Valid JSON has control characters nowhere but between its parts, so that
        # a table of one column has all of its text.
        table = pl.read_csv(
            io.BytesIO(packed),
            has_header=False,
            separator="\x01",
            quote_char=None,
            infer_schema=False,
        )
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise ValueError("its bytes are wrong") from error
    lines = [line or "" for line in table.to_series(0)]
    text = "\n".join(lines).encode()
    # What ends a line is one character or two.
    if not size - len(lines) - 1 <= len(text) <= size:
        raise ValueError("not of the size that it says")
    return text


def _most_unpacked(packed: bytes) -> int:
    """The bytes that can come of all frames; ValueError where they are none."""
    at = most = 0
    while at < len(packed):
        if packed[at + 1 : at + 4] == _SKIPPED_FRAME:
            at += 8 + _number(packed, at + 4, 4)
            continue
        if packed[at : at + 4] != _FRAME:
            raise ValueError("no frame of Zstandard")
        at, more = _frame(packed, at + 4)
        most += more
    return most


def _frame(packed: bytes, at: int) -> tuple[int, int]:
    """(where a frame ends, the bytes that can come of it); `at` is behind its first four bytes."""
    flags = _number(packed, at, 1)
    is_single = flags >> 5 & 1
    content = _CONTENT[flags >> 6] or is_single
    at += 1 + (1 - is_single) + _DICTIONARY[flags & 3] + content
    most, is_last = 0, False
    while not is_last:
        head = _number(packed, at, 3)
        is_last, kind, size = bool(head & 1), head >> 1 & 3, head >> 3
        # Bytes as they are; one that is repeated; or packed.
        most += _BLOCK if kind > 1 else size
        at += 3 + (1 if kind == 1 else size)
    return at + 4 * (flags >> 2 & 1), most


def _number(packed: bytes, at: int, size: int) -> int:
    if at + size > len(packed):
        raise ValueError("cut off")
    return int.from_bytes(packed[at : at + size], "little")
