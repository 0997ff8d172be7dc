import json
from pathlib import Path
from typing import Any

import pytest

from tests.imports.tables import import_files, refusal, write_table

pytestmark = pytest.mark.django_db

COLUMNS = ("article_id", "statement", "ruling", "annotated_evidence", "annotated_label")
RULING = ["The mill is empty.", 'It was sold "as seen".', "Nobody lives there."]


def row(article: str, chains: Any, **changes: Any) -> str:
    cells = {
        "article_id": article,
        "statement": "The mill was sold.",
        "ruling": json.dumps(RULING),
        "annotated_evidence": json.dumps(chains),
        "annotated_label": "true",
    } | changes
    return "\t".join('"' + cells[name].replace('"', '""') + '"' for name in COLUMNS)


def table(folder: Path, *rows: str, header: str = "\t".join(COLUMNS)) -> Path:
    return write_table(folder / "p.tsv", header, *rows)


def test_chains_of_several_rows_and_of_one_cell_belong_to_one_source(tmp_path: Path) -> None:
    file = table(
        tmp_path,
        row("7", {"1": ["0"], "2": ["1,2", "0"]}),
        row("8", {"1": ["0"]}),
        row("9", {"1": ["2"]}, statement="The mill is empty."),
    )
    study = import_files("politihop", file)
    first, second = study.sources.order_by("pk")
    assert (first.key, first.claim, first.verdict) == ("7", "The mill was sold.", "true")
    assert first.chains == [[0], [1, 2, 0]]
    assert [passage["text"] for passage in first.passages] == RULING
    assert (second.key, second.chains) == ("9", [[2]])
    assert study.imported["odd"]["chains_with_joined_passages"] == ["7 1,2,0"]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([row("7", {"1": ["3"]})], "p.tsv:2: annotated_evidence.1: there is no passage '3'"),
        ([row("7", {"1": [0]})], "p.tsv:2: annotated_evidence.1: not a list of numbers in quotes"),
        ([row("7", [])], "p.tsv:2: annotated_evidence: not an object of chains"),
        ([row("7", {"1": ["0"]}, ruling="[")], "p.tsv:2: ruling: no JSON"),
        ([row("7", {"1": ["0"]}), row("8", {}, ruling='["X."]')], "p.tsv:3: ruling: other"),
        ([row("7", {"1": ["0"]}) + "\tx"], "p.tsv:2: columns: 6 cells under 5 names"),
        ([], "p.tsv: rows: none in this file"),
    ],
)
def test_a_row_that_does_not_fit_is_refused(tmp_path: Path, rows: list[str], reason: str) -> None:
    assert refusal("politihop", table(tmp_path, *rows)).startswith(reason)


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    file = table(tmp_path, header="article_id\tstatement\truling\tannotated_label")
    assert refusal("politihop", file).startswith("p.tsv:1: annotated_evidence: no such column")
