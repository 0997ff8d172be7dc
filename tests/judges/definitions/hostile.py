"""Definitions of judges as somebody writes them who wants to read files of the server: one for each
parameter of each method."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from judges.methods.registry import METHODS

_watched: list[tuple[str, set[str]]] = []

FIELDS = ("model", "family", "backend")
# (method, field): every parameter of every method, and the fields beside them.
EVERY_FIELD = [
    *((m.name, f"parameters.{name}") for m in METHODS for name in m.Parameters.model_fields),
    *((m.name, field) for m in METHODS for field in FIELDS),
]
NAMES_OF_SERVER = [(m.name, field) for m in METHODS for field in m.server_names()]


def definition(method: str, field: str, value: Any) -> dict[str, Any]:
    """A definition of a method in which one field has that value."""
    entry: dict[str, Any] = {"name": "mine", "method": method}
    needed: dict[str, dict[str, Any]] = {"jury": {"judges": ["lexical"]}}
    parameters = dict(needed.get(method, {}))
    if "parameters." in field:
        parameters[field.removeprefix("parameters.")] = value
    else:
        entry[field] = value
    if field != "model" and method in {"zero_shot", "geval", "prometheus", "fingract", "vital"}:
        entry["model"] = "gpt-4o"
    return entry | ({"parameters": parameters} if parameters else {})


@contextmanager
def touched(monkeypatch: pytest.MonkeyPatch, name: str) -> Iterator[set[str]]:
    """The paths with that name in them which are opened, listed or looked for meanwhile."""
    seen: set[str] = set()
    _hook()
    watch = (name, seen)
    _watched.append(watch)
    try:
        with monkeypatch.context() as patched:
            for function in ("stat", "lstat"):
                patched.setattr(os, function, _told(getattr(os, function)))
            yield seen
    finally:
        _watched.remove(watch)


@cache
def _hook() -> None:
    """Python has no way to take an audit hook back: one for all tests."""
    sys.addaudithook(lambda _event, args: _note(args[:1]) if _watched else None)


def _told(function: Any) -> Any:
    def told(path: Any, *args: Any, **kwargs: Any) -> Any:
        _note((path,))
        return function(path, *args, **kwargs)

    return told


def _note(args: tuple[Any, ...]) -> None:
    for path in args:
        if isinstance(path, str | bytes | Path):
            text = os.fsdecode(path)
            for name, seen in _watched:
                if name in text:
                    seen.add(text)
