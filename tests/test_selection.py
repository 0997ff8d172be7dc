"""Which tests run on PostgreSQL again, told by what they ask for."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page

from annotation.models import Study
from tests.published import CASES
from tests.selection import OPTION, _one_of_each, may_run_again, runs_again, touches_database


def test_a_test_of_numbers_touches_no_database(request: pytest.FixtureRequest) -> None:
    assert not touches_database(request.node)


def test_a_client_alone_touches_no_database(client: Client, request: pytest.FixtureRequest) -> None:
    assert not touches_database(request.node)


@pytest.mark.django_db
def test_a_mark_touches_the_database(request: pytest.FixtureRequest) -> None:
    assert touches_database(request.node)


def test_a_fixture_that_asks_for_the_database_touches_it(
    study: Study, request: pytest.FixtureRequest
) -> None:
    assert touches_database(request.node)


@pytest.mark.django_db
def test_where_databases_answer_alike_a_test_runs_once(request: pytest.FixtureRequest) -> None:
    assert touches_database(request.node)
    assert not runs_again(request.node)


@pytest.mark.django_db(transaction=True)
def test_what_is_committed_runs_again(request: pytest.FixtureRequest) -> None:
    assert runs_again(request.node)


def test_where_code_asks_for_what_differs_a_test_runs_again(
    study: Study, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = settings.BASE_DIR / "tests" / "annotation" / "work"
    monkeypatch.setattr(request.node, "path", work / "test_submission.py")
    assert runs_again(request.node)


@pytest.mark.django_db
def test_a_walk_in_a_browser_runs_once_unless_it_is_marked(
    page: Page, request: pytest.FixtureRequest
) -> None:
    assert touches_database(request.node)
    assert not runs_again(request.node)
    request.node.add_marker("both_databases")
    assert runs_again(request.node)


def test_the_option_leaves_the_others_out_and_says_how_many() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--collect-only"]
    said = subprocess.run(
        [*command, OPTION, __file__, "tests/published/test_reproduced.py"],
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    collected = [line.rpartition("::")[2] for line in said.splitlines() if "::" in line]
    assert collected == [
        "test_what_was_imported_is_taken_back",
        "test_what_is_committed_runs_again",
    ]
    assert f"{9 + 2 + len(CASES) + 4} more tests of these files run on one database alone." in said


@pytest.mark.parametrize("text", ["a", "b"])
def test_of_several_sets_of_parameters_one_runs_again_unless_all_are_marked(
    study: Study, text: str, request: pytest.FixtureRequest
) -> None:
    sets = [item for item in request.session.items if request.node.originalname in item.nodeid]
    assert list(_one_of_each(sets)) == sets[:1]
    for item in sets:
        item.add_marker("both_databases")
    assert list(_one_of_each(sets)) == sets
    for item in sets:
        item.own_markers[:] = [mark for mark in item.own_markers if mark.name != "both_databases"]


def test_a_file_that_is_not_read_holds_no_test_that_runs_again(
    request: pytest.FixtureRequest,
) -> None:
    """Among those that were collected: with the whole suite, all."""
    again = {item.path for item in request.session.items if runs_again(item)}
    assert Path(__file__) in again
    assert all(map(may_run_again, again))
    assert not may_run_again(settings.BASE_DIR / "tests" / "test_translations.py")
