"""Figures made from rows of a report, against numbers written by hand."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from agreement import Estimate
from annotation.models import Study
from estimates.data.options import Options
from estimates.data.rows import Row
from estimates.report.cache import Report, report_of
from results.figures.across import across_facets
from results.figures.from_rows import correlations, differences, systems_plot, wins, workers
from results.figures.layout import layout_of
from results.figures.plots import Cloud, Matrix, Nothing, Points, scale_title
from results.figures.requests import Plotter
from results.tables.choice import PageFilter
from tasktypes.facets import Facet
from tests.cast import make_study
from tests.results.answers import make_rater, questions, rate

UTILITY = Facet("utility", "Utility", "number", "interval", low=0.0, high=100.0)
SYSTEMS = {"Alder": 40.0, "Birch": 60.0, "Cedar": 50.0}


def row(metric: str, raters: str, value: float | None, **more: Any) -> Row:
    aggregation = more.pop("aggregation", "per_item")
    n = more.pop("n", 10)
    reason = "no value" if value is None else None
    estimate = Estimate(value=value, undefined=reason, n_units=n, n_ratings=n)
    return Row(
        metric=metric,
        facet="utility",
        raters=raters,
        aggregation=aggregation,
        estimate=estimate,
        group=more,
    )


def report(*rows: Row) -> Report:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Report(Study(slug="s"), 1, at, Options(), rows, {"gpt": 1})


def test_systems_stand_best_first_as_people_see_them() -> None:
    rows = [row("mean", "humans", value, system=name) for name, value in SYSTEMS.items()]
    rows += [row("mean", "gpt", 100 - value, system=name) for name, value in SYSTEMS.items()]

    plot = systems_plot(report(*rows), UTILITY, PageFilter())

    assert isinstance(plot, Points)
    assert plot.categories == ["Birch", "Cedar", "Alder"]
    assert plot.measure == "Utility (0–100), mean"


def test_one_partys_systems_are_drawn_alone_where_scales_differ() -> None:
    rows = [row("mean", "gpt", value, system=name) for name, value in SYSTEMS.items()]
    rows += [row("mean", "llama", -value, system=name) for name, value in SYSTEMS.items()]

    plot = systems_plot(
        replace(report(*rows), versions={"gpt": 1, "llama": 1}), UTILITY, PageFilter(), "gpt"
    )

    assert isinstance(plot, Points)
    assert [series.name for series in plot.series] == ["gpt"]


def test_an_axis_is_called_by_the_facet_and_the_ends_of_its_scale() -> None:
    assert scale_title(UTILITY) == "Utility (0–100)"
    assert scale_title(replace(UTILITY, low=-1.0)) == "Utility (−1 to 100)"
    assert scale_title(replace(UTILITY, own_scale=True)) == "Utility"
    assert scale_title(replace(UTILITY, ends_observed=True)) == "Utility"


def test_differences_are_a_square_with_what_the_test_settles() -> None:
    rows = [
        row("mean_difference", "humans", -20.0, system="Alder", other_system="Birch"),
        row("mean_difference", "humans", -10.0, system="Alder", other_system="Cedar"),
        row("mean_difference", "humans", 10.0, system="Birch", other_system="Cedar"),
        row("wilcoxon_p_holm", "humans", 0.01, system="Alder", other_system="Birch"),
        row("wilcoxon_p_holm", "humans", 0.2, system="Alder", other_system="Cedar"),
        row("nemenyi_p", "humans", 0.001, system="Birch", other_system="Cedar"),
    ]

    plot = differences(report(*rows), UTILITY, PageFilter())

    assert isinstance(plot, Matrix)
    assert list(plot.rows) == ["Birch", "Cedar", "Alder"]
    assert [[cell and cell.value for cell in of] for of in plot.cells] == [
        [None, 10, 20],
        [-10, None, 10],
        [-20, -10, None],
    ]
    assert plot.marked == {(0, 2), (2, 0)}
    assert plot.text(0, 2) == "20.0*"
    assert "Holm" in plot.note


def test_wins_are_a_square_with_the_number_of_comparisons() -> None:
    """Cedar won 6 of 8 against Alder and 9 of 12 against Birch; Alder and Birch never met."""
    rows = [
        row("head_to_head", "humans", 0.25, n=8, system="Alder", other_system="Cedar"),
        row("head_to_head", "humans", 0.25, n=12, system="Birch", other_system="Cedar"),
        row("head_to_head", "humans", None, n=0, system="Alder", other_system="Birch"),
        row("difference_p_holm", "humans", 0.2, system="Alder", other_system="Cedar"),
        row("difference_p_holm", "humans", 0.03, system="Birch", other_system="Cedar"),
    ]

    plot = wins(report(*rows), UTILITY, PageFilter())

    assert isinstance(plot, Matrix)
    assert list(plot.rows) == ["Cedar", "Alder", "Birch"]
    texts = [[plot.text(row, column) for column in range(3)] for row in range(3)]
    assert texts == [
        ["", "0.75 (8)", "0.75* (12)"],
        ["0.25 (8)", "", ""],
        ["0.25* (12)", "", ""],
    ]
    birch = plot.grid().lines[2].cells
    assert birch[0] is not None
    assert (birch[0].value, birch[0].n) == ("0.250", "n = 12")
    assert birch[1] is not None
    assert birch[1].undefined == "no value"
    shapes = [shape.style for shape in layout_of(plot).shapes]
    assert {"plot__most", "plot__least"} <= set(shapes)


def test_bounds_of_wins_are_those_of_losses_turned_round() -> None:
    given = Estimate(value=0.25, low=0.1, high=0.5, n_units=10, n_ratings=12)
    about = {"system": "Alder", "other_system": "Birch"}
    made = replace(row("head_to_head", "humans", 0.25, **about), estimate=given)

    plot = wins(report(made), UTILITY, PageFilter())

    assert isinstance(plot, Matrix)
    won = plot.cells[0][1]
    assert won is not None
    assert (won.value, won.low, won.high, won.n_ratings) == (0.75, 0.5, 0.9, 12)


def test_correlations_of_systems_stand_first_and_the_best_judge_at_the_top() -> None:
    rows = [
        row("pearson", f"humans~{judge}", value, aggregation=level)
        for judge, system, sample in (("rouge", 0.4, 0.5), ("gpt", 0.9, 0.6))
        for level, value in (("system", system), ("pooled", sample))
    ]

    plot = correlations(report(*rows), UTILITY, PageFilter())

    assert isinstance(plot, Points)
    assert list(plot.categories) == ["gpt", "rouge"]
    assert [series.name for series in plot.series] == ["systems", "samples"]
    assert plot.measure == "Pearson’s r"
    assert isinstance(correlations(report(), UTILITY, PageFilter()), Nothing)


def test_raters_are_placed_by_how_much_they_answered() -> None:
    rows = [
        row("agreement_with_others", f"w{n}", n / 10, aggregation="pooled", n=n) for n in (2, 5)
    ]

    plot = workers(report(*rows), UTILITY, PageFilter())

    assert isinstance(plot, Cloud)
    assert (plot.x, plot.y) == ([2, 5], [0.2, 0.5])
    assert plot.titles == ("Answers", "Agreement with the others")


def test_a_judge_on_a_scale_of_its_own_is_drawn_against_people(db: None) -> None:
    """Two facets of two blocks: people's slider, and the judge's scores in the other."""
    blocks: list[tuple[str, dict[str, Any]]] = [("slider", {"facet": "utility"})]
    study = make_study("metric", sources=4, blocks=blocks)
    ada, judge = make_rater(study, "ada"), make_rater(study, "rouge", "judge")
    for at, question in enumerate(questions(study)):
        rate(ada, question, 10.0 * at)
        rate(judge, question, float(at))
    plotter = Plotter(report_of(study), PageFilter())
    facet = next(facet for block in study.blocks.all() for facet in block.facets)
    material = plotter._material(facet)
    assert material is not None

    plot = across_facets(material, material, "rouge", "humans")

    assert isinstance(plot, Cloud)
    assert plot.own_scales
    assert (plot.x, plot.y) == ([0, 10, 20, 30], [0, 1, 2, 3])
    assert not any(shape.style == "plot__equals" for shape in layout_of(plot).shapes)


@pytest.mark.parametrize("kind", ["correlations", "differences", "wins", "workers"])
def test_each_says_why_there_is_nothing(kind: str, study: Study) -> None:
    plot = Plotter(report_of(study), PageFilter()).plot({"kind": kind, "facet": "utility"})
    assert isinstance(plot, Nothing)
