"""What the page of results says, and what it says where there is no number."""

import csv
import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Annotation, Study, User
from estimates.data.options import Options
from estimates.report.cache import report_of
from estimates.report.live import as_shown
from estimates.report.recount import recount
from judges.definitions.versions import define_judge
from judges.models import Call, Chunk, JudgeRun
from results.dashboard import find_panel, page_of, sections_of
from results.dashboard.panels import Page
from results.tables.choice import PageFilter, recounting
from tests.annotation.workers import newcomer
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions, rate
from tests.results.dashboard.pages import NO_NUMBER, QUESTIONS, address, panel_of
from tests.sessions import as_user

KINDS = ("heat", "time", "spread", "systems", "against")


def page(study: Study, **chosen: Any) -> Page:
    choice = PageFilter(**chosen)
    return page_of(study, list(study.blocks.all()), report_of(study, choice.options), choice)


def no_answers(study: Study) -> None:
    """Nobody said anything."""


def one_rater(study: Study) -> None:
    rater = make_rater(study, "ada")
    for question in questions(study):
        choose(rater, question, 0)
    rate(rater, questions(study, block=1)[0], 50)


def one_unit(study: Study) -> None:
    for name, value in (("ada", 10), ("bob", 20)):
        rater = make_rater(study, name)
        choose(rater, questions(study)[0], 0)
        rate(rater, questions(study, block=1)[0], value)


def only_judges(study: Study) -> None:
    rater = make_rater(study, "lexical", "judge")
    for question in questions(study):
        choose(rater, question, 0, 2)


def only_excluded(study: Study) -> None:
    one_unit(study)
    Annotation.objects.update(excluded_reason="failed the controls")
    Study.objects.filter(pk=study.pk).update(revision=99)


def failed_judge(study: Study) -> None:
    one_unit(study)
    run = a_run(study)
    chunk = Chunk.objects.create(run=run, position=0)
    for question in questions(study):
        Call.objects.create(
            run=run, chunk=chunk, question=question, status=Call.Status.REFUSAL, error="no"
        )


def a_run(study: Study) -> JudgeRun:
    judge = define_judge(study=study, name="lexical", method="lexical")
    rater = make_rater(study, "lexical", "judge")
    return JudgeRun.objects.create(study=study, judge=judge, rater=rater)


POOR = (no_answers, one_rater, one_unit, only_judges, only_excluded, failed_judge)


@pytest.mark.parametrize("poor", POOR)
def test_a_study_with_too_little_says_why_and_never_shows_what_is_no_number(
    study: Study, colleague: User, poor: Callable[[Study], None]
) -> None:
    poor(study)
    client = as_user(colleague)

    shown = client.get(address(study))

    text = re.sub(r"<[^>]*>", " ", shown.content.decode())
    assert all(question in text for question in QUESTIONS)
    assert not NO_NUMBER.search(text), NO_NUMBER.search(text)
    for section in shown.context["sections"]:
        for part in section.parts:
            assert part.panels or part.drawings or part.missing_reason
            for panel in part.panels:
                for line in panel.grid.lines:
                    for cell in line.cells:
                        assert cell is None or cell.value or cell.undefined
                for name in ("csv", "tex"):
                    asked = {"panel": panel.key, "format": name}
                    file = client.get(address(study, "table"), asked).content.decode()
                    assert not NO_NUMBER.search(file), file


@pytest.mark.parametrize("poor", POOR)
def test_every_figure_of_such_a_study_is_drawn_or_says_why_not(
    study: Study, colleague: User, poor: Callable[[Study], None]
) -> None:
    poor(study)
    client = as_user(colleague)
    for kind in KINDS:
        for facet in ("recovery", "utility"):
            asked = {"kind": kind, "facet": facet, "judge": "lexical", "crowd": "humans"}
            drawn = client.get(address(study, "figure"), asked)
            assert drawn.status_code == 200
            assert b"<svg" in drawn.content
            table = client.get(address(study, "figure"), {**asked, "format": "csv"})
            assert not NO_NUMBER.search(table.content.decode())


def test_three_questions_in_their_order_with_people_beside_judges(answered: Study) -> None:
    sections = sections_of(page(answered))

    assert [section.title for section in sections] == QUESTIONS
    overview = panel_of(sections, "trust").grid
    assert list(overview.heads) == ["Humans", "lexical with humans"]
    assert [line.title for line in overview.lines] == ["Citation recovery", "Utility"]
    quality = panel_of(sections, "quality-recovery").grid
    assert [line.title for line in quality.lines] == ["ada", "bob"]
    by_system = panel_of(sections, "systems-f1-recovery").grid
    assert list(by_system.heads) == ["Humans", "lexical"]
    assert [line.title for line in by_system.lines] == ["Alder", "Birch"]


def test_the_page_says_why_two_systems_and_three_answered_sources_tell_little(db: None) -> None:
    study = make_study("few", sources=12, blocks=[("slider", {})])
    ada, judge = make_rater(study, "ada"), make_rater(study, "lexical", "judge")
    for at, question in enumerate(questions(study)):
        rate(judge, question, 10 * (at % 3) + 5 * at)
        if at < 4:
            rate(ada, question, 20 + 9 * at)

    sections = sections_of(page(study))

    savings = panel_of(sections, "savings-utility")
    assert [text for text in savings.words if "too few sources for an interval" in text]
    assert "Human answers saved" not in savings.grid.heads
    (pair,) = panel_of(sections, "correlation-utility").grid.lines
    reasons = {cell.undefined for cell in pair.cells if cell and cell.undefined}
    assert reasons == {"fewer than three systems"}


def test_a_part_without_such_a_figure_shows_the_whole_studys_and_says_so(answered: Study) -> None:
    sections = sections_of(page(answered, system="Alder"))

    assert not panel_of(sections, "scores-recovery").whole
    assert [line.title for line in panel_of(sections, "systems-f1-recovery").grid.lines] == [
        "Alder"
    ]
    assert panel_of(sections, "friedman-utility").whole
    assert panel_of(sections, "quality-recovery").whole


def test_a_table_is_of_a_part_or_of_the_whole_study_but_never_of_both(answered: Study) -> None:
    whole = find_panel(page(answered), "calibrated-utility")
    part = find_panel(page(answered, setting="full"), "calibrated-utility")

    assert whole is not None
    assert part is not None
    assert part.whole
    assert part.grid.lines == whole.grid.lines


def test_one_persons_answers_alone_are_counted_where_that_is_asked(answered: Study) -> None:
    everybody, ada, bob = (
        find_panel(page(answered, **chosen), "scores-utility")
        for chosen in ({}, {"only": "ada"}, {"without": "ada"})
    )
    assert everybody is not None
    assert ada is not None
    assert bob is not None
    assert [one.grid.lines[0].ratings for one in (everybody, ada, bob)] == [6, 3, 3]
    assert ada.grid.lines[0].cells[0] != bob.grid.lines[0].cells[0]
    shown = [one.grid.lines[1].cells[0] for one in (everybody, ada) if one.grid.lines[1].cells[0]]
    assert len({cell.value for cell in shown if cell}) == 1  # the judge's, with both


def test_excluded_answers_count_where_that_is_asked(study: Study) -> None:
    only_excluded(study)
    rows = {
        excluded: report_of(study, Options(excluded=excluded)).rows for excluded in (False, True)
    }

    def people(excluded: bool) -> float | None:
        (found,) = [
            row.estimate
            for row in rows[excluded]
            if (row.metric, row.facet, row.raters, row.group) == ("mean", "utility", "humans", {})
        ]
        return found.value

    assert people(False) is None
    assert people(True) == 15


@pytest.mark.both_databases
def test_how_many_calls_of_a_judge_failed_stands_beside_its_numbers(study: Study) -> None:
    failed_judge(study)

    calls = find_panel(page(study), "calls")

    assert calls is not None
    assert calls.grid.heads == ["Refusal"]
    assert [(line.title, line.cells[0].value) for line in calls.grid.lines if line.cells[0]] == [
        ("lexical", "3")
    ]


def test_a_call_without_an_answer_stands_on_the_page_of_its_unit(
    study: Study, colleague: User
) -> None:
    failed_judge(study)
    Call.objects.update(reply="I would rather not say.")

    unit = questions(study)[0].unit_id
    shown = as_user(colleague).get(reverse("desk:unit", args=["small", unit]))

    assert "I would rather not say." in shown.content.decode()
    assert "Refusal" in shown.content.decode()


def test_seconds_per_answer_are_part_of_a_workers_quality(study: Study) -> None:
    one_rater(study)
    for at, annotation in enumerate(Annotation.objects.filter(question__block__position=0)):
        Annotation.objects.filter(pk=annotation.pk).update(active_seconds=10.0 * (at + 1))

    quality = find_panel(page(study), "quality-recovery")

    assert quality is not None
    assert quality.grid.heads[-1] == "Seconds per answer, median"
    cell = quality.grid.lines[0].cells[-1]
    assert cell is not None
    assert cell.value == "20.0"


def test_how_often_a_judge_repeats_itself_is_shown_beside_its_numbers(study: Study) -> None:
    judge = make_rater(study, "lexical", "judge")
    for at, question in enumerate(questions(study)):
        choose(judge, question, 0)
        choose(judge, question, int(at == 0), replicate=1)

    again = find_panel(page(study), "again-recovery")

    assert again is not None
    assert [line.title for line in again.grid.lines] == ["lexical"]
    heads = dict(zip(again.grid.heads, again.grid.lines[0].cells, strict=True))
    same = heads["Same answer from run to run"]
    assert same is not None
    assert same.value == "0.667"


def test_a_table_as_csv_holds_the_shown_numbers_with_every_digit(
    answered: Study, colleague: User
) -> None:
    asked = {"panel": "scores-recovery", "format": "csv"}
    file = as_user(colleague).get(address(answered, "table"), asked).content.decode()

    lines = list(csv.DictReader(io.StringIO(file)))
    (row,) = [
        row
        for row in as_shown(report_of(answered)).rows
        if (row.metric, row.raters, row.group) == ("f1", "humans", {})
    ]
    assert lines[0]["Who"] == "Humans"
    assert float(lines[0]["F1"]) == row.estimate.value
    assert float(lines[0]["F1: lower bound"]) == row.estimate.low


def test_a_table_as_latex_is_for_booktabs(answered: Study, colleague: User) -> None:
    asked = {"panel": "between-recovery", "format": "tex"}
    text = as_user(colleague).get(address(answered, "table"), asked).content.decode()

    assert "\\toprule" in text
    assert "$\\alpha$, Jaccard" in text
    assert text.count("\\\\\n") == 2
    assert "\\label{tab:small-between-recovery}" in text
    (caption,) = [line for line in text.splitlines() if line.startswith("\\caption")]
    assert "revision" not in caption
    assert "% manage.py report small --latex --panel between-recovery" in text


def test_figures_are_kept_as_svg_png_and_pdf_and_as_tables(
    answered: Study, colleague: User
) -> None:
    starts = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF", "csv": b",", "tex": b"% Needs"}
    for name, start in starts.items():
        asked = {"kind": "spread", "facet": "utility", "format": name}
        file = as_user(colleague).get(address(answered, "figure"), asked)
        assert file.content.startswith(start)
        assert re.search(rf'spread-r\d+\.{name}"', file["Content-Disposition"])


def test_a_file_says_of_what_it_is(answered: Study, colleague: User) -> None:
    client = as_user(colleague)
    asked = {"panel": "scores-utility", "only": "ada", "setting": "sample"}
    part, whole = (
        client.get(address(answered, "table"), {"panel": "scores-utility", "format": "csv", **more})
        for more in (asked, {})
    )

    assert part["Content-Disposition"] != whole["Content-Disposition"]
    assert "-setting-sample-only-ada-r" in part["Content-Disposition"]
    line = next(csv.DictReader(io.StringIO(part.content.decode())))
    assert line["part"] == "Subset: sample"
    assert line["answers counted"] == "only ada and judges"
    assert line["revision"] == str(report_of(answered).revision)
    assert line["Mean: ratings"] == "3"
    assert line["Mean: interval"]
    whole_line = next(csv.DictReader(io.StringIO(whole.content.decode())))
    assert whole_line["part"] == "whole study"
    assert whole_line["answers counted"] == "all that count"

    text = client.get(address(answered, "table"), {**asked, "format": "tex"}).content.decode()
    (said,) = [row for row in text.splitlines() if row.startswith("% small")]
    assert "Subset: sample; only ada and judges; answers as of" in said
    assert "--part setting=sample --only ada" in text


def test_a_table_of_the_whole_study_says_so_in_its_file(answered: Study, colleague: User) -> None:
    asked = {"panel": "quality-recovery", "setting": "sample", "format": "csv"}
    answer = as_user(colleague).get(address(answered, "table"), asked)

    assert next(csv.DictReader(io.StringIO(answer.content.decode())))["part"] == "whole study"
    assert "sample" not in answer["Content-Disposition"]


def test_a_figures_files_say_of_what_they_are(answered: Study, colleague: User) -> None:
    asked = {"kind": "spread", "facet": "utility", "system": "Alder", "format": "png"}
    answer = as_user(colleague).get(address(answered, "figure"), asked)

    assert "-utility-spread-system-alder-r" in answer["Content-Disposition"]
    assert b"System: Alder" in answer.content


def test_a_page_offers_what_the_units_behind_its_numbers_follow(
    study: Study, colleague: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_excluded(study)  # four stored answers, none of them counted
    monkeypatch.setattr("estimates.report.newest.SMALL", 3)
    recount(study=study)

    choices = as_user(colleague).get(address(study)).context["choices"]

    assert not choices.recounts
    assert not choices.raters
    assert recounting(study, {"only": "ada"}) == Options()


def test_where_people_are_too_many_the_page_says_where_each_of_them_is(
    answered: Study, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("estimates.data.parties", "results.tables.choice", "results.dashboard.panels"):
        monkeypatch.setattr(f"{module}.MOST_SINGLE", 1)

    workers = (
        f'<a href="{reverse("desk:workers", args=["small"])}">Workers</a> lists them one by one'
    )
    page = as_user(owner).get(address(answered)).content.decode()

    assert "2 people answered. Individual figures are shown here for up to" in page
    assert "too many people here to select one" in page
    assert workers not in page  # where nobody works there is nobody to list

    newcomer(answered)
    assert workers in as_user(owner).get(address(answered)).content.decode()


def test_intervals_speak_of_these_raters_only_where_that_is_asked(
    answered: Study, colleague: User
) -> None:
    client = as_user(colleague)
    shown = client.get(address(answered), {"resample": "sources"})

    assert shown.context["report"].options.resample == "sources"
    assert "Other answers count here" not in shown.content.decode()
    plain = client.get(address(answered), {"resample": "anything"})
    assert plain.context["report"].options == Options()


def test_agreement_over_time_is_silent_where_every_kept_answer_was_replaced(
    answered: Study, colleague: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("estimates.report.newest.SMALL", 0)
    recount(study=answered)
    Annotation.objects.update(superseded_at=timezone.now())

    asked = {"kind": "time", "facet": "utility", "format": "csv"}
    drawn = as_user(colleague).get(address(answered, "figure"), asked)

    assert "every answer was replaced" in drawn.content.decode()


@pytest.mark.parametrize("asked", ["panel=nothing&format=csv", "panel=trust&format=docx", ""])
def test_tables_and_formats_that_do_not_exist_are_not_found(
    answered: Study, colleague: User, asked: str
) -> None:
    assert as_user(colleague).get(f"{address(answered, 'table')}?{asked}").status_code == 404


def test_an_svg_describes_itself_and_carries_no_styles(answered: Study, colleague: User) -> None:
    for kind in KINDS:
        asked = {"kind": kind, "facet": "utility", "judge": "lexical", "crowd": "humans"}
        drawn = as_user(colleague).get(address(answered, "figure"), asked).content
        assert b"<title" in drawn
        assert b"<desc" in drawn
        assert b"style" not in drawn
        assert b"<image" not in drawn


def test_an_outsider_gets_no_table_no_comparison_and_no_plan(
    answered: Study, outsider: User
) -> None:
    client = as_user(outsider)
    for name in ("table", "figure", "planning", "choose-against"):
        assert client.get(address(answered, name)).status_code == 404
    against = reverse("results:against", args=["small", "small"])
    assert client.get(against).status_code == 404
    assert Client().get(against).status_code == 302
