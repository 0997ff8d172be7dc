"""Asking a real endpoint over HTTP: every fault has its status, and nothing stands in for it."""

import json
from decimal import Decimal
from typing import Any

import pytest

from annotation.models import Annotation
from judges.definitions.versions import BadJudge, define_judge
from judges.models import Call, JudgeRun
from judges.runs.plans.plan import plan_run
from judges.runs.states import resume_run
from tests.cast import make_study
from tests.judges.endpoints import MODEL, Opening, asking_judge
from tests.judges.scripted_judges import ONE_BLOCK, work_all
from tests.services.endpoint import GOOD, PROSE, Behaviour, Server

pytestmark = pytest.mark.django_db


def asked_once(server: Server, *faults: str, **parameters: Any) -> Call:
    """One question put to the endpoint, whose first calls meet these faults."""
    server.script.extend(faults)
    study = make_study(blocks=ONE_BLOCK, sources=1)
    work_all(plan_run(study=study, judge=asking_judge(study, **parameters), subset=""))
    return Call.objects.get()


def test_a_good_reply_is_an_answer_with_what_it_took(endpoint: Opening) -> None:
    call = asked_once(endpoint())
    assert (call.status, call.reply, call.run.state) == ("answered", GOOD, "complete")
    assert call.annotation is not None
    assert call.annotation.answer == {"sentences": [0]}
    assert call.tokens_in is not None
    assert call.cost == Decimal(call.tokens_in * 2 + 4 * 8) / 1_000_000
    assert call.run.spent == call.cost
    assert call.request["model"] == MODEL
    assert "claim" in call.request["messages"][0]["content"]
    assert call.request["base_url"].startswith("http://127.0.0.1:")
    assert call.detail["finish_reason"] == "stop"
    assert call.detail["system_fingerprint"] == "fp_tests"
    assert call.detail["model"] == MODEL
    assert "tries" not in call.detail


@pytest.mark.parametrize(
    ("fault", "status", "reason", "raw"),
    [
        ("prose", "parse_failure", "", PROSE),
        ("empty", "parse_failure", "The reply is empty.", ""),
        ("refusal", "refusal", "The model refused.", "I cannot help with that."),
        ("filtered", "refusal", "content filter", GOOD),
        ("truncated", "truncated", "cut at the limit", '{"sentences": ['),
        ("malformed", "error", "The reply is malformed", '{"id": "chatcmpl-1", "choices": ['),
        ("no_choices", "error", "it has no choices", "chat.completion"),
        ("wrong_sample", "error", "another sample", "chatcmpl"),
        ("wrong_model", "error", "another model, somebody-else", GOOD),
        ("400", "error", "HTTP 400: fault 400", "bad_request"),
        ("filter-400", "refusal", "HTTP 400: fault filter-400", "content_filter"),
    ],
)
def test_a_fault_of_one_reply_is_the_status_of_its_call(
    endpoint: Opening,
    fault: str,
    status: str,
    reason: str,
    raw: str,
) -> None:
    server = endpoint()
    # A request that is not liked is tried in plainer forms first.
    call = asked_once(server, *([fault] * 3 if fault == "400" else [fault]))
    assert (call.status, call.annotation, call.run.state) == (status, None, "failed")
    assert reason in call.error
    assert raw in call.reply
    assert not Annotation.objects.exists()


@pytest.mark.parametrize("odd", ["\0", "\ud800"], ids=["nul", "surrogate"])
def test_an_odd_character_of_one_reply_harms_no_other(endpoint: Opening, odd: str) -> None:
    once = iter([odd])
    server = endpoint(Behaviour(answer=lambda _: GOOD + next(once, "")))
    study = make_study(blocks=ONE_BLOCK, sources=4)
    run = work_all(plan_run(study=study, judge=asking_judge(study), subset=""))
    assert (run.state, len(server.asked)) == ("complete", 4)
    assert run.spent == Decimal(server.charged["micro"]) / 1_000_000
    call = run.calls.get(detail__replaced=1)
    assert call.reply == f"{GOOD}�"


@pytest.mark.parametrize("faults", [("usage-alone",), ("usage-and-error", "usage-and-error")])
def test_a_reply_without_a_choice_costs_what_the_endpoint_charged(
    endpoint: Opening, faults: tuple[str, ...]
) -> None:
    server = endpoint(tries=2)
    call = asked_once(server, *faults)
    assert (call.status, server.charged["calls"]) == ("error", len(faults))
    assert call.cost == Decimal(server.charged["micro"]) / 1_000_000 > 0
    assert call.run.spent == call.cost


def test_what_a_fault_has_cost_is_added_to_the_answer_after_it(endpoint: Opening) -> None:
    server = endpoint()
    call = asked_once(server, "usage-and-error")
    assert (call.status, server.charged["calls"]) == ("answered", 2)
    assert call.cost == Decimal(server.charged["micro"]) / 1_000_000


def test_an_odd_character_of_a_fault_stands_in_no_way(endpoint: Opening) -> None:
    call = asked_once(endpoint(), *["odd-400"] * 3)
    assert (call.status, call.error) == ("error", "HTTP 400: fault �")


def test_more_tokens_than_can_be_counted_are_not_counted(endpoint: Opening) -> None:
    call = asked_once(endpoint(), "many-tokens")
    assert (call.status, call.tokens_in, call.cost) == ("answered", None, None)


@pytest.mark.parametrize("fault", ["429", "429-seconds", "429-date", "500", "503", "408", "409"])
def test_a_fault_that_passes_is_waited_out(endpoint: Opening, fault: str) -> None:
    call = asked_once(endpoint(), fault, fault)
    assert (call.status, call.attempts) == ("answered", 1)
    assert [one["why"][:8] for one in call.detail["tries"]] == [f"HTTP {fault[:3]}"] * 2


def test_what_does_not_pass_in_so_many_tries_is_an_error(endpoint: Opening) -> None:
    server = endpoint(tries=3)
    call = asked_once(server, *["500"] * 9)
    assert (call.status, len(server.asked)) == ("error", 3)
    assert call.error == "HTTP 500: fault 500 Asked 3 times."
    assert len(call.detail["tries"]) == 3


def test_a_connection_that_is_dropped_is_made_again(endpoint: Opening) -> None:
    server = endpoint()
    study = make_study(blocks=ONE_BLOCK, sources=2)
    run = plan_run(study=study, judge=asking_judge(study), subset="")
    server.script.extend(["", "drop"])
    assert work_all(run).state == "complete"


def test_connections_that_break_every_time_are_errors_of_their_calls_alone(
    endpoint: Opening,
) -> None:
    # By what they ask, not by their order: a call that waits lets another one go first.
    dropped = {f"number {number} was": ["drop"] for number in range(10)}
    endpoint(Behaviour(modes=dropped), in_flight=1, tries=2)
    study = make_study(blocks=ONE_BLOCK, sources=12)
    run = work_all(plan_run(study=study, judge=asking_judge(study), subset=""))
    assert run.state == "partial"
    assert run.calls.filter(status="answered").count() == 2
    reasons = run.calls.filter(status="error").values_list("error", flat=True)
    assert {reason.partition(":")[0] for reason in reasons} == {"The connection was dropped"}


def test_a_connection_that_hangs_is_a_timeout(endpoint: Opening) -> None:
    server = endpoint(timeout_seconds=0.2)
    call = asked_once(server, "hang", "hang", "hang")
    assert (call.status, len(server.asked)) == ("timeout", 2)
    assert call.error == "No reply within 0.2 seconds. Asked 2 times."


@pytest.mark.parametrize("fault", ["401", "403", "404", "quota"])
def test_an_endpoint_that_answers_nobody_stops_the_run_at_once(
    endpoint: Opening,
    fault: str,
) -> None:
    server = endpoint(in_flight=1)
    server.script.extend([fault] * 100)
    study = make_study(blocks=ONE_BLOCK, sources=40)
    run = work_all(plan_run(study=study, judge=asking_judge(study), subset=""))
    assert run.state == "failed"
    assert run.reason.startswith(f"Endpoint default, model {MODEL}: HTTP 4")
    assert len(server.asked) <= 2
    assert run.calls.filter(status="planned").count() == 40
    server.script.clear()
    resume_run(run_id=run.pk)
    assert work_all(run).state == "complete"


def test_an_endpoint_that_is_not_there_stops_the_run_at_once(
    endpoint: Opening,
) -> None:
    endpoint(base_url="http://127.0.0.1:9/v1", tries=2)
    study = make_study(blocks=ONE_BLOCK, sources=20)
    run = work_all(plan_run(study=study, judge=asking_judge(study), subset=""))
    assert run.state == "failed"
    assert "cannot be reached" in run.reason


def test_the_key_is_read_when_it_is_needed_and_shown_nowhere(
    endpoint: Opening,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    endpoint(Behaviour(key="sk-secret"), key_env="KEY_OF_THE_TESTS")
    study = make_study(blocks=ONE_BLOCK, sources=1)
    run = work_all(plan_run(study=study, judge=asking_judge(study), subset=""))
    assert run.reason == "Endpoint default: the environment has no key KEY_OF_THE_TESTS."
    monkeypatch.setenv("KEY_OF_THE_TESTS", "sk-secret")
    resume_run(run_id=run.pk)
    assert work_all(run).state == "complete"
    stored = Call.objects.values_list("request", "detail", "reply", "error").get()
    assert "sk-secret" not in json.dumps([str(value) for value in stored])


def test_a_reply_is_held_to_the_schema_as_far_as_the_endpoint_can(
    endpoint: Opening,
) -> None:
    server = endpoint(Behaviour(schemas=("json_object",)), in_flight=1)
    study = make_study(blocks=ONE_BLOCK, sources=3)
    assert work_all(plan_run(study=study, judge=asking_judge(study), subset="")).state == "complete"
    forms = forms_of(server)
    # Tried once, and remembered.
    assert forms.count("json_schema") < 3
    assert forms[-1] == "json_object"


def forms_of(server: Server) -> list[str]:
    return [asked.get("response_format", {}).get("type", "") for asked in server.asked]


def test_one_bad_request_takes_the_schema_from_no_other(endpoint: Opening) -> None:
    server = endpoint(in_flight=1)
    server.script.extend(["400"])
    study = make_study(blocks=ONE_BLOCK, sources=4)
    assert work_all(plan_run(study=study, judge=asking_judge(study), subset="")).state == "complete"
    assert forms_of(server) == ["json_schema", "json_object", *["json_schema"] * 3]


def test_an_endpoint_that_does_not_say_what_it_dislikes_is_found_out(endpoint: Opening) -> None:
    server = endpoint(Behaviour(schemas=(), saying=""), in_flight=1)
    study = make_study(blocks=ONE_BLOCK, sources=10)
    assert work_all(plan_run(study=study, judge=asking_judge(study), subset="")).state == "complete"
    assert forms_of(server)[-4:] == [""] * 4


@pytest.mark.parametrize("saying", ["param", "loc", "words"])
@pytest.mark.parametrize("name", ["seed", "temperature"])
def test_what_an_endpoint_does_not_take_is_left_out_and_said_so(
    endpoint: Opening, name: str, saying: str
) -> None:
    server = endpoint(Behaviour(unknown=(name,), saying=saying), in_flight=1)
    study = make_study(blocks=ONE_BLOCK, sources=3)
    run = work_all(plan_run(study=study, judge=asking_judge(study), subset=""))
    assert run.state == "complete"
    assert 4 <= len(server.asked) <= 5  # asked in vain by those that were under way at first
    for call in run.calls.all():
        assert name not in call.request
        assert call.detail["left_out"] == [name]


def test_what_a_method_cannot_do_without_is_not_left_out(endpoint: Opening) -> None:
    server = endpoint(Behaviour(unknown=("messages",)))
    call = asked_once(server)
    assert (call.status, len(server.asked)) == ("error", 1)


def test_a_judge_can_be_asked_without_a_seed(endpoint: Opening) -> None:
    server = endpoint()
    call = asked_once(server, seed=False)
    assert "seed" not in server.asked[0]
    assert "left_out" not in call.detail


def test_an_endpoint_is_told_what_else_a_judge_says(endpoint: Opening) -> None:
    server = endpoint()
    asked_once(server, extra={"top_p": 0.9, "chat_template_kwargs": {"enable_thinking": False}})
    assert server.asked[0]["top_p"] == 0.9
    assert server.asked[0]["chat_template_kwargs"] == {"enable_thinking": False}


@pytest.mark.parametrize("extra", [{"model": "m"}, {"stream": True}, {"top_p": float("nan")}])
def test_what_a_request_is_made_of_cannot_be_overwritten(
    endpoint: Opening, extra: dict[str, Any]
) -> None:
    endpoint()
    with pytest.raises(BadJudge, match="extra"):
        asking_judge(make_study(), extra=extra)


def test_who_is_turned_away_without_a_time_waits_all_the_same(endpoint: Opening) -> None:
    server = endpoint(first_wait_seconds=0.02)
    call = asked_once(server, "429-seconds", "429-seconds")
    waits = [one["waited_s"] for one in call.detail["tries"]]
    assert waits[0] >= 0.01
    assert waits[1] >= 0.02


def test_a_thinking_model_is_read_by_what_it_says(endpoint: Opening) -> None:
    thought = f'<think>Perhaps {{"sentences": [1]}}?</think>\n{GOOD}'
    call = asked_once(endpoint(Behaviour(reply=thought)))
    assert (call.status, call.reply) == ("answered", thought)
    assert call.annotation is not None
    assert call.annotation.answer == {"sentences": [0]}


def test_a_schema_is_sent_in_its_strict_form(endpoint: Opening) -> None:
    server = endpoint()
    asked_once(server)
    held = server.asked[0]["response_format"]["json_schema"]
    assert held["strict"] is True
    assert held["schema"]["required"] == ["sentences"]
    assert held["schema"]["additionalProperties"] is False


def test_a_judge_can_do_without_a_schema(endpoint: Opening) -> None:
    server = endpoint()
    asked_once(server, structured="never")
    assert "response_format" not in server.asked[0]


def test_a_model_that_counts_tokens_under_another_name_is_asked_so(
    endpoint: Opening,
) -> None:
    server = endpoint(Behaviour(limit_name="max_completion_tokens"))
    call = asked_once(server, max_tokens=77)
    assert call.status == "answered"
    assert call.request["max_completion_tokens"] == 77


def test_the_same_request_is_paid_for_once(endpoint: Opening) -> None:
    server = endpoint()
    study = make_study(blocks=ONE_BLOCK, sources=3)
    work_all(plan_run(study=study, judge=asking_judge(study), subset=""))
    version = define_judge(
        study=study, name="asked", method="zero_shot", backend="chat", model=MODEL, family="tests"
    )
    assert version.version == 2
    again = work_all(plan_run(study=study, judge=version, subset=""))
    assert (again.state, len(server.asked), again.spent) == ("complete", 3, Decimal(0))
    call = again.calls.first()
    assert call is not None
    assert (call.cost, call.tokens_in) == (Decimal(0), 0)
    assert Decimal(call.detail["cached"]["cost"]) > 0
    assert call.detail["cached"]["own"] is False
    assert call.request["messages"]


def test_judges_that_differ_by_name_alone_are_samples_of_their_own(endpoint: Opening) -> None:
    server = endpoint()
    study = make_study(blocks=ONE_BLOCK, sources=3)
    for name in ("first", "second"):
        judge = asking_judge(study, name, temperature=1)
        work_all(plan_run(study=study, judge=judge, subset="", replicates=2))
    assert len(server.asked) == 12
    assert len({asked["seed"] for asked in server.asked}) == 12


def test_a_judge_can_do_without_kept_replies(endpoint: Opening) -> None:
    server = endpoint()
    study = make_study(blocks=ONE_BLOCK, sources=3)
    for name in ("first", "second"):
        work_all(plan_run(study=study, judge=asking_judge(study, name, cached=False), subset=""))
    assert len(server.asked) == 6


def test_each_replicate_is_a_request_of_its_own(endpoint: Opening) -> None:
    server = endpoint()
    study = make_study(blocks=ONE_BLOCK, sources=2)
    work_all(plan_run(study=study, judge=asking_judge(study), subset="", replicates=3))
    assert len({asked["seed"] for asked in server.asked}) == 6


def test_what_could_not_be_read_is_asked_again_for_real_and_both_are_paid(
    endpoint: Opening,
) -> None:
    server = endpoint()
    call = asked_once(server, "prose")
    assert call.status == "parse_failure"
    resume_run(run_id=call.run_id)
    run = work_all(call.run)
    assert (run.state, len(server.asked)) == ("complete", 2)
    call.refresh_from_db()
    assert call.attempts == 2
    assert call.cost == run.spent == Decimal(server.charged["micro"]) / 1_000_000


def test_no_more_calls_are_under_way_than_the_endpoint_allows(
    endpoint: Opening,
) -> None:
    server = endpoint(Behaviour(delay=0.02), in_flight=3)
    study = make_study(blocks=ONE_BLOCK, sources=30)
    work_all(plan_run(study=study, judge=asking_judge(study), subset=""))
    assert server.most_under_way == 3


def test_a_run_stops_at_its_cap_with_the_calls_that_were_under_way(
    endpoint: Opening,
) -> None:
    server = endpoint(Behaviour(delay=0.01), in_flight=4)
    study = make_study(blocks=ONE_BLOCK, sources=80)
    judge = asking_judge(study, max_tokens=1)
    plan = plan_run(study=study, judge=judge, subset="", max_cost=Decimal("100"))
    one = Decimal("0.001")
    JudgeRun.objects.filter(pk=plan.pk).update(max_cost=one)
    run = work_all(plan)
    assert run.state == "paused"
    dearest = max(call.cost or Decimal(0) for call in run.calls.all())
    assert one <= run.spent <= one + dearest * 2 * 4
    assert run.spent == Decimal(server.charged["micro"]) / 1_000_000
    assert run.calls.filter(status="planned").exists()


def test_without_a_kill_the_books_agree_to_the_last_cent(endpoint: Opening) -> None:
    rates = {"429": 0.05, "500": 0.05, "prose": 0.05, "refusal": 0.05, "truncated": 0.05}
    server = endpoint(Behaviour(rates=rates, seed=7))
    study = make_study(blocks=ONE_BLOCK, sources=60)
    run = work_all(plan_run(study=study, judge=asking_judge(study), subset=""))
    assert run.state == "partial"
    resume_run(run_id=run.pk)
    run = work_all(run)
    assert run.calls.exclude(earlier=[]).exists()
    assert run.spent == Decimal(server.charged["micro"]) / 1_000_000
    assert run.spent == sum(call.cost or Decimal(0) for call in run.calls.all())


def test_many_calls_at_once_share_several_small_pools(endpoint: Opening) -> None:
    server = endpoint(Behaviour(delay=0.05), in_flight=20)
    study = make_study(blocks=ONE_BLOCK, sources=60)
    run = work_all(plan_run(study=study, judge=asking_judge(study), subset=""))
    assert run.state == "complete"
    assert 8 < server.most_under_way <= 20
