"""The scorecard on the page of results, and as tables."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.models import Study
from estimates.data.options import Options
from estimates.report.cache import report_of
from results.dashboard import page_of, sections_of
from results.dashboard.panels import Panel, Section
from results.figures.requests import Plotter
from results.tables.choice import PageFilter
from tests.results.dashboard.pages import panel_of
from tests.results.two_judges import import_two_judges


@pytest.fixture
def sections(db: None, tmp_path: Path) -> list[Section]:
    study = import_two_judges(tmp_path)
    page = page_of(study, list(study.blocks.all()), report_of(study), PageFilter())
    return sections_of(page)


def cells(panel: Panel) -> dict[str, list[str]]:
    """By the title of the line the cells as text."""
    return {
        line.title: [
            " ".join(filter(None, (cell.value, cell.interval))) if cell else ""
            for cell in line.cells
        ]
        for line in panel.grid.lines
    }


def test_what_each_judge_lets_pass(sections: list[Section]) -> None:
    panel = panel_of(sections, "scorecard-rating")

    assert panel.grid.heads[:4] == [
        "True positive rate",
        "True negative rate",
        "Bias: judge minus people",
        "Agreement among people minus with judge",
    ]
    of_judges = cells(panel)
    assert of_judges["lenient with humans"][:2] == ["0.928 0.873 to 0.960", "0.639 0.514 to 0.748"]
    assert of_judges["balanced with humans"][1] == "0.803 0.687 to 0.884"
    (lenient,) = [line for line in panel.grid.lines if line.title.startswith("lenient")]
    assert [cell and cell.n for cell in lenient.cells][:3] == ["n = 139", "n = 61", "n = 200"]
    assert any("it passes the rest" in sentence for sentence in panel.words)


def test_peoples_answers_down_and_the_judges_across(sections: list[Section]) -> None:
    panel = panel_of(sections, "confusion-1-rating")

    assert panel.grid.title.startswith("lenient with humans")
    assert panel.grid.heads == ["no", "yes"]
    assert cells(panel) == {"no": ["39 (20 %)", "22 (11 %)"], "yes": ["10 (5 %)", "129 (64 %)"]}


def test_two_judges_stand_side_by_side(sections: list[Section]) -> None:
    of_pairs = cells(panel_of(sections, "scorecard_pairs-rating"))

    assert list(of_pairs) == ["balanced – lenient"]
    assert of_pairs["balanced – lenient"][0].startswith("−0.037")


def test_the_scorecard_is_a_table_of_the_report(db: None, tmp_path: Path) -> None:
    import_two_judges(tmp_path)
    out = StringIO()

    call_command("report", "raters", "--table", "scorecard", "--resamples", "20", stdout=out)

    text = out.getvalue()
    assert "true_negative_rate" in text
    assert "0.6393" in text
    assert "krippendorff" not in text


def test_people_and_judges_stand_on_one_axis(db: None, tmp_path: Path) -> None:
    study = import_two_judges(tmp_path)
    plot = Plotter(report_of(study), PageFilter()).plot({"kind": "ceiling", "facet": "rating"})

    assert plot is not None
    grid = plot.grid()
    assert [line.title for line in grid.lines] == ["balanced", "lenient"]
    assert grid.heads == [
        "Agreement of one person with another",
        "Agreement of the judge with one person",
    ]
    values = [[cell.value if cell else "" for cell in line.cells] for line in grid.lines]
    assert values == [["0.807", "0.747"], ["0.807", "0.783"]]


def test_the_curve_of_probabilities_is_drawn(db: None, shared_data: Path) -> None:
    folder = shared_data / "qags-cnndm"
    files = [folder / "mturk_cnndm.jsonl.gz", folder / "unieval_qags_cnndm_result.json.gz"]
    call_command("import_study", "qags", *map(str, files), slug="q", verbosity=0)
    report = report_of(Study.objects.get(slug="q"), Options(resamples=20))

    plot = Plotter(report, PageFilter()).plot({"kind": "calibration", "facet": "consistency"})

    assert plot is not None
    assert plot.grid().lines[-1].title == "unieval, 0.9 to 1.0"
