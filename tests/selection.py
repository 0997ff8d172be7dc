"""Which tests run on PostgreSQL again: those that touch the suite's own database. Of walks in a
browser, which look at pages, and of those in `MEANS_TO_AN_END`, only the ones marked
`both_databases`.

``--database-tests-only`` leaves the others out. They run once, with the suite on SQLite, which is
the whole of it; a test that brings a PostgreSQL of its own finds the same there.
"""

import pytest
from django.test import TransactionTestCase

OPTION = "--database-tests-only"
FIXTURES = frozenset({"db", "transactional_db", "live_server", "django_db_setup"})
# Here a study is written and read once, the same few queries for every test, and what is tested
# comes before or after: the format of a file, figures and sentences from rows in memory, or a
# conversation with a model or a hub. The queries themselves run on both databases in
# tests/imports/studies, tests/imports/answers, tests/estimates/data, tests/judges/runs and
# tests/exports, and those of all researchers' pages in tests/test_pseudonyms.py.
MEANS_TO_AN_END = (
    "tests/annotation/messages/",
    "tests/set_up/imports/hub/",
    "tests/desk/test_crossing.py",  # keys in its addresses, which start over on SQLite alone
    "tests/imports/formats/",
    "tests/judges/backends/",
    "tests/judges/methods/",
    "tests/judges/test_needs.py",
    "tests/published/",
    "tests/results/dashboard/",
    "tests/results/figures/",
    "tests/results/management/",
    "tests/results/paper/",
    "tests/results/summary/",
    "tests/estimates/metrics/",
    "tests/estimates/report/test_every_kind.py",
    "tests/results/tables/",
    "tests/results/test_row_keys.py",
    "tests/results/views/",
)
LEFT_OUT = pytest.StashKey[int]()
# The name of the count in what a process of pytest-xdist tells the one that started it.
COUNT = "tests_without_a_database"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        OPTION,
        action="store_true",
        help="leave out what touches no database, and most walks in a browser",
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
    once = "browser" in getattr(item, "fixturenames", ()) or item.nodeid.startswith(MEANS_TO_AN_END)
    chosen = item.get_closest_marker("both_databases") is not None
    return touches_database(item) and (chosen or not once)


def leave_out_others(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With the option, deselect in place what need not run again, and count it."""
    if not config.getoption(OPTION):
        return
    others = [item for item in items if not runs_again(item)]
    items[:] = [item for item in items if runs_again(item)]
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
        terminalreporter.write_line(f"{count} tests run on one database and were left out here.")
