"""Judges of a study file about single samples; without the mark for it, a test that touched the
database would fail."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from files.errors import ImportFailure
from judges.definitions.versions import BadJudge
from judges.sample_judge import SampleJudge, SampleVerdict, judge_of_file
from tasktypes.texts.material import Item, Sentence, Source

SOURCE = Source(key="pool", query="When does the pool open?")
ITEM = Item(key="pool/larch", sentences=(Sentence(text="At nine."), Sentence(text="Daily.")))
CRITERIA = [
    {"key": "clarity", "question": "How clear is it?", "low": 1, "high": 5},
    {"key": "tone", "question": "Its tone?", "distance": "nominal",
     "points": [{"value": "dry"}, {"value": "warm"}]},
]  # fmt: skip


def study_file(folder: Path, replies: list[dict[str, Any]], **changes: Any) -> Path:
    lines = [json.dumps({"unit": "pool/larch", **reply}) + "\n" for reply in replies]
    (folder / "replies.jsonl").write_text("".join(lines), encoding="utf-8")
    judge = {
        "name": "strict",
        "method": "zero_shot",
        "backend": "scripted",
        "parameters": {"reason": "before", "replies": str(folder / "replies.jsonl")},
    }
    keys = {
        "slug": "hours",
        "title": "Opening hours",
        "task_type": "likert",
        "options": {"criteria": CRITERIA},
        "instructions": "Read it twice.",
        "judges": [judge],
    }
    path = folder / "study.yaml"
    path.write_text(yaml.safe_dump(keys | changes), encoding="utf-8")
    return path


def replied(folder: Path, reply: str, **changes: Any) -> SampleVerdict:
    judge = judge_of_file(study_file(folder, [{"reply": reply}], **changes), "strict")
    return asyncio.run(judge.answer(SOURCE, ITEM))


def test_an_answer_is_taken_apart_by_facet_and_keeps_its_reason(tmp_path: Path) -> None:
    reply = {"reason": "It names an hour.", "scores": {"clarity": 4, "tone": "dry"}}
    verdict = replied(tmp_path, json.dumps(reply))
    assert verdict.values == {"clarity": 4.0, "tone": "dry"}
    assert verdict.answer == {"scores": {"clarity": 4.0, "tone": "dry"}}
    assert (verdict.reasons, verdict.failure) == (["It names an hour."], "")


def test_what_cannot_be_read_is_no_score(tmp_path: Path) -> None:
    verdict = replied(tmp_path, "I cannot say.")
    assert (verdict.values, verdict.answer) == ({}, None)
    assert verdict.failure == "the reply holds no JSON object"
    assert verdict.replies[0].text == "I cannot say."


def test_scores_of_sentences_are_averaged(tmp_path: Path) -> None:
    options = {"criteria": CRITERIA[:1], "per_sentence": True}
    verdict = replied(tmp_path, json.dumps({"scores": {"clarity": [5, 2]}}), options=options)
    assert verdict.values == {"clarity": 3.5}


def test_the_prompt_is_that_of_the_study_with_its_instructions(tmp_path: Path) -> None:
    judge = judge_of_file(study_file(tmp_path, []), "")
    ask = judge._ask(SOURCE, ITEM, 0)
    prompt = judge.method.first_prompt(ask)
    assert "Read it twice." in prompt
    assert "When does the pool open?" in prompt
    assert "How clear is it?" in prompt


def test_answers_that_are_sets_make_no_score(tmp_path: Path) -> None:
    lexical = {"name": "strict", "method": "lexical"}
    with pytest.raises(BadJudge, match="recovery is neither a number nor a label of one output"):
        judge_of_file(
            study_file(tmp_path, [], task_type="citation_recovery", options={}, judges=[lexical]),
            "strict",
        )


@pytest.mark.parametrize(
    ("changes", "name", "message"),
    [
        ({}, "gentle", r"judge: name one that the study file defines \(strict\)"),
        (
            {"judges": [{"name": "j", "method": "jury", "parameters": {"judges": ["a", "b"]}}]},
            "j",
            "needs the answers of other judges",
        ),
        (
            {"judges": [{"name": "j", "method": "no_such"}]},
            "j",
            "method: no judge method 'no_such'",
        ),
        (
            {"judges": [{"name": "j", "method": "zero_shot", "parameters": {"shows": "half"}}]},
            "j",
            "parameters.shows: ",
        ),
    ],
)
def test_a_judge_that_cannot_be_used_is_named(
    changes: dict[str, Any], name: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(BadJudge, match=message):
        judge_of_file(study_file(tmp_path, [], **changes), name)


def test_of_several_blocks_one_is_named(tmp_path: Path) -> None:
    blocks = [{"task_type": "slider", "key": key} for key in ("a", "b")]
    for number, block in enumerate(blocks):
        block["options"] = {"facet": f"f{number}"}  # type: ignore[assignment]
    path = study_file(tmp_path, [])
    keys = yaml.safe_load(path.read_text())
    del keys["task_type"], keys["options"]
    path.write_text(yaml.safe_dump(keys | {"blocks": blocks}))
    with pytest.raises(BadJudge, match=r"block: name one of the study file's \(a, b\)"):
        judge_of_file(path, "")
    assert isinstance(judge_of_file(path, "", block="b"), SampleJudge)


def test_a_file_that_is_no_study_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text("slug: [", encoding="utf-8")
    with pytest.raises(ImportFailure, match=r"study\.yaml"):
        judge_of_file(path, "")
