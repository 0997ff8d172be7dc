"""The page of published figures is what the program gives, and every figure is as published."""

from pathlib import Path

import pytest
from django.conf import settings

from annotation.models import Study
from tests.published import CASES
from tests.published.__main__ import reproduce
from tests.published.cases import Case, Figure, Step, row
from tests.published.page import HEAD, page_of, section_of
from tests.published.runs import Outcome, printed_like, run_case

PAGE = Path(settings.BASE_DIR, "docs", "reproduces.md")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.key)
def test_every_figure_comes_out_as_published_and_as_the_page_says(
    db: None, shared_data: Path, case: Case
) -> None:
    outcomes = run_case(case, shared_data)

    differing = [
        (one.figure.what, one.figure.published, one.ours)
        for step in outcomes
        for one in step
        if not one.is_equal and not one.figure.note
    ]
    assert differing == []
    assert section_of(case, outcomes) in PAGE.read_text(encoding="utf-8")
    assert not Study.objects.exists()


def test_the_page_has_its_head_and_one_section_per_case() -> None:
    text = PAGE.read_text(encoding="utf-8")
    titles = [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")]

    assert text.startswith(HEAD)
    assert titles == [case.title for case in CASES]


def test_a_number_is_printed_with_the_decimals_and_the_unit_of_the_published_one() -> None:
    assert printed_like("0.815", 0.81512) == "0.815"
    assert printed_like("64.1%", 64.0512) == "64.1%"
    assert printed_like("-0.50", -0.5) == "-0.50"
    assert printed_like("1266", 1266) == "1266"
    assert printed_like("confirmed", "not confirmed") == "not confirmed"


def one_figure(published: str, note: str = "") -> tuple[Case, Figure]:
    figure = Figure(
        "mean of x", published, row("mean", "", "humans", aggregation="published"), note
    )
    commands = ("import_study summary {made}/t.csv --slug t", "report t --json")

    def prepare(data: Path, made: Path) -> None:
        (made / "t.csv").write_text("study,system,rater,metric,value\np,,all,mean,2.345\n")

    steps = (Step(commands, (figure,)),)
    return Case("nothing", "A table", "ours", steps, prepare=prepare), figure


def test_what_differs_is_said_with_the_reason(db: None, tmp_path: Path) -> None:
    case, figure = one_figure("2.40", note="it was mistyped")

    outcomes = run_case(case, tmp_path)

    assert outcomes == [[Outcome(figure, "2.35")]] or outcomes == [[Outcome(figure, "2.34")]]
    section = section_of(case, outcomes)
    assert "differs: it was mistyped" in section
    assert "    jurybox import_study summary MADE/t.csv --slug t" in section
    assert page_of([section]).startswith(HEAD)


@pytest.mark.both_databases
def test_what_was_imported_is_taken_back(db: None, tmp_path: Path) -> None:
    run_case(one_figure("2.3")[0], tmp_path)

    assert not Study.objects.exists()


def test_folders_that_are_missing_are_named(tmp_path: Path) -> None:
    assert "no folder alt-test, dialsummeval-ratings" in reproduce(tmp_path, None)
