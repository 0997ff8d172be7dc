"""The paragraph on results has the numbers of the first screen."""

from pathlib import Path

import pytest

from annotation.models import Study
from estimates.report.cache import report_of
from results.paper.findings import results_of
from results.paper.material import figures_of, tables_of, texts_of
from results.reading.wording import plain
from results.summary.screen import screen_of
from results.tables.choice import PageFilter
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
    assert "Utility: " in text


def test_references_are_of_paragraphs_and_tables(two_judges: Study) -> None:
    report = report_of(two_judges)
    texts, tables = texts_of(report), tables_of(report, PageFilter())
    bibtex = texts.bibtex(tables)
    for key in texts.keys:
        assert f"{{{key},\n" in bibtex
    assert "{schuirmann1987," not in bibtex
    assert all(table.command.startswith("manage.py report raters --latex") for table in tables)
    assert texts.command == "manage.py report raters --paper"


def test_figures_of_all_tabs_are_listed_once(two_judges: Study) -> None:
    queries = [figure.drawing.query for figure in figures_of(report_of(two_judges), PageFilter())]
    assert len(queries) == len(set(queries)) > 3
