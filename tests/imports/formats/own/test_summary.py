from pathlib import Path

import pytest

from tests.imports.tables import import_files, refusal, write_table

pytestmark = pytest.mark.django_db

HEADER = "study,system,rater,metric,value"


def test_published_figures_come_in_without_units_or_answers(tmp_path: Path) -> None:
    rows = ("paper,just,all,mean_rank,1.48", "paper,,all,krippendorff_alpha_nominal,.05")
    study = import_files("summary", write_table(tmp_path / "t.csv", HEADER, *rows))
    assert (study.units.count(), study.raters.count()) == (0, 0)
    assert study.imported["published"] == [
        {
            "study": "paper",
            "system": "just",
            "rater": "all",
            "metric": "mean_rank",
            "value": 1.48,
        },
        {
            "study": "paper",
            "system": "",
            "rater": "all",
            "metric": "krippendorff_alpha_nominal",
            "value": 0.05,
        },
    ]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([HEADER, "p,x,all,mean_rank,low"], "t.csv:2: value: 'low' is not a number"),
        ([HEADER, "p,x,all,,1"], "t.csv:2: metric: empty"),
        ([HEADER, *["p,x,all,mean_rank,1"] * 2], "t.csv:3: metric: the same as t.csv:2"),
        (["study,rater,metric,value"], "t.csv:1: system: no such column (the file has: study, "),
        ([HEADER], "t.csv: rows: none in this file"),
    ],
)
def test_a_row_that_does_not_fit_is_refused(tmp_path: Path, rows: list[str], reason: str) -> None:
    assert refusal("summary", write_table(tmp_path / "t.csv", *rows)).startswith(reason)
