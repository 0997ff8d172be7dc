"""Traces, observations and scores of Langfuse, in the three forms in which it gives them."""

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Study
from tests.imports import formats
from tests.imports.tables import answers_of, import_files, outcome, refusal

pytestmark = pytest.mark.django_db

FOLDER = Path(formats.__file__).parent / "foreign" / "langfuse"
REPORT = json.loads((FOLDER / "report.json").read_text())
API = FOLDER / "api_observations.json", FOLDER / "api_scores.json"
STORAGE = FOLDER / "blob_observations.jsonl", FOLDER / "blob_scores.jsonl"
PAGES = FOLDER / "ui_traces.csv", FOLDER / "ui_scores.csv"
SCORE = {
    "id": "s", "traceId": "t", "name": "clarity", "source": "ANNOTATION", "dataType": "NUMERIC",
    "value": 4, "authorUserId": "user-ada",
}  # fmt: skip
TRACE = {"id": "t", "input": "When?", "output": "At nine.", "timestamp": "2026-01-31T10:00:00Z"}


def written(folder: Path, *rows: Any) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def clarity(study: Study) -> float:
    values: list[float] = [
        answer["scores"]["clarity"]
        for rater in study.raters.filter(kind="human")
        for unit, answer in answers_of(study, rater.name).items()
        if unit.endswith(" clarity")
    ]
    return sum(values) / len(values)


@pytest.mark.parametrize("files", [API, STORAGE], ids=["api", "storage"])
def test_counts_and_means_are_those_of_the_files(files: tuple[Path, ...]) -> None:
    study = import_files("langfuse", *files)
    counts = study.imported["counts"]
    # One unit more: a call of a model that was scored by itself. A remark is no answer.
    assert counts["units"] == REPORT["traces"] + 1
    assert counts["answers"] == REPORT["scores"] - counts["remarks_not_imported"]
    assert clarity(study) == pytest.approx(REPORT["mean clarity"])


def test_the_tables_of_its_pages_say_the_same() -> None:
    # No observations are there, so the score of one of them is refused with its trace.
    message = refusal("langfuse", *PAGES)
    assert message == "ui_traces.csv:3: score: of span 'model-1', which is not there"
    out = outcome("langfuse", *PAGES)
    assert out["counts"]["units"] == REPORT["traces"] - 1
    assert any("clarity" in line for line in out["odd"]["fields_not_imported"])


def test_annotators_are_people_evaluators_and_the_api_judges() -> None:
    study = import_files("langfuse", *API)
    assert dict(study.raters.values_list("name", "kind")) == {
        "rater-1": "human",
        "rater-2": "human",
        "relevance": "judge",
        "fluency": "judge",
        "api": "judge",
    }
    assert list(answers_of(study, "fluency").values()) == [{"value": 1.0}]
    commented = study.annotations.filter(rater__name="relevance", question__unit__key="trace-2")
    assert commented.get().reasons == ["About 25% of it."]


def test_calls_of_tools_are_folded_into_a_conversation() -> None:
    study = import_files("langfuse", *API)
    turns = study.items.get(key="trace-0").unit_items.get().unit.source.material.turns
    assert [turn.speaker for turn in turns] == ["user", "assistant", "tool timetable"]
    model = study.items.get(key="trace-1/model-1").unit_items.get().unit.source.material
    assert [turn.role for turn in model.turns] == ["system", "user"]
    assert study.items.get(key="trace-0").system == "larch-1"


def test_a_trace_that_was_downloaded_whole(tmp_path: Path) -> None:
    observation = {"id": "o", "traceId": "t", "type": "GENERATION", "input": "When?",
                   "output": "At nine.", "model": "larch-1"}  # fmt: skip
    path = tmp_path / "trace-t.json"
    whole = {"trace": TRACE, "observations": [observation], "scores": [SCORE]}
    path.write_text(json.dumps(whole, indent=1), encoding="utf-8")
    study = import_files("langfuse", path)
    assert study.items.get().system == "larch-1"
    assert study.annotations.count() == 1


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [TRACE, {"name": "x"}],
            ":2: id: missing: this is no trace, observation or score of Langfuse",
        ),
        (
            [TRACE, SCORE | {"source": "PLUGIN"}],
            ":2: source: 'PLUGIN' is not known here (ANNOTATION, API, EVAL)",
        ),
        (
            [TRACE, SCORE | {"traceId": None}],
            ":2: subject: missing (ask the API for fields=details,subject,annotation)",
        ),
        ([TRACE, SCORE | {"traceId": "u"}], ":2: traceId: 'u' is in none of the files"),
        ([TRACE, TRACE], ":2: id: duplicate: 'trace t' stands at rows.jsonl:1 already"),
        (
            [TRACE | {"output": None}],
            ":1: output: empty (it ended without an answer, or in an error)",
        ),
    ],
)
def test_what_cannot_be_used_is_named(rows: list[Any], message: str, tmp_path: Path) -> None:
    assert refusal("langfuse", written(tmp_path, *rows)) == f"rows.jsonl{message}"


def test_broken_lines_are_skipped_and_counted(tmp_path: Path) -> None:
    path = written(tmp_path, TRACE, SCORE, TRACE | {"id": "u"})
    path.write_text(path.read_text() + "{\n", encoding="utf-8")
    out = outcome("langfuse", path)
    assert out["counts"]["records_skipped"] == 1
    assert out["counts"]["units"] == 2


def test_scores_of_a_session_are_counted_and_left_out(tmp_path: Path) -> None:
    of_session = SCORE | {"id": "s2", "traceId": None, "sessionId": "x"}
    study = import_files("langfuse", written(tmp_path, TRACE, SCORE, of_session))
    assert study.imported["counts"]["scores_of_sessions_or_runs"] == 1
    assert study.annotations.count() == 1
