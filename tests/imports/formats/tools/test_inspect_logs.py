"""Logs of inspect_ai, as it writes them itself."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.imports.tables import answers_of, import_files, refusal

pytestmark = pytest.mark.django_db

LOG = Path(__file__).parents[1] / "foreign" / "inspect.eval"
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


def written(folder: Path, log: Any, name: str = "log.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(log), encoding="utf-8")
    return path


def of_run(task: str, number: str, created: str, **changes: Any) -> dict[str, Any]:
    """The log of a task whose samples have no names of their own."""
    about = {"model": "m", "task": task, "task_id": number, "created": created}
    defaults = {"id": 1, "input": f"{task}?", "scores": {"grader": {"value": "C"}}, "messages": []}
    return plain(**(defaults | changes)) | {"eval": about}


def edited(value: Any, author: str, **changes: Any) -> dict[str, Any]:
    """An edit of a score, as inspect_ai notes it."""
    about = {"author": author, "reason": "Looked at again.", "metadata": {}}
    kept = {"answer": "UNCHANGED", "explanation": "UNCHANGED", "metadata": "UNCHANGED"}
    return {"value": value, "provenance": about, **kept, **changes}


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


def test_tasks_that_number_their_samples_alike_come_side_by_side(tmp_path: Path) -> None:
    logs = [
        written(tmp_path, of_run(task, f"id-{task}", "2026-01-01"), f"{task}.json")
        for task in ("rivers", "capitals")
    ]
    study = import_files("inspect", *logs)
    units = study.units.order_by("key").values_list("key", "source__key", "source__query")
    assert list(units) == [
        ("capitals/1/m", "capitals/1", "capitals?"),
        ("rivers/1/m", "rivers/1", "rivers?"),
    ]
    assert len(answers_of(study, "grader")) == 2


def test_a_run_of_its_own_makes_units_of_its_own_about_the_same_source(tmp_path: Path) -> None:
    later = of_run("rivers", "second", "2026-01-02", output={"completion": "Until two."})
    logs = [
        written(tmp_path, later, "a.json"),
        written(tmp_path, of_run("rivers", "first", "2026-01-01"), "b.json"),
    ]
    study = import_files("inspect", *logs)
    units = dict(study.units.values_list("key", "source__key"))
    # Whichever is named first: the earlier one keeps the names that it has alone.
    assert units == {"1/m": "1", "1/m/second": "1"}
    alone = import_files("inspect", logs[1], slug="alone")
    assert alone.units.get().key == "1/m"


def test_a_task_that_asks_otherwise_in_a_later_run_has_sources_of_its_own(tmp_path: Path) -> None:
    logs = [
        written(tmp_path, of_run("rivers", "first", "2026-01-01"), "a.json"),
        written(tmp_path, of_run("rivers", "second", "2026-01-02", input="Which?"), "b.json"),
    ]
    study = import_files("inspect", *logs)
    assert dict(study.sources.values_list("key", "query")) == {"1": "rivers?", "1/second": "Which?"}


def test_a_run_that_was_taken_up_again_is_one(tmp_path: Path) -> None:
    """The later log of a retried evaluation holds what the earlier one had finished, too."""
    again = of_run("rivers", "same", "2026-01-02")
    again["samples"] += of_run("rivers", "same", "2026-01-02", id=2)["samples"]
    logs = [
        written(tmp_path, of_run("rivers", "same", "2026-01-01"), "a.json"),
        written(tmp_path, again, "b.json"),
    ]
    study = import_files("inspect", *logs)
    assert sorted(answers_of(study, "grader")) == ["1/m", "2/m"]


def test_an_edited_score_is_the_editors_and_the_scorer_keeps_its_own(tmp_path: Path) -> None:
    original = {"value": "I", "explanation": "No such tram.", "metadata": {}}
    correction = edited("C", "ada@example.org", explanation="It is right after all.")
    score = {"value": "C", "explanation": "It is right after all.", "metadata": {}}
    log = plain(scores={"grader": score | {"history": [original, correction]}})
    study = import_files("inspect", written(tmp_path, log))
    kinds = dict(study.raters.values_list("name", "kind"))
    assert kinds == {"grader": "judge", "rater-1": "human"}
    assert answers_of(study, "grader") == {"tram/m": {"scores": {"correct": 0.0}}}
    assert answers_of(study, "rater-1") == {"tram/m": {"scores": {"correct": 1.0}}}
    reasons = dict(study.annotations.values_list("rater__name", "reasons"))
    assert reasons == {"grader": ["No such tram."], "rater-1": ["It is right after all."]}

    named = import_files("inspect", written(tmp_path, log), slug="named", keep_names=True)
    assert named.raters.filter(name="ada@example.org", kind="human").exists()


def test_edits_of_several_people_stand_side_by_side_and_the_last_of_one_counts(
    tmp_path: Path,
) -> None:
    history = [
        {"value": "I", "explanation": "", "metadata": {}},
        edited("P", "ada"),
        edited("C", "bo"),
        edited("C", "ada"),
        edited("UNCHANGED", "cy", explanation="Worded better."),
    ]
    added = {"value": 4, "history": [edited(4, "bo")]}
    scores = {"grader": {"value": "C", "history": history}, "clarity": added}
    study = import_files("inspect", written(tmp_path, plain(scores=scores)), keep_names=True)
    assert answers_of(study, "grader") == {"tram/m correct": {"scores": {"correct": 0.0}}}
    assert answers_of(study, "ada") == {"tram/m correct": {"scores": {"correct": 1.0}}}
    assert answers_of(study, "bo") == {
        "tram/m correct": {"scores": {"correct": 1.0}},
        "tram/m clarity": {"value": 4.0},
    }
    assert not study.raters.filter(name__in=("cy", "clarity")).exists()
    assert study.imported["counts"]["edits_replaced"] == 1
    assert study.annotations.get(rater__name="ada").reasons == ["Looked at again."]


def test_one_person_may_edit_the_grades_of_several_scorers(tmp_path: Path) -> None:
    scores = {
        scorer: {"value": grade, "history": [{"value": "I"}, edited(grade, "ada")]}
        for scorer, grade in (("strict", "I"), ("mild", "C"))
    }
    study = import_files("inspect", written(tmp_path, plain(scores=scores)), keep_names=True)
    given = study.annotations.filter(rater__name="ada").values_list("replicate", "answer")
    assert dict(given) == {0: {"scores": {"correct": 0.0}}, 1: {"scores": {"correct": 1.0}}}


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
