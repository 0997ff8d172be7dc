"""Many lines in few requests, with what became of each."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from jurybox.client.connection import as_json
from jurybox.client.problems import Refused

Line = Mapping[str, Any]
# A server takes 2.5 MiB in a request, unless it was told otherwise.
MOST_BYTES = 2_000_000
TOO_LARGE = 413


@dataclass(frozen=True)
class LineResult:
    """What became of the line number `index`, from 0. present: it was there already, word for word.
    field, detail: why it was refused."""

    index: int
    status: Literal["stored", "present", "refused"] = "stored"
    field: str = ""
    detail: str = ""


@dataclass(frozen=True)
class Sent:
    """What became of all lines, in their order."""

    results: tuple[LineResult, ...]

    @property
    def stored(self) -> int:
        """How many lines were stored."""
        return sum(line.status == "stored" for line in self.results)

    @property
    def present(self) -> int:
        """How many were there already, word for word."""
        return sum(line.status == "present" for line in self.results)

    @property
    def refused(self) -> tuple[LineResult, ...]:
        """Those that were not stored, with the reasons."""
        return tuple(line for line in self.results if line.status == "refused")

    def __repr__(self) -> str:
        counts = f"stored={self.stored}, present={self.present}, refused={len(self.refused)}"
        return f"{type(self).__name__}({counts})"


def send_all(
    lines: Iterable[Line], send: Callable[[Sequence[Line]], list[LineResult]], *, most: int
) -> Sent:
    """Send lines in parts of at most `most`, smaller ones where the server finds them too large.
    What Refused raises tells how many lines were stored before."""
    results: list[LineResult] = []
    for chunk in chunks(lines, most=most):
        waiting = [chunk]
        while waiting:
            part = waiting.pop()
            try:
                outcomes = send(part)
            except Refused as refused:
                if refused.status != TOO_LARGE or len(part) == 1:
                    raise refused.after(len(results), stored=Sent(tuple(results)).stored) from None
                middle = len(part) // 2
                waiting += [part[middle:], part[:middle]]
            else:
                begin = len(results)
                results += [replace(line, index=begin + line.index) for line in outcomes]
    return Sent(tuple(results))


def chunks(
    lines: Iterable[Line], *, most: int, most_bytes: int = MOST_BYTES
) -> Iterator[list[Line]]:
    """Lines in parts of at most `most` lines and `most_bytes`; a longer one is a part by itself."""
    part: list[Line] = []
    size = 0
    for line in lines:
        length = len(as_json(line)) + 2
        if part and (len(part) == most or size + length > most_bytes):
            yield part
            part, size = [], 0
        part.append(line)
        size += length
    if part:
        yield part
