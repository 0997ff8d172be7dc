"""The paragraph on results has the numbers of the first screen."""

import re
from pathlib import Path

import pytest

from annotation.models import Study
from estimates.report.cache import report_of
from results.dashboard.panels import Tab
from results.paper.findings import results_of
from results.paper.material import (
    figures_of,
    first_tables,
    questions_of,
    tables_of,
    texts_of,
)
from results.reading.wording import plain
from results.summary.screen import screen_of
from results.tables.choice import PageFilter
from tests.results.preferences import HALF, compared
from tests.results.two_criteria import import_two_criteria
from tests.results.two_judges import import_two_judges

pytestmark = pytest.mark.django_db


@pytest.fixture
def two_judges(tmp_path: Path) -> Study:
    return import_two_judges(tmp_path)


def test_it_says_what_the_cards_say_with_what_the_figures_mean(two_judges: Study) -> None:
    report = report_of(two_judges)
    results = results_of(report)
    people, judges, _systems = screen_of(two_judges, report).cards
    text = results.as_text
    for card in (people, judges):
        assert plain(card.answer.sentence).partition(". ")[0].rstrip(".") in text
    assert "passes 36 % of what people fail (finds 0.64" in text
    assert "Each figure is followed by its 95 % interval" in text
    assert "α is 1 for perfect agreement" in text
    assert {"krippendorff2011", "krippendorff2004", "yerushalmy1947"} <= set(results.keys)


def test_both_judges_have_a_sentence(two_judges: Study) -> None:
    text = results_of(report_of(two_judges)).as_text
    assert "lenient" in text
    assert "balanced" in text


def test_nothing_is_said_of_a_study_without_answers(study: Study) -> None:
    assert not results_of(report_of(study))


def test_an_open_study_is_called_preliminary_and_facets_are_named(answered: Study) -> None:
    text = results_of(report_of(answered)).as_text
    assert text.startswith("The study is still open, so these figures are preliminary.")
    assert "\n\nUtility. " in text


def test_references_are_of_paragraphs_and_tables(two_judges: Study) -> None:
    report = report_of(two_judges)
    texts, tables = texts_of(report), tables_of(report, PageFilter())
    bibtex = texts.bibtex(tables)
    for key in texts.keys:
        assert f"{{{key},\n" in bibtex
    assert "{schuirmann1987," not in bibtex
    assert "Jurybox" in bibtex
    assert texts.command == "manage.py report raters --paper"


def test_figures_of_all_tabs_are_listed_once_and_described_apart(two_judges: Study) -> None:
    figures = figures_of(report_of(two_judges), PageFilter())
    queries = [figure.drawing.query for figure in figures]
    assert len(queries) == len(set(queries)) > 3
    described = [(figure.drawing.title, figure.drawing.alt) for figure in figures]
    assert len(described) == len(set(described))


def test_comparisons_are_drawn_as_wins_and_not_as_differences_too(tmp_path: Path) -> None:
    systems = dict.fromkeys(HALF["ada"], ("Alder", "Birch"))
    report = report_of(compared(tmp_path, HALF, systems))
    kinds = [figure.drawing.kind for figure in figures_of(report, PageFilter())]
    assert "wins" in kinds
    assert "differences" not in kinds
    assert figures_of(report, PageFilter())[kinds.index("wins")].tab is Tab.SYSTEMS


def test_of_each_question_one_table_is_ready_to_copy(two_judges: Study) -> None:
    report, choice = report_of(two_judges), PageFilter()
    first = list(first_tables(report, choice, tables_of(report, choice)))
    assert [each.table.tab for each in first] == [Tab.PEOPLE, Tab.JUDGES]
    for each in first:
        assert f"\\caption{{{each.table.panel.grid.title}}}".replace("’", "'") in each.latex
        assert f"--panel {each.table.panel.key}" in each.latex
        assert each.markdown.rstrip().endswith("}")


def test_all_tables_are_under_the_question_of_their_tab(two_judges: Study) -> None:
    report, choice = report_of(two_judges), PageFilter()
    tables, figures = tables_of(report, choice), figures_of(report, choice)
    questions = list(questions_of(tables, figures))
    assert [question.title for question in questions][:2] == ["Agreement", "Judge performance"]
    shown = [table for q in questions for of in q.tables.values() for table in of]
    assert sorted(table.panel.key for table in shown) == sorted(t.panel.key for t in tables)


def test_metrics_of_one_kind_share_a_sentence_and_captions_name_the_facet(
    db: None, tmp_path: Path
) -> None:
    report, choice = report_of(import_two_criteria(tmp_path)), PageFilter()
    text = results_of(report).as_text
    assert text.count("with people’s answers is") == 2
    one = r"is 0\.\d\d \([^)]*\) for \w+ and 0\.\d\d \([^)]*\) for \w+ \(n = 48\)\."
    assert len(re.findall(one, text)) == 2
    assert text.index("\n\nCoherence. ") < text.index("\n\nFluency. ")
    titles = [table.panel.alone.title for table in tables_of(report, choice)]
    assert len(titles) == len(set(titles))
    assert any(title.startswith("Fluency: ") for title in titles)
    first = first_tables(report, choice, tables_of(report, choice))
    assert [each.table.panel.key for each in first] == ["trust", "all-systems", "all-judges"]
