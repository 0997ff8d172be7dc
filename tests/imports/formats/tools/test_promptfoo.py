"""Results of promptfoo, as it writes and counts them itself."""

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Study
from tests.imports.tables import answers_of, import_files, outcome, refusal, skipped

pytestmark = pytest.mark.django_db

FOLDER = Path(__file__).parents[1] / "foreign" / "promptfoo"
FILES = [FOLDER / "results.json", FOLDER / "results.jsonl"]
GRADER = "llm-rubric (file://grader.js)"


def result(**changes: Any) -> dict[str, Any]:
    graded = {
        "pass": True,
        "score": 1,
        "reason": "",
        "componentResults": [
            {"pass": True, "score": 1, "reason": "It does.", "assertion": {"type": "llm-rubric"}}
        ],
    }
    made = {
        "testIdx": 0,
        "promptIdx": 0,
        "provider": {"id": "larch"},
        "prompt": {"raw": "When?", "label": "When?"},
        "vars": {},
        "response": {"output": "At nine."},
        "success": True,
        "score": 1,
        "gradingResult": graded,
    }
    return made | changes


def written(folder: Path, *results: Any, version: Any = 3) -> Path:
    path = folder / "results.json"
    whole = {"evalId": "e", "results": {"version": version, "results": results, "stats": {}}}
    path.write_text(json.dumps(whole), encoding="utf-8")
    return path


def mean(study: Study, rater: str, facet: str, system: str) -> float:
    values: list[float] = [
        answer["scores"][facet] if "scores" in answer else answer["value"]
        for unit, answer in answers_of(study, rater).items()
        if unit.endswith(f"{system} {facet}")
    ]
    return sum(values) / len(values)


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.suffix)
def test_passes_and_scores_are_those_that_promptfoo_counts(file: Path) -> None:
    study = import_files("promptfoo", file)
    reported = json.loads(FILES[0].read_text())["results"]
    stats, counts = reported["stats"], study.imported["counts"]
    assert counts["records_skipped"] == stats["errors"]
    assert counts["units"] == stats["successes"] + stats["failures"]
    verdicts = [
        answer["scores"]["pass"]
        for unit, answer in answers_of(study, "promptfoo").items()
        if unit.endswith(" pass")
    ]
    assert sum(verdicts) == stats["successes"]
    for prompt in reported["prompts"]:
        system, metrics = f"{prompt['provider']} / {prompt['label']}", prompt["metrics"]
        shown = metrics["namedScores"]["says when"] / metrics["namedScoresCount"]["says when"]
        told = mean(study, GRADER, "says_when", system)
        assert told == pytest.approx(shown)


def test_a_test_is_a_source_and_each_column_a_system() -> None:
    study = import_files("promptfoo", FILES[0])
    assert study.sources.count() == 3
    systems = {item.system: item.condition for item in study.items.all()}
    assert systems == {
        "larch / plain": "plain",
        "larch / brief": "brief",
        "birch / plain": "plain",
        "birch / brief": "brief",
    }
    assert {source.material.query for source in study.sources.all()} >= {"When does the pool open?"}
    assert any("vars.topic" in line for line in study.imported["odd"]["fields_not_imported"])


def test_a_model_graded_assertion_keeps_its_reason() -> None:
    study = import_files("promptfoo", FILES[0])
    answer = study.annotations.get(
        rater__name=GRADER, question__unit__key="0/larch / plain", question__block__key="says_when"
    )
    assert answer.reasons == ["It names the time."]
    assert set(study.raters.values_list("kind", flat=True)) == {"judge"}


def test_one_prompt_makes_queries_of_what_was_sent(tmp_path: Path) -> None:
    chat = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "When?"}]
    sent = {"raw": json.dumps(chat), "label": "chat"}
    study = import_files("promptfoo", written(tmp_path, result(prompt=sent)))
    assert [turn.role for turn in study.sources.get().material.turns] == ["system", "user"]
    assert study.items.get().system == "larch"


def test_a_person_who_overrides_a_verdict_is_a_rater_beside_it(tmp_path: Path) -> None:
    by_hand = {"pass": False, "score": 0, "assertion": {"type": "human"}, "comment": "No."}
    graded = result()["gradingResult"]
    graded["componentResults"].append(by_hand)
    study = import_files("promptfoo", written(tmp_path, result(gradingResult=graded)))
    assert sorted(study.raters.values_list("name", "kind")) == [
        ("llm-rubric", "judge"),
        ("promptfoo", "judge"),
        ("rater-1", "human"),
    ]
    assert answers_of(study, "promptfoo") == {"0/larch pass": {"scores": {"pass": 1.0}}}
    assert answers_of(study, "rater-1") == {"0/larch pass": {"scores": {"pass": 0.0}}}


def test_the_same_kind_of_assertion_twice_makes_two_criteria(tmp_path: Path) -> None:
    graded = result()["gradingResult"]
    graded["componentResults"] *= 2
    study = import_files("promptfoo", written(tmp_path, result(gradingResult=graded)))
    assert [block.key for block in study.blocks.all()] == ["llm_rubric", "llm_rubric_2", "pass"]


@pytest.mark.parametrize(
    ("version", "message"),
    [
        (4, "results.json: results.version: 4 is newer than what can be read here (3)"),
        (2, "results.json: results.version: 2 is older than what can be read here (3)"),
        ("x", "results.json: results.version: missing: this is no file of promptfoo"),
    ],
)
def test_another_version_is_refused(version: Any, message: str, tmp_path: Path) -> None:
    assert refusal("promptfoo", written(tmp_path, result(), version=version)) == message


def test_what_cannot_be_used_is_named_or_skipped(tmp_path: Path) -> None:
    failed = result(testIdx=1, response={}, error="no route to the host")
    again = result()
    file = written(tmp_path, result(), failed, again, result(testIdx=2), result(testIdx=3))
    assert refusal("promptfoo", file) == (
        "results.json (result 1): response.output: empty (no route to the host)"
    )
    again_said = "id: duplicate: '0/larch' stands at results.json (result 0) already"
    assert skipped("promptfoo", file)[1:] == [f"results.json (result 2): {again_said}"]


def test_two_outputs_of_one_cell_contradict_each_other(tmp_path: Path) -> None:
    other = result(response={"output": "At ten."})
    file = written(tmp_path, result(), other, result(testIdx=2))
    with pytest.raises(Exception, match="with other content"):
        outcome("promptfoo", file)
    assert not Study.objects.exists()
