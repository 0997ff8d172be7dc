"""Logs of inspect_ai, as it writes them itself."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.annotation.importing.tables import answers_of, import_files, refusal

pytestmark = pytest.mark.django_db

LOG = Path(__file__).parent / "foreign" / "inspect.eval"
# What the log's own report says.
ACCURACY = {"model_graded_qa": 0.625, "includes": 0.75}


def plain(**changes: Any) -> dict[str, Any]:
    sample = {
        "id": "tram",
        "epoch": 1,
        "input": "When?",
        "target": "One.",
        "messages": [
            {"role": "user", "content": "When?"},
            {
                "role": "assistant",
                "content": [{"type": "text", "text": "I look."}],
                "tool_calls": [{"id": "1", "function": "timetable", "arguments": {"line": 3}}],
            },
            {"role": "tool", "function": "timetable", "content": "until 1:00"},
            {"role": "assistant", "content": "Until one."},
        ],
        "output": {"completion": "Until one."},
        "scores": {"grader": {"value": {"clarity": 4, "tone": "warm"}}},
    }
    return {"version": 2, "eval": {"model": "m"}, "samples": [sample | changes]}


def written(folder: Path, log: Any) -> Path:
    path = folder / "log.json"
    path.write_text(json.dumps(log), encoding="utf-8")
    return path


def test_every_scorer_is_a_judge_with_the_accuracy_that_the_log_reports() -> None:
    study = import_files("inspect", LOG)
    assert (
        study.imported["counts"] | {"sources": 4, "items": 4, "answers": 8}
        == (study.imported["counts"])
    )
    for judge, accuracy in ACCURACY.items():
        grades = [answer["scores"]["correct"] for answer in answers_of(study, judge).values()]
        assert sum(grades) / len(grades) == accuracy
    assert set(study.raters.values_list("kind", flat=True)) == {"judge"}


def test_explanations_are_kept_as_reasons() -> None:
    study = import_files("inspect", LOG)
    graded = study.annotations.filter(rater__name="model_graded_qa")
    assert all(reasons and reasons[0] for reasons in graded.values_list("reasons", flat=True))


def test_samples_become_queries_or_conversations_with_their_targets() -> None:
    study = import_files("inspect", LOG)
    capital = study.sources.get(key="capital").material
    assert capital.query == "What is the capital of France?"
    assert capital.nuggets[0].text == "Paris"
    peak = study.sources.get(key="peak").material
    assert [turn.role for turn in peak.turns] == ["system", "user"]
    item = study.items.get(key="peak/mockllm/model")
    assert item.sentences[0]["text"] == "Mont Blanc"
    assert item.system == "mockllm/model"


def test_a_log_with_tools_and_scores_of_several_parts(tmp_path: Path) -> None:
    log = plain()
    log["samples"].append(plain(id="bus", scores={"grader": {"value": {"clarity": 2}}}))
    log["samples"][1] = log["samples"][1]["samples"][0]
    study = import_files("inspect", written(tmp_path, log))
    turns = study.sources.get(key="tram/m").material.turns
    assert [turn.speaker for turn in turns] == ["user", "assistant", "tool timetable"]
    assert turns[1].calls[0].arguments == '{"line": 3}'
    assert answers_of(study, "grader") == {
        "tram/m clarity": {"scores": {"clarity": 4.0}},
        "tram/m tone": {"scores": {"tone": "warm"}},
        "bus/m clarity": {"scores": {"clarity": 2.0}},
    }


def test_a_sample_that_was_not_scored_has_no_answer(tmp_path: Path) -> None:
    log = plain(scores={"grader": {"value": float("nan")}})
    log["samples"] += plain(id="bus", scores={"grader": {"value": 0.5}})["samples"]
    study = import_files("inspect", written(tmp_path, log))
    assert answers_of(study, "grader") == {"bus/m": {"scores": {"grader": 0.5}}}


@pytest.mark.parametrize(
    ("log", "message"),
    [
        (plain() | {"version": 3}, "version: 3 is newer than what can be read here (up to 2)"),
        ({"results": []}, "eval: missing: this is no log of inspect_ai"),
        (plain() | {"samples": []}, "records: none in this file"),
    ],
)
def test_another_version_and_another_file_are_refused(
    log: dict[str, Any], message: str, tmp_path: Path
) -> None:
    assert refusal("inspect", written(tmp_path, log)) == f"log.json: {message}"


def test_a_sample_without_an_answer_is_named(tmp_path: Path) -> None:
    log = plain(output={"completion": ""})
    assert refusal("inspect", written(tmp_path, log)).startswith(
        "log.json (sample tram, epoch 1): output.completion: empty"
    )


def test_an_archive_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.json", "{}")
    assert refusal("inspect", path) == (
        "other.eval: header.json: missing: this is no whole log of inspect_ai"
    )
