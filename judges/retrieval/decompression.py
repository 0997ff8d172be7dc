"""Decompress a response up to a limit, so that a compression bomb does not fill the memory."""

import zlib

# zlib detects gzip or zlib by the first bytes.
_EITHER = 32 + zlib.MAX_WBITS
ENCODINGS = ("gzip", "x-gzip", "deflate")


class BadEncoding(Exception):
    """The body is not compressed as the header says."""


class TooLarge(Exception):
    """The body is larger than the limit."""


class Decompressor:
    """Takes a body in chunks and holds the decompressed bytes, at most `limit` of them.

    encoding: the value of Content-Encoding. BadEncoding where it is none that was accepted, or
    where the bytes do not fit it; TooLarge where there are more than `limit` bytes.
    """

    def __init__(self, encoding: str, *, limit: int) -> None:
        encoding = encoding.strip().lower()
        if encoding not in ("", "identity", *ENCODINGS):
            raise BadEncoding(f"packed in a way that was not asked for: {encoding[:40]}")
        self.limit, self.body = limit, bytearray()
        self._zlib = zlib.decompressobj(_EITHER) if encoding in ENCODINGS else None

    def add(self, chunk: bytes) -> None:
        """Take the next chunk of the body."""
        # One byte more than the limit shows that there is more, without decompressing it all.
        most = self.limit + 1 - len(self.body)
        self.body += chunk if self._zlib is None else self._decompress(chunk, most)
        if len(self.body) > self.limit:
            raise TooLarge(f"more than {self.limit} bytes")

    def _decompress(self, chunk: bytes, most: int) -> bytes:
        assert self._zlib is not None
        try:
            return self._zlib.decompress(chunk, most)
        except zlib.error as error:
            raise BadEncoding("the page is packed wrongly") from error
