"""Traces and tables of MLflow, as its SDK writes and counts them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from imports.formats.traces import mlflow
from tests.imports import formats
from tests.imports.tables import answers_of, import_files, outcome, refusal

pytestmark = pytest.mark.django_db

FOLDER = Path(formats.__file__).parent / "foreign" / "mlflow"
TRACES, TABLE = FOLDER / "traces.jsonl", FOLDER / "table.json"
REPORT = json.loads((FOLDER / "report.json").read_text())
PEOPLE = ("rater-1", "rater-2")


def first_trace() -> Any:
    return json.loads(TRACES.read_text().splitlines()[0])


def written(folder: Path, *traces: Any) -> Path:
    path = folder / "traces.jsonl"
    path.write_text("".join(json.dumps(trace) + "\n" for trace in traces), encoding="utf-8")
    return path


def test_assessments_are_those_that_mlflow_counts() -> None:
    study = import_files("mlflow", TRACES)
    counts = study.imported["counts"]
    # MLflow leaves out what a judge said where a person overrode it; here it stays an answer.
    assert (counts["units"], counts["answers"]) == (REPORT["traces"], REPORT["assessments"] + 1)
    clarity = [
        answer["scores"]["clarity"]
        for rater in PEOPLE
        for unit, answer in answers_of(study, rater).items()
        if unit.endswith(" clarity")
    ]
    assert sum(clarity) / len(clarity) == pytest.approx(REPORT["mean clarity"])


def test_people_get_pseudonyms_and_judges_keep_their_names() -> None:
    study = import_files("mlflow", TRACES)
    assert dict(study.raters.values_list("name", "kind")) == {
        "rater-1": "human",
        "rater-2": "human",
        "birch-2": "judge",
        "length": "judge",
    }
    assert "example.org" not in json.dumps(list(study.raters.values("name")))


def test_people_keep_their_names_on_request() -> None:
    study = import_files("mlflow", TRACES, keep_names=True)
    assert study.raters.filter(name="ada@example.org", kind="human").exists()


def test_rationales_become_reasons_and_expectations_facts() -> None:
    study = import_files("mlflow", TRACES)
    judged = study.annotations.filter(rater__name="birch-2", question__block__key="grounded")
    assert [answer.reasons for answer in judged.order_by("pk")] == [
        ["It names the hour."],
        ["It names the hour."],
        ["It names no source."],
    ]
    facts = {nugget.text for source in study.sources.all() for nugget in source.material.nuggets}
    assert "The pool opens at nine." in facts


def test_calls_of_tools_are_folded_into_a_conversation() -> None:
    study = import_files("mlflow", TRACES)
    talks = [s.material.turns for s in study.sources.all() if s.material.turns]
    assert [[turn.speaker for turn in turns] for turns in talks] == [
        ["user", "assistant", "tool timetable"]
    ]
    assert talks[0][1].calls[0].arguments == '{"line": 3}'
    assert {item.system for item in study.items.all()} == {"larch-1"}
    assert {s.material.query for s in study.sources.all() if not s.material.turns} == {
        "When does the pool open?",
        "Does the ferry sail in winter?",
    }


def test_an_evaluation_table_has_the_mean_that_mlflow_reports() -> None:
    study = import_files("mlflow", TABLE)
    same = [answer["scores"]["same"] for answer in answers_of(study, "same/v1").values()]
    assert sum(same) / len(same) == REPORT["table"]["same/v1/mean"]
    assert study.annotations.filter(reasons=["It is the same."]).count() == 1
    assert study.imported["counts"]["units"] == 3


def without_answer(trace: Any) -> Any:
    for span in trace["data"]["spans"]:
        span["attributes"].pop("mlflow.spanOutputs", None)
    return trace


def of_version(trace: Any) -> Any:
    trace["info"]["trace_metadata"]["mlflow.trace_schema.version"] = "4"
    return trace


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            of_version,
            "mlflow.trace_schema.version: 4 is newer than what can be read here (up to 3)",
        ),
        (without_answer, "output: empty (it ended without an answer, or in an error)"),
        (
            lambda trace: trace["info"],
            "info: missing: this is no trace of MLflow (as Trace.to_json writes it)",
        ),
        (
            lambda trace: trace | {"info": trace["info"] | {"trace_id": ""}},
            "info.trace_id: missing",
        ),
    ],
)
def test_what_cannot_be_used_is_named(
    change: Callable[[Any], Any], message: str, tmp_path: Path
) -> None:
    file = written(tmp_path, change(first_trace()))
    assert refusal("mlflow", file) == f"traces.jsonl:1: {message}"


def test_a_trace_that_stands_twice_is_skipped_once(tmp_path: Path) -> None:
    file = written(tmp_path, first_trace(), first_trace())
    assert refusal("mlflow", file).startswith("traces.jsonl:2: id: duplicate: 'tr-")
    assert outcome("mlflow", file)["counts"]["records_skipped"] == 1


def test_labels_that_make_no_scale_are_left_out_and_said(tmp_path: Path) -> None:
    """A criterion with more labels than a scale has, beside one that is imported."""
    traces = []
    for number in range(30):
        trace = first_trace()
        trace["info"]["trace_id"] = f"tr-{number}"
        given = [a for a in trace["info"]["assessments"] if a["assessment_name"] == "clarity"]
        remark = given[0] | {"assessment_name": "remark", "feedback": {"value": f"r{number}"}}
        trace["info"]["assessments"] = [*given, remark]
        traces.append(trace)
    file = written(tmp_path, *traces)
    message = "traces.jsonl: remark: 30 different values, more than the 21 of a scale"
    assert refusal("mlflow", file) == message
    study = import_files("mlflow", file)
    assert [block.key for block in study.blocks.all()] == ["clarity"]
    assert study.imported["counts"]["parts_skipped"] == 1


def test_a_rater_corrects_what_the_same_rater_said(tmp_path: Path) -> None:
    trace = first_trace()
    first, *others = trace["info"]["assessments"]
    second = first | {"assessment_id": "a-2", "overrides": first["assessment_id"]}
    second["feedback"] = {"value": 2.0}
    trace["info"]["assessments"] = [first | {"valid": False}, second, *others]
    study = import_files("mlflow", written(tmp_path, trace))
    assert next(iter(answers_of(study, "rater-1").values())) == {"scores": {"clarity": 2.0}}
    assert study.imported["counts"][mlflow.REPLACED] == 1
