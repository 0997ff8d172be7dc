"""Marks in copies of tools' own files, read again by the importer of the tool."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from files.skipped import SkippedRecords
from imports.answer_lines import AnswerLine
from imports.formats.contract import FormatInput
from imports.formats.registry import every_format
from label_table.tools.registry import tool_files
from marking.labels import as_cell, most_said, scored_copy
from marking.marks import Mark, MarkedText, Marks
from marking.material import lines_in
from marking.verdicts import candidates

FOREIGN = Path(settings.BASE_DIR) / "tests" / "imports" / "formats" / "foreign"
PROMPTFOO = FOREIGN / "promptfoo"


def reading(path: Path) -> FormatInput:
    return FormatInput([path], skipped=SkippedRecords(strict=False, folders=False))


def tool_of(path: Path) -> str | None:
    found = tool_files([path])
    return found.tool.name if found else None


def lines(name: str, path: Path) -> list[AnswerLine]:
    return lines_in(every_format()[name], reading(path))


def marked(name: str, path: Path) -> tuple[Marks, str]:
    """Marks by two people of the first two outputs that a judge has a verdict on."""
    keys = list(candidates(lines(name, path))[0].values)[:2]
    marks = [Mark("worker-1", "pass", "plain"), Mark("worker-2", "cannot say")]
    texts = [MarkedText(key, "pass", 0.5, marks, {}, n) for n, key in enumerate(keys)]
    told = Marks("judge", ("pass", "fail"), {"pass": 4}, texts)
    copy = scored_copy(name, path, told)
    assert copy is not None
    return told, copy


CASES = [
    ("promptfoo", PROMPTFOO / "results.json"),
    ("promptfoo", PROMPTFOO / "results.jsonl"),
    ("mlflow", FOREIGN / "mlflow" / "traces.jsonl"),
]


@pytest.mark.parametrize(("name", "path"), CASES, ids=lambda part: Path(part).name)
def test_the_marks_come_back_as_peoples_and_the_rest_is_as_it_was(
    name: str, path: Path, tmp_path: Path
) -> None:
    told, copy = marked(name, path)
    file = tmp_path / path.name
    file.write_text(copy, encoding="utf-8")
    before, after = lines(name, path), lines(name, file)
    keys = {text.key for text in told.texts}
    new = [line for line in after if line.kind == "human" and line.unit in keys]
    old = [line for line in before if line.kind == "human" and line.unit in keys]
    assert {line.unit for line in new} == keys
    assert len(new) > len(old)
    judges = [(x.unit, x.rater, str(x.answer)) for x in before if x.kind == "judge"]
    kept = [(x.unit, x.rater, str(x.answer)) for x in after if x.kind == "judge"]
    # promptfoo's own verdict is a person's where a person has rated.
    assert set(kept) <= set(judges)
    assert {key for key, *_ in judges} - keys <= {key for key, *_ in kept}


def test_a_log_of_inspect_gets_a_score_of_people(tmp_path: Path) -> None:
    score = {"value": "C", "answer": "x", "explanation": "e", "metadata": None}
    sample: dict[str, Any] = {
        "id": 1,
        "epoch": 1,
        "input": "What?",
        "target": "x",
        "messages": [],
        "output": {"completion": "It is so."},
        "scores": {"model_graded_qa": score},
    }
    log = {
        "version": 2,
        "eval": {"model": "m", "task": "t", "created": "", "task_id": "a"},
        "samples": [
            sample,
            {**sample, "id": 2, "scores": {"model_graded_qa": {**score, "value": "I"}}},
        ],
    }
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log), encoding="utf-8")
    assert tool_of(path) == "inspect"
    _told, copy = marked("inspect", path)
    read = json.loads(copy)
    assert read["samples"][0]["scores"]["people_mark"]["value"] == {
        "worker-1": "pass",
        "worker-2": "cannot say",
    }
    assert read["samples"][0]["scores"]["model_graded_qa"] == score
    assert read["eval"] == log["eval"]


def test_a_trace_of_langfuse_gets_scores_of_annotators(tmp_path: Path) -> None:
    trace: dict[str, Any] = {
        "id": "tr1",
        "name": "n",
        "input": "What?",
        "output": "It is so.",
        "observations": [],
        "scores": [
            {
                "id": "s1",
                "traceId": "tr1",
                "name": "quality",
                "dataType": "CATEGORICAL",
                "source": "EVAL",
                "value": "pass",
                "stringValue": "pass",
            }
        ],
    }
    path = tmp_path / "traces.json"
    path.write_text(json.dumps([trace]), encoding="utf-8")
    assert tool_of(path) == "langfuse"
    _told, copy = marked("langfuse", path)
    file = tmp_path / "marked.json"
    file.write_text(copy, encoding="utf-8")
    said = {line.rater: line.kind for line in lines("langfuse", file)}
    assert said["worker-1"] == "human"


@pytest.mark.parametrize(
    ("path", "name"),
    [(PROMPTFOO / "results.json", "promptfoo"), (FOREIGN / "mlflow" / "traces.jsonl", "mlflow")],
)
def test_a_tools_file_is_known_by_its_looks(path: Path, name: str) -> None:
    assert tool_of(path) == name


def test_other_files_are_tables_and_have_no_copy(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("id,output,verdict\n1,a,pass\n", encoding="utf-8")
    assert tool_of(path) is None
    assert scored_copy("table", path, Marks("j", ("pass",), {}, [])) is None


def test_most_is_more_than_half_and_no_cell_is_a_formula() -> None:
    def said(*labels: str) -> str:
        marks = [Mark(f"p{n}", label) for n, label in enumerate(labels)]
        return most_said(MarkedText("u", "pass", 1, marks, {}, 1))

    assert said("pass", "pass", "fail") == "pass"
    assert said("pass", "fail") == ""
    assert said("cannot say") == ""
    assert [as_cell(text) for text in ("=A1", "+1", "a", "")] == ["'=A1", "'+1", "a", ""]
