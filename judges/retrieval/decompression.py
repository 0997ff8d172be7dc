"""Unpack what a server sends packed, to a limit: a small bomb would fill the memory."""

import zlib

# gzip and zlib alike, told apart by their first bytes.
_EITHER = 32 + zlib.MAX_WBITS
PACKINGS = ("gzip", "x-gzip", "deflate")


class BadPacking(Exception):
    """The body is not packed as it should be."""


class TooMuch(Exception):
    """More than the limit comes out."""


class Unpacker:
    """Takes a body piece by piece and holds what comes out, at most `limit` bytes.

    packing: the value of Content-Encoding. BadPacking where it is none that was asked for, or
    where the bytes are not packed so; TooMuch where more than `limit` bytes come out.
    """

    def __init__(self, packing: str, *, limit: int) -> None:
        packing = packing.strip().lower()
        if packing not in ("", "identity", *PACKINGS):
            raise BadPacking(f"packed in a way that was not asked for: {packing[:40]}")
        self.limit, self.body = limit, bytearray()
        self._zlib = zlib.decompressobj(_EITHER) if packing in PACKINGS else None

    def add(self, piece: bytes) -> None:
        """Take the next piece of the body."""
        room = self.limit + 1 - len(self.body)
        self.body += piece if self._zlib is None else self._unpacked(piece, room)
        if len(self.body) > self.limit:
            raise TooMuch

    def _unpacked(self, piece: bytes, room: int) -> bytes:
        assert self._zlib is not None
        try:
            return self._zlib.decompress(piece, room)
        except zlib.error as error:
            raise BadPacking("the page is packed wrongly") from error
