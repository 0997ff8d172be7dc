"""The n beside a figure is the n of that figure."""

from typing import Any

import pytest

from agreement import Estimate
from annotation.models import Question, Study, Unit, UnitItem
from estimates.data.options import Options
from estimates.report.cache import report_of
from results.dashboard import page_of, sections_of
from results.dashboard.panels import Panel, Section
from results.studies.comparison import Comparison
from results.studies.tables import _correlations
from results.tables.choice import PageFilter
from results.tables.grids import Cell
from tests.cast import make_study
from tests.results.answers import make_rater, questions, rate
from tests.results.dashboard.pages import panel_of
from tests.results.estimates import estimate_study

SLIDER: tuple[tuple[str, dict[str, Any]], ...] = (("slider", {}),)


@pytest.fixture
def rated(db: None) -> Study:
    """Three items, the first shown in two units; two people rate them all."""
    study = make_study(blocks=SLIDER)
    (first, *_) = questions(study)
    shown = first.unit.unit_items.get()
    again = Unit.objects.create(study=study, source=first.unit.source, key="again")
    UnitItem.objects.create(unit=again, item=shown.item, position=0)
    Question.objects.create(study=study, unit=again, block=first.block, payload=first.payload)
    for at, name in enumerate(("ada", "bob")):
        rater = make_rater(study, name)
        for number, question in enumerate(questions(study)):
            rate(rater, question, 10.0 + 20 * number + at)
    return study


def sections(study: Study) -> list[Section]:
    return sections_of(page_of(study, list(study.blocks.all()), report_of(study), PageFilter()))


def test_n_of_a_mean_over_items_is_the_number_of_items(rated: Study) -> None:
    """Four units of three items, eight answers."""
    rows = estimate_study(rated, Options(resamples=0)).rows
    means = {
        row.metric: row.estimate
        for row in rows
        if row.raters == "humans" and row.aggregation == "per_item" and not row.group
    }
    assert means.keys() >= {"mean", "median"}
    assert {estimate.n_units for estimate in means.values()} == {3}
    assert {estimate.n_ratings for estimate in means.values()} == {8}


def test_the_page_calls_what_it_counts_by_its_name(rated: Study) -> None:
    means = panel_of(sections(rated), "together-utility").grid
    assert tuple(means.counts) == ("Items", "Answers")
    assert [(line.units, line.ratings) for line in means.lines] == [(3, 8)]

    by_system = panel_of(sections(rated), "systems-mean-utility").grid
    sizes = {line.title: {cell and cell.n for cell in line.cells} for line in by_system.lines}
    assert sizes == {"Alder": {"n = 1"}, "Birch": {"n = 2"}}


def test_every_table_says_what_each_of_its_figures_is_over(rated: Study) -> None:
    panels: list[Panel] = [
        panel for section in sections(rated) for part in section.parts for panel in part.panels
    ]
    assert any(panel.key.startswith("among-systems") for panel in panels)
    for panel in panels:
        for line in panel.grid.lines:
            for cell in filter(None, line.cells):
                if cell.exact is not None and cell.value and cell.exact.n_units is not None:
                    assert cell.n or line.units == cell.exact.n_units, (panel.key, line.title)


def test_a_figure_without_an_interval_says_why(rated: Study) -> None:
    by_system = panel_of(sections(rated), "systems-mean-utility").grid
    (alder,) = [line for line in by_system.lines if line.title == "Alder"]
    few = {"no interval: too few sources (1, 5 are needed)", "no interval: one cluster only"}
    assert {cell and cell.no_interval for cell in alder.cells if cell} == few
    assert Cell.of(Estimate(value=1.0, low=0.5, high=1.5)).no_interval == ""


def test_a_correlation_of_systems_says_over_how_many() -> None:
    estimate = Estimate(value=-0.5, n_units=3)
    comparison = Comparison("mean", "utility", "humans", (), {"spearman": estimate})
    assert next(_correlations(comparison)) == "Spearman’s ρ: −0.500 over systems, n = 3"
