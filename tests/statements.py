"""The statements that tests have the program send to the database, and the tests that repeat them.

With ``--keep-statements`` each test that may run again on PostgreSQL (`tests.selection`) writes
down what it asked of SQLite: for each statement the line of the program that sent it, its text
without the values, and the error if it ended in one. ``--database-tests-only`` then leaves out
tests that ask nothing which others do not. A test of which nothing is written down runs.
"""

import heapq
import json
import os
import re
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import blake2b
from types import FrameType
from typing import Any

import pytest
from django.db import connection

from jurybox.packages import PACKAGES
from tests.peculiar import ROOT, TESTS

KEEP = "--keep-statements"
OURS = tuple(f"{ROOT}/{package}/" for package in PACKAGES)
TESTS_OF_THEM = f"{TESTS}/"
FILE = ROOT / "var" / "statements.json"
VALUES = re.compile(r"\(%s(?:, %s)+\)")
ROWS = re.compile(r"(\(%s\))(?:, \(%s\))+")
NUMBERS = re.compile(r"\d+")
Kept = dict[str, list[str]]
KEPT = pytest.StashKey[Kept]()
ASKED = pytest.StashKey[set[str]]()
STARTED = time.time()


@contextmanager
def written_down() -> Iterator[set[str]]:
    """What is asked of the database meanwhile."""
    asked = set()

    def write_down(execute: Callable[..., Any], statement: str, *rest: Any) -> Any:
        try:
            answer = execute(statement, *rest)
        except Exception as error:
            asked.add(_name(_place(), str(statement), type(error).__name__))
            raise
        asked.add(_name(_place(), str(statement)))
        return answer

    with connection.execute_wrapper(write_down):
        yield asked


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """From its first fixture on."""
    if ASKED not in item.stash:
        return (yield)
    with written_down() as asked:
        item.stash[ASKED] = asked
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Keep it where the test passes; one that is skipped here may run there."""
    result = yield
    asked = item.stash.get(ASKED, None)
    if asked is not None:
        item.config.stash.setdefault(KEPT, {})[item.nodeid] = sorted(asked)
    return result


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A process of pytest-xdist reports to the one that started it, which writes the file."""
    kept, output = session.config.stash.get(KEPT, {}), getattr(session.config, "workeroutput", None)
    if output is not None:
        output[KEEP] = kept
    elif session.config.getoption(KEEP):
        FILE.parent.mkdir(exist_ok=True)
        FILE.write_text(json.dumps(kept), encoding="utf-8")
        os.utime(FILE, (STARTED, STARTED))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    node.config.stash.setdefault(KEPT, {}).update(getattr(node, "workeroutput", {}).get(KEEP, {}))


def read_kept() -> Kept:
    """What was kept, unless the code has changed since that run began."""
    if not FILE.is_file() or _last_change() > FILE.stat().st_mtime:
        return {}
    kept: Kept = json.loads(FILE.read_text(encoding="utf-8"))
    return kept


def that_repeat_others(tests: Iterable[str], always: Iterable[str], kept: Kept) -> set[str]:
    """Those of the tests that ask nothing which others do not: they can be left out together.

    always: tests that run in any case. The others are taken by how much they ask that none before
    has asked.
    """
    met = {statement for name in always for statement in kept.get(name, ())}
    waiting = [(-len(kept[name]), name) for name in tests if name in kept]
    heapq.heapify(waiting)
    repeated = set()
    while waiting:
        _most, name = heapq.heappop(waiting)
        new = set(kept[name]) - met
        if not new:
            repeated.add(name)
        elif waiting and -len(new) > waiting[0][0]:
            heapq.heappush(waiting, (-len(new), name))  # another may ask more by now
        else:
            met |= new
    return repeated


def _last_change() -> float:
    return max(
        path.stat().st_mtime
        for folder in (*PACKAGES, "jurybox", "templates", "tests")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".html"}
    )


@cache
def _name(place: str, statement: str, error: str = "") -> str:
    """How many values there are, which ones, and the number of a savepoint make no difference."""
    shape = NUMBERS.sub("0", ROWS.sub(r"\1", VALUES.sub("(%s)", statement)))
    return blake2b(f"{place} {shape} {error}".encode(), digest_size=8).hexdigest()


def _place() -> str:
    """The line of the program that asks; none where a test does so itself."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(OURS):
            return f"{file}:{frame.f_lineno}"
        if file.startswith(TESTS_OF_THEM):
            return ""
        frame = frame.f_back
    return ""
