"""Which tests run on PostgreSQL again. Of those that touch the suite's own database they are the
ones with transactions of their own, and those whose code asks for something in which databases
differ: `tests.peculiar` finds it. Walks in a browser look at pages and run once, as do those in
`MEANS_TO_AN_END`; what is marked `both_databases` runs again in any case. Of the sets of parameters
of one test the first runs again, and all where the test commits or is marked.

Of the rest a test is left out that asks nothing which others do not, once the suite on SQLite has
written down what each asks (`tests.statements`).

``--database-tests-only`` leaves the others out. They run once, with the suite on SQLite, which is
the whole of it; a test that brings a PostgreSQL of its own finds the same there. Files that hold
nothing else are not even read, unless they are named.
"""

import re
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path

import pytest
from django.test import TransactionTestCase

from tests.peculiar import ROOT, TESTS, is_peculiar, subjects, taken_from_tests
from tests.statements import ASKED, KEEP, read_kept, that_repeat_others

OPTION = "--database-tests-only"
# Here one study is written and read once, the same few queries for every test, and what is tested
# comes after: figures, sentences and messages from rows in memory.
MEANS_TO_AN_END = (
    "tests/annotation/messages/",
    "tests/judges/test_needs.py",
    "tests/results/dashboard/",
    "tests/results/figures/",
    "tests/results/paper/",
)
FIXTURES = frozenset({"db", "transactional_db", "live_server", "django_db_setup"})
# A test that runs again whatever its subject has one of these, or takes a fixture that has.
WORDS = re.compile(r"both_databases|transaction=|transactional_db|live_server|TransactionTestCase")
LEFT_OUT = pytest.StashKey[int]()
# The name of the count in what a process of pytest-xdist tells the one that started it.
COUNT = "tests_without_a_database"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        OPTION,
        action="store_true",
        help="leave out what touches no database, and most walks in a browser",
    )
    parser.addoption(
        KEEP,
        action="store_true",
        help=f"write down what tests ask of the database, for {OPTION}",
    )


def touches_database(item: pytest.Item) -> bool:
    """Whether a test reads or writes the database of the suite, by its mark or its fixtures."""
    return (
        item.get_closest_marker("django_db") is not None
        or not FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))
        or issubclass(getattr(item, "cls", None) or object, TransactionTestCase)
    )


def runs_again(item: pytest.Item) -> bool:
    """Whether a test runs on PostgreSQL, too."""
    if not touches_database(item):
        return False
    if item.get_closest_marker("both_databases") is not None:
        return True
    if "browser" in getattr(item, "fixturenames", ()) or item.nodeid.startswith(MEANS_TO_AN_END):
        return False
    return _has_transactions(item) or any(map(is_peculiar, subjects(item.path)))


def _has_transactions(item: pytest.Item) -> bool:
    """Whether what a test does is committed, so that other threads and processes see it."""
    mark = item.get_closest_marker("django_db")
    return (mark is not None and mark.kwargs.get("transaction", False)) or (
        "transactional_db" in getattr(item, "fixturenames", ())
    )


@cache
def may_run_again(file: Path) -> bool:
    """Whether a test of the file may run on PostgreSQL, told from the code alone."""
    name = file.relative_to(ROOT).as_posix()
    if not name.startswith(MEANS_TO_AN_END) and any(map(is_peculiar, subjects(file))):
        return True
    # What tests/conftest.py holds is there for all.
    beside = {folder / "conftest.py" for folder in file.parents if folder.is_relative_to(TESTS)}
    read = {file, *filter(Path.is_file, beside - {TESTS / "conftest.py"})}
    return any(WORDS.search(part.read_text(encoding="utf-8")) for part in taken_from_tests(read))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With the option, do not read a file of tests of which none may run again."""
    if not config.getoption(OPTION) or not collection_path.match("test_*.py"):
        return None
    named = {(config.rootpath / part.partition("::")[0]).resolve() for part in config.args}
    return None if collection_path in named or may_run_again(collection_path) else True


def _is_needed(item: pytest.Item) -> bool:
    """Whether a test runs again though others ask the same."""
    return item.get_closest_marker("both_databases") is not None or _has_transactions(item)


def _one_of_each(items: Iterable[pytest.Item]) -> dict[pytest.Item, None]:
    """Of a test with several sets of parameters the first: what it asks of the database is the
    same with the others, unless it commits, or is marked because they are what is asked."""
    kept: dict[pytest.Item, None] = {}
    met: set[str] = set()
    for item in items:
        name = item.nodeid.partition("[")[0]
        if _is_needed(item) or name not in met:
            kept[item] = None
        met.add(name)
    return kept


def _without_repeats(items: Collection[pytest.Item]) -> list[pytest.Item]:
    """Without those that ask the database nothing which others do not."""
    needed = [item.nodeid for item in items if _is_needed(item)]
    others = {item.nodeid for item in items}.difference(needed)
    repeated = that_repeat_others(others, needed, read_kept())
    return [item for item in items if item.nodeid not in repeated]


def leave_out_others(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With the option, deselect in place what need not run again, and count it."""
    if config.getoption(KEEP):
        for item in filter(runs_again, items):
            item.stash[ASKED] = set()
    if not config.getoption(OPTION):
        return
    again = _one_of_each(item for item in items if runs_again(item))
    # Whoever names tests wants to see them.
    if {(config.rootpath / part).resolve() for part in config.args} == {TESTS}:
        again = dict.fromkeys(_without_repeats(again))
    others = [item for item in items if item not in again]
    items[:] = again
    config.hook.pytest_deselected(items=others)
    config.stash[LEFT_OUT] = len(others)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A process of pytest-xdist reports the count to the one that started it."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output[COUNT] = session.config.stash.get(LEFT_OUT, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    config, output = node.config, getattr(node, "workeroutput", {})  # type: ignore[attr-defined]
    config.stash[LEFT_OUT] = output.get(COUNT, 0)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if config.getoption(OPTION):
        count = config.stash.get(LEFT_OUT, 0)
        terminalreporter.write_line(f"{count} more tests of these files run on one database alone.")
