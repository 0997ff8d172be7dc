"""Recorded replies: what is no answer stays no answer, with the reply kept."""

import json
from decimal import Decimal
from pathlib import Path

import pytest

from annotation.models import Annotation, Study
from judges.backends.contract import Failure
from judges.definitions.versions import define_judge
from judges.models import Call
from judges.runs.plans.plan import plan_run
from tests.cast import make_study
from tests.judges.scripted_judges import ONE_BLOCK, scripted_judge, work_all, write_lines

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("entry", "status", "kept"),
    [
        ({"reply": "Sentences 1 and 2."}, "parse_failure", "Sentences 1 and 2."),
        ({"reply": '{"sentences": [99]}'}, "parse_failure", '{"sentences": [99]}'),
        ({"reply": "I cannot.", "failure": "refusal"}, "refusal", "I cannot."),
        ({"reply": "", "failure": "timeout", "error": "after 60 s"}, "timeout", ""),
        ({"reply": "", "failure": "error", "error": "HTTP 500"}, "error", ""),
    ],
)
def test_no_answer_is_a_call_with_its_reply_and_reason_and_no_annotation(
    tmp_path: Path, entry: dict[str, str], status: str, kept: str
) -> None:
    study = make_study(blocks=ONE_BLOCK)
    judge = scripted_judge(study, tmp_path, {"claim-1/alder/1": entry})
    run = work_all(plan_run(study=study, judge=judge))
    call = run.calls.get(question__unit__key="claim-1/alder/1")
    assert (call.status, call.reply, call.annotation) == (status, kept, None)
    assert call.error
    assert call.request["prompt"]
    assert Annotation.objects.count() == 2
    assert (run.state, run.reason[:21]) == ("partial", "1 of 3 calls failed: ")


def test_every_failure_of_a_backend_is_a_status_of_a_call() -> None:
    assert set(Failure) <= set(Call.Status.values)


def test_both_blocks_of_a_study_are_answered_with_what_it_cost(
    study: Study, tmp_path: Path
) -> None:
    entry = {"tokens_in": 120, "tokens_out": 7, "cost": "0.000250"}
    judge = scripted_judge(study, tmp_path, {"claim-0/alder/1": entry})
    run = work_all(plan_run(study=study, judge=judge))
    assert (run.state, run.calls.filter(status="answered").count()) == ("complete", 6)
    call = run.calls.filter(question__unit__key="claim-0/alder/1").latest("pk")
    assert (call.tokens_in, call.tokens_out, call.cost) == (120, 7, Decimal("0.000250"))
    assert call.annotation is not None
    assert call.annotation.answer == {"value": 70.0}
    assert call.prompt_hash == run.prompts["slider"]["hash"]


def test_a_unit_without_a_reply_is_an_error(tmp_path: Path) -> None:
    study = make_study(blocks=ONE_BLOCK)
    file = write_lines(tmp_path / "r.jsonl", [{"unit": "claim-0/alder/1", "reply": "{}"}])
    judge = define_judge(study=study, name="a", method="scripted", parameters={"file": str(file)})
    run = work_all(plan_run(study=study, judge=judge))
    assert run.state == "failed"
    assert run.calls.filter(error__contains="r.jsonl has no reply for unit").count() == 2


def test_replies_may_differ_by_replicate_and_come_as_one_json_list(tmp_path: Path) -> None:
    study = make_study(blocks=ONE_BLOCK, sources=1)
    entries = [
        {"unit": "claim-0/alder/1", "reply": '{"sentences": [0]}'},
        {"unit": "claim-0/alder/1", "replicate": 1, "reply": '{"sentences": [2]}'},
    ]
    file = tmp_path / "r.json"
    file.write_text(json.dumps(entries), encoding="utf-8")
    judge = define_judge(study=study, name="a", method="scripted", parameters={"file": str(file)})
    work_all(plan_run(study=study, judge=judge, replicates=3))
    answers = Annotation.objects.order_by("replicate").values_list("answer", flat=True)
    assert [answer["sentences"] for answer in answers] == [[0], [2], [0]]
