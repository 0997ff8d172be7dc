"""Formats, judge methods and backends that other installed packages bring, beside our own.

A package names its classes in an entry point: the group says what they are, the name what they are
called. One that cannot be used is left out and named; the program goes on without it.
"""

import inspect
import logging
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

# As the databases and addresses take it.
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Plugins:
    """The classes of a group by name, and a sentence on each entry that is left out."""

    kinds: Mapping[str, Any]
    left_out: tuple[str, ...]


def load_plugins(
    group: str,
    contract: type,
    *,
    ours: Collection[str],
    objection: Callable[[str, Any], str] = lambda _name, _kind: "",
) -> Plugins:
    """Load what installed packages bring for a group.

    contract: what the classes are subclasses of. ours: names that no package can take. objection:
    why a class cannot be used under its name; empty where it can.
    """
    kinds: dict[str, Any] = {}
    left_out = []
    for entry in _entries(group):
        try:
            _check_name(entry, ours, kinds)
            kind = entry.load()
            _check(entry.name, kind, contract, objection)
        except (Exception, SystemExit) as error:  # noqa: BLE001 (somebody else's code)
            reason = str(error) if isinstance(error, _Unfit) else f"{type(error).__name__}: {error}"
            left_out.append(f"{_package(entry)}: {entry.name!r} ({group}) is left out: {reason}")
            logger.warning("%s", left_out[-1])
        else:
            kinds[entry.name] = kind
    return Plugins(kinds, tuple(left_out))


class _Unfit(Exception):
    """The entry cannot be used; the message says why."""


def _entries(group: str) -> Iterator[EntryPoint]:
    """In an order that does not depend on the path."""
    yield from sorted(entry_points(group=group), key=lambda entry: (_package(entry), entry.name))


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.value.partition(".")[0]


def _check_name(entry: EntryPoint, ours: Collection[str], taken: Collection[str]) -> None:
    if not NAME.fullmatch(entry.name):
        raise _Unfit("its name has other characters than a to z, digits, - and _, or more than 40")
    if entry.name in ours:
        raise _Unfit("Jurybox has one of this name itself")
    if entry.name in taken:
        raise _Unfit("another package has one of this name")


def _check(name: str, kind: Any, contract: type, objection: Callable[[str, Any], str]) -> None:
    if not (isinstance(kind, type) and issubclass(kind, contract)):
        raise _Unfit(f"it is no subclass of {contract.__module__}.{contract.__name__}")
    if inspect.isabstract(kind):
        lacking = ", ".join(sorted(getattr(kind, "__abstractmethods__", ())))
        raise _Unfit(f"it does not have {lacking}")
    if reason := objection(name, kind):
        raise _Unfit(reason)
