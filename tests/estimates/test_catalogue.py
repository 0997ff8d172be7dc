"""One entry describes a metric; pages, files, reports and documents show it without another."""

import re
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.conf import settings
from django.core.management import call_command
from django.urls import reverse

from agreement import Estimate
from annotation.models import Study, User
from docs.generate.metrics import table as documented
from estimates.catalogue import METRICS, Metric, Table, every_metric, metric
from estimates.data.rows import Row
from estimates.engine.estimation import STATISTICS
from estimates.report.cache import report_of
from estimates.statistics.samples import crowds
from estimates.statistics.statistic import Figure, Rated, Statistic, Statistics
from imports.study_file.parts import LIVE_METRICS
from results.reading.titles import metric_title
from results.studies.conclusions import Statement
from tasktypes.contract import TaskType
from tasktypes.measures import Measure
from tasktypes.registry import TASK_TYPES, task_type
from tests.results.examples import answer, make_example
from tests.sessions import as_user

ROOT = Path(settings.BASE_DIR)
PEOPLE = (("ada", "human"), ("bob", "human"))
GAP = Metric(
    "largest_gap",
    "Largest gap δ",
    "numbers; people together",
    "Largest difference of two answers to one unit",
    (Table.AMONG,),
    "lower",
    note="A gap of 0 is none at all.",
)
# In the report and its files alone: what they say stands on the page in another way.
NOT_ON_THE_PAGE = {
    "lower_quartile",
    "upper_quartile",
    "wilcoxon_p",
    "difference_p",
    "difference_p_these",
    "difference_ppi_equivalent",
    "cv_star",
    "judge_likeness",
    "judge_likeness_q",
    "likeness_to_judge",
    "likeness_to_people",
}


def largest_gap(part: Rated) -> list[Figure]:
    """The function of one more statistic."""
    gap = float(np.ptp(part.ratings.number)) + 1.5
    return [Figure(GAP.name, Estimate(value=gap, low=1.0, high=2.0, n_units=3, n_ratings=6))]


@pytest.fixture
def rated(owner: User) -> Study:
    study = make_example(task_type("slider"), owner)
    answer(study, *PEOPLE)
    return study


@pytest.fixture
def with_gap(rated: Study, monkeypatch: pytest.MonkeyPatch) -> Study:
    """A study whose report has a metric more: an entry, and the function that computes it."""
    monkeypatch.setitem(METRICS, GAP.name, GAP)
    one_more = Statistics(crowds, (Statistic(compute=largest_gap),))
    monkeypatch.setattr("estimates.engine.estimation.STATISTICS", (*STATISTICS, one_more))
    return rated


def table(study: Study, owner: User, key: str, kind: str) -> str:
    asked = {"panel": key, "format": kind}
    address = reverse("results:table", args=[study.slug])
    return as_user(owner).get(address, asked).content.decode()


def report(study: Study, *options: str) -> str:
    out = StringIO()
    call_command("report", study.slug, *options, stdout=out)
    return out.getvalue()


def test_a_new_metric_is_on_the_page_and_in_its_files(with_gap: Study, owner: User) -> None:
    page = as_user(owner).get(reverse("results:dashboard", args=[with_gap.slug]))

    facet = with_gap.blocks.get().facets[0].name
    assert "Largest gap δ" in page.content.decode()
    assert "A gap of 0 is none at all." in page.content.decode()
    assert r"Largest gap $\delta$" in table(with_gap, owner, f"among-{facet}", "tex")
    assert "1.500 [1.000 to 2.000]" in table(with_gap, owner, f"among-{facet}", "tex")
    assert "Largest gap δ" in table(with_gap, owner, f"among-{facet}", "csv").splitlines()[0]


def test_a_new_metric_is_in_the_report_and_the_documentation(with_gap: Study) -> None:
    assert "largest_gap" in report(with_gap)
    assert '"metric": "largest_gap"' in report(with_gap, "--json")
    assert f"| `largest_gap` | {GAP.title} | {GAP.of} | {GAP.description} | lower |" in documented()


def test_of_a_new_metric_conclusions_know_which_way_is_better(with_gap: Study) -> None:
    row = Row(
        metric=GAP.name,
        facet="x",
        raters="humans",
        aggregation="pooled",
        estimate=Estimate(value=1.0),
    )
    rows = [
        replace(row, group={"system": name}, estimate=Estimate(value=value))
        for name, value in (("Alder", 1.0), ("Birch", 2.0))
    ]

    assert Statement(GAP.name, better="Alder", worse="Birch").holds(rows)
    assert not Statement(GAP.name, better="Birch", worse="Alder").holds(rows)


CLUMSY = Measure(
    "clumsiness", "Clumsiness, ε", "How often the text stumbles", "no text", better="lower"
)


@pytest.fixture
def with_measure(owner: User, monkeypatch: pytest.MonkeyPatch) -> Study:
    """A study whose kind of question measures one thing more, as its folder says."""
    kind = task_type("importance")
    measured, measures = kind.measured, kind.measures

    def more(*given: Any) -> dict[str, float | None]:
        return {**measures(*given), CLUMSY.name: 0.25}

    monkeypatch.setattr(type(kind), "measured", (*measured, CLUMSY))
    monkeypatch.setattr(kind, "measures", more, raising=False)
    study = make_example(kind, owner)
    answer(study, *PEOPLE)
    return study


def test_a_new_measure_of_a_task_type_is_shown_as_its_folder_calls_it(
    with_measure: Study, owner: User
) -> None:
    page = as_user(owner).get(reverse("results:dashboard", args=[with_measure.slug]))

    assert "Clumsiness, ε" in page.content.decode()
    text = table(with_measure, owner, "measures-importance", "tex")
    assert r"Clumsiness, $\varepsilon$" in text
    assert "0.250" in text
    assert "clumsiness" in report(with_measure)


def test_a_new_measure_of_a_task_type_is_in_the_catalogue(with_measure: Study) -> None:
    (found,) = [each for each in every_metric() if each.name == CLUMSY.name]

    assert (found.title, found.better) == (CLUMSY.title, "lower")
    assert found.description == "How often the text stumbles. Undefined: no text"
    assert metric(CLUMSY.name) == found
    assert "| `clumsiness` | Clumsiness, ε |" in documented()
    rows = report_of(with_measure).rows
    assert [row for row in rows if row.metric == CLUMSY.name and row.group.keys() == {"system"}]


def test_what_a_report_says_besides_of_a_measure_is_called_after_it() -> None:
    assert metric_title("vital_precision") == "Vital precision"
    assert metric_title("vital_precision_undefined") == "Vital precision: undefined"
    assert metric_title("detection_vital_precision") == "Vital precision: altered items found"
    assert (
        metric_title("detection_vital_precision_tied") == "Vital precision: equal to the original"
    )


def test_a_metric_of_somebody_elses_table_is_called_by_its_name() -> None:
    unknown = metric("bleurt_score")

    assert (unknown.title, unknown.better) == ("bleurt score", "")


@pytest.mark.parametrize("each", list(every_metric()), ids=lambda each: each.name)
def test_every_metric_is_described_and_has_a_place_on_the_page(each: Metric) -> None:
    assert str(each.title)
    assert each.of
    assert each.description
    assert "\n" not in each.description
    assert bool(each.tables) != (each.name in NOT_ON_THE_PAGE)
    assert all(beside in METRICS for beside in each.beside)


@pytest.mark.parametrize("each", list(METRICS.values()), ids=lambda each: each.name)
def test_every_metric_says_its_range_and_when_not_to_use_it(each: Metric) -> None:
    """In its field `help`, which the question mark of its columns shows."""
    assert len(str(each.help).split()) > 5


def test_no_name_is_given_twice() -> None:
    names = [each.name for each in every_metric()]

    assert len(names) == len(set(names))


def quoted(folder: str) -> dict[str, str]:
    """Word in quotes -> a file of the folder that has it."""
    files = sorted((ROOT / folder).rglob("*.py"))
    return {
        word: str(file.relative_to(ROOT))
        for file in files
        if "metrics" not in file.parts
        for word in re.findall(r'"([a-z][a-z0-9_]+)"', file.read_text(encoding="utf-8"))
    }


def test_only_statistics_and_the_catalogue_spell_a_metrics_name() -> None:
    # Also a rule of consensus, a field of a form, a word of a figure and a column of a file.
    words = {"mean", "median", "share", "median_seconds"}

    spelled = quoted("results")

    assert {name: spelled[name] for name in METRICS if name in spelled.keys() - words} == {}


@pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)
def test_results_name_no_measure_of_a_task_type(kind: TaskType[Any, Any, Any]) -> None:
    named = [each.name for each in kind.measured] + [each.name for each in kind.item_metrics]
    code = "\n".join(
        file.read_text(encoding="utf-8") for file in sorted((ROOT / "results").rglob("*.py"))
    )

    assert [name for name in named if name in code] == []


def test_what_a_stop_rule_may_rest_on_are_the_metrics_with_live_intervals() -> None:
    live = {name for name, each in METRICS.items() if each.live}
    assert live == {*LIVE_METRICS}
