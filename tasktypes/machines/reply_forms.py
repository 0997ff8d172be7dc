"""Forms of reply other than JSON, which a researcher's own prompt may ask for."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_NUMBERS = re.compile(
    r"(?:answers?\s*:)?\s*\[?\s*(?P<list>-?\d{1,9}(?:\s*,\s*-?\d{1,9})*)\s*\]?\s*\.?", re.IGNORECASE
)
NONE = -1


@dataclass(frozen=True)
class ReplyForm:
    """A form of reply by its name.

    read: the answer in a reply to a payload; ReplyError with the reason where there is none.
    write: the reverse, for worked examples. description: in a line, for the documentation.
    """

    name: str
    description: str
    read: Callable[[Any, str], Any]
    write: Callable[[Any, Any], str]


def numbers_in(reply: str) -> tuple[int, ...]:
    """The numbers of a reply such as `0,2`; empty for `-1`. ValueError for anything else."""
    match = _NUMBERS.fullmatch(reply.strip())
    if match is None:
        raise ValueError("the reply is not just numbers with commas between them")
    numbers = tuple(int(number) for number in match["list"].split(","))
    if numbers == (NONE,):
        return ()
    if min(numbers) < 0:
        raise ValueError(f"{min(numbers)} does not go together with other numbers")
    return numbers


def as_numbers(numbers: tuple[int, ...]) -> str:
    """The reverse of `numbers_in`."""
    return ",".join(map(str, numbers)) or str(NONE)
