"""Zero-shot: every task type by its own prompt, every reply by its own reading."""

from pathlib import Path
from typing import Any

import pytest

from annotation.models import Annotation, Study
from judges.definitions.versions import define_judge
from judges.models import Judge
from judges.runs.plans.plan import plan_run
from judges.runs.plans.scope import RunRefused
from tasktypes.contract import TaskType
from tasktypes.registry import TASK_TYPES
from tests.cast import make_study
from tests.judges.scripted_judges import ONE_BLOCK, replies_for, work_all, write_lines

pytestmark = pytest.mark.django_db


def judge_with(study: Study, file: Path, **parameters: Any) -> Judge:
    return define_judge(
        study=study,
        name="model",
        method="zero_shot",
        backend="scripted",
        model="none",
        parameters={"replies": str(file), **parameters},
    )


def test_both_blocks_are_answered_by_their_own_prompts(tmp_path: Path) -> None:
    study = make_study()
    judge = judge_with(study, write_lines(tmp_path / "replies.jsonl", replies_for(study)))
    run = work_all(plan_run(study=study, judge=judge))
    assert run.state == "complete"
    answers = Annotation.objects.filter(rater=run.rater).values_list("answer", flat=True)
    assert {"sentences": [0]} in answers
    assert {"value": 70.0} in answers
    for call in run.calls.select_related("question__block"):
        block = call.question.block
        assert call.request["messages"][0]["content"].endswith(
            block.task_type.prompt(block.task_type.Payload.model_validate(call.question.payload))
        )


def test_a_model_is_told_what_people_are_told(tmp_path: Path) -> None:
    study = make_study()
    study.instructions = "Cite what rests on it; {mind} the $5 limit."
    study.verdicts = {"half true": "Some of it\nis right."}
    study.save()
    judge = judge_with(study, write_lines(tmp_path / "replies.jsonl", replies_for(study)))
    run = plan_run(study=study, judge=judge)
    Study.objects.update(instructions="Changed while the run was under way.")
    work_all(run)
    told = (
        "Instructions to everybody who answers:\n\nCite what rests on it; {mind} the $5 limit.\n\n"
        "What the verdicts mean:\n- half true: Some of it is right."
    )
    for call in run.calls.select_related("question__block"):
        kind, kept = call.question.block.task_type, run.prompts[call.question.block.key]
        payload = kind.Payload.model_validate(call.question.payload)
        asked = call.request["messages"][0]["content"]
        assert asked == f"{told}\n\n{kind.prompt(payload)}"
        assert kept["text"] == f"{told}\n\n{kind.prompt_template}"
        assert call.prompt_hash == kept["hash"]


def test_other_instructions_are_another_prompt(tmp_path: Path) -> None:
    study = make_study(blocks=ONE_BLOCK)
    judge = judge_with(study, write_lines(tmp_path / "replies.jsonl", replies_for(study)))
    before = plan_run(study=study, judge=judge).prompts["citation_recovery"]["hash"]
    study.instructions = "Take your time."
    assert plan_run(study=study, judge=judge).prompts["citation_recovery"]["hash"] != before


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "empty"),
        ("Sentences 0 and 1.", "no JSON object"),
        ('{"sentences": [99]}', "no sentence 99"),
        ('{"sentences": [0]} or {"sentences": [1]}', "different"),
        ('{"sentences": [0', "malformed"),
    ],
)
def test_what_cannot_be_read_is_no_answer(tmp_path: Path, reply: str, reason: str) -> None:
    study = make_study(blocks=ONE_BLOCK)
    lines = replies_for(study, {"claim-1/alder/1": {"reply": reply}})
    run = work_all(
        plan_run(study=study, judge=judge_with(study, write_lines(tmp_path / "r.jsonl", lines)))
    )
    call = run.calls.get(question__unit__key="claim-1/alder/1")
    assert (run.state, call.status, call.reply) == ("partial", "parse_failure", reply)
    assert reason in call.error


def test_a_word_of_prose_around_the_object_is_no_obstacle(tmp_path: Path) -> None:
    study = make_study(blocks=ONE_BLOCK)
    reply = 'The first one, I think.\n```json\n{"sentences": [0]}\n```'
    lines = [{**line, "reply": reply} for line in replies_for(study)]
    run = work_all(
        plan_run(study=study, judge=judge_with(study, write_lines(tmp_path / "r.jsonl", lines)))
    )
    assert run.state == "complete"


def test_the_bare_prompt_names_neither_claim_nor_verdict(tmp_path: Path) -> None:
    study = make_study(blocks=ONE_BLOCK)
    study.verdicts = {"half true": "Verdict of half."}
    file = write_lines(tmp_path / "replies.jsonl", replies_for(study))
    run = work_all(plan_run(study=study, judge=judge_with(study, file, shows="bare")))
    assert run.state == "complete"
    for call in run.calls.select_related("question"):
        asked = call.request["messages"][0]["content"]
        assert call.question.payload["claim"] not in asked
        assert "Verdict" not in asked
        assert all(sentence["text"] in asked for sentence in call.question.payload["sentences"])


def test_the_bare_prompt_leaves_out_blocks_that_have_none(tmp_path: Path) -> None:
    study = make_study(blocks=(("slider", {}),))
    file = write_lines(tmp_path / "replies.jsonl", replies_for(study))
    with pytest.raises(RunRefused, match="asks"):
        plan_run(study=study, judge=judge_with(study, file, shows="bare"))


@pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)
def test_every_type_can_hold_a_model_to_a_schema(kind: TaskType[Any, Any, Any]) -> None:
    schema = kind.reply_schema.model_json_schema()
    assert schema["type"] == "object"
    assert schema["properties"]
