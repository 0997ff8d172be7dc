"""What endpoints do differently: every row of the table in docs/judges.md, live and by batch."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from judges.definitions.versions import define_judge
from judges.models import Call, JudgeRun
from judges.runs.batches import jobs
from judges.runs.delivery.sweep import sweep_runs
from judges.runs.plans.plan import plan_run
from judges.runs.states import resume_run
from tests.cast import make_study
from tests.judges.endpoints import MODEL, Opening
from tests.judges.scripted_judges import ONE_BLOCK, work_all
from tests.services.endpoint import GOOD, Behaviour, Server
from tests.services.endpoint_conventions import CALL, THOUGHT

pytestmark = pytest.mark.django_db
PAGE = Path(__file__).parents[4] / "docs" / "judges.md"
SECRET = "secret-of-the-tests"


@dataclass(frozen=True)
class Case:
    """A convention: how the server behaves, and what becomes of one call.

    mode: the fault of the first reply. fields: of the endpoint's configuration, `query` with a
    question mark being appended to its address. detail: what the call's detail holds.
    """

    mode: str = ""
    behaviour: Mapping[str, Any] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)
    model: str = MODEL
    status: str = "answered"
    reply: str = GOOD
    error: str = ""
    detail: Mapping[str, Any] = field(default_factory=dict)


THOUGHTFUL = f"<think>{THOUGHT}</think>{GOOD}"
# By the first column of the table. What has no case here has a test of its own below.
CASES = {
    "query in the address": Case(
        behaviour={"query": "api-version=2024-06-01"}, fields={"query": "?api-version=2024-06-01"}
    ),
    "key in another header": Case(
        behaviour={"headers": {"api-key": SECRET, "x-title": "Jurybox"}},
        fields={"headers_env": {"api-key": "KEY_OF_THE_TESTS"}, "headers": {"X-Title": "Jurybox"}},
    ),
    "flagged input": Case("error-flagged", status="refusal", reply="flagged_input", error="403"),
    "content in parts": Case(
        "parts-others", detail={"parts": [{"type": "reference", "reference_ids": [1]}]}
    ),
    "reasoning in parts": Case("parts-thinking", detail={"reasoning": THOUGHT}),
    "reasoning apart": Case("reasoning", detail={"reasoning": THOUGHT}),
    "reasoning in the text": Case(behaviour={"reply": THOUGHTFUL}, reply=THOUGHTFUL),
    "call of a tool": Case(
        "tool-call",
        status="parse_failure",
        reply=json.dumps([CALL]),
        error="The model called a tool (answer) and gave no answer.",
        detail={"tool_calls": [CALL]},
    ),
    "bytes that are not UTF-8": Case("bad-byte", reply=f"{GOOD} �", detail={"replaced": 1}),
    "variant of a model": Case("base-name", model=f"{MODEL}:free"),
    "name with a date or version": Case("base-name", model=f"{MODEL}:latest"),
    "other name for the limit of tokens": Case(behaviour={"limit_name": "max_completion_tokens"}),
    "no JSON schema": Case(behaviour={"schemas": ()}),
    "no seed or temperature": Case(behaviour={"unknown": ("seed",)}, detail={"left_out": ["seed"]}),
    "errors in a list": Case(
        behaviour={"unknown": ("seed",), "saying": "loc"}, detail={"left_out": ["seed"]}
    ),
}
OWN_TESTS = {
    "error with HTTP 200",
    "one reply for each request",
    "no probabilities of tokens",
}


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "POLL", timedelta(0))
    monkeypatch.setenv("KEY_OF_THE_TESTS", SECRET)


def documented() -> set[str]:
    section = PAGE.read_text(encoding="utf-8").split("### Conventions")[1].split("###")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")]
    return {row.split("|")[1].strip() for row in rows} - {"convention"}


def test_every_convention_of_the_documentation_is_tested_and_every_tested_one_documented() -> None:
    assert documented() == CASES.keys() | OWN_TESTS


def opened(endpoint: Opening, case: Case) -> Server:
    fields = dict(case.fields)
    query = fields.pop("query", "")
    server = endpoint(Behaviour(**case.behaviour), **fields, batch=True, query=query)
    server.script.extend([case.mode] if case.mode else [])
    return server


def asked_once(model: str = MODEL, **parameters: Any) -> Call:
    """One question, asked live or by batch, until its run has ended."""
    study = make_study(blocks=ONE_BLOCK, sources=1)
    judge = define_judge(
        study=study,
        name="asked",
        method="zero_shot",
        backend="chat",
        model=model,
        parameters=parameters,
    )
    run = plan_run(study=study, judge=judge, subset="")
    for _ in range(5):
        work_all(run)
        sweep_runs()
    return Call.objects.get()


@pytest.mark.parametrize("route", ["live", "batch"])
@pytest.mark.parametrize("name", CASES)
def test_a_convention_is_met(endpoint: Opening, name: str, route: str) -> None:
    case = CASES[name]
    server = opened(endpoint, case)
    call = asked_once(case.model, route=route)
    assert (call.status, call.annotation is not None) == (case.status, case.status == "answered")
    assert call.reply == case.reply if case.detail or not case.error else case.reply in call.reply
    assert case.error in call.error
    assert {name: call.detail[name] for name in case.detail} == case.detail
    if call.annotation is not None:
        assert call.annotation.answer == {"sentences": [0]}
    stored = Call.objects.values_list("request", "detail", "reply", "error").get()
    assert SECRET not in json.dumps([str(value) for value in stored])
    assert "api-version" not in str(stored)
    if not case.behaviour.get("headers"):
        assert "authorization" not in server.headers[0]


@pytest.mark.parametrize("mode", ["error-502", "error-429", "error-named", "error-choice"])
def test_an_error_with_http_200_is_retried_like_the_status_that_it_names(
    endpoint: Opening, mode: str
) -> None:
    server = opened(endpoint, Case(mode))
    call = asked_once()
    assert (call.status, call.reply, len(server.asked)) == ("answered", GOOD, 2)
    (failed_try,) = call.detail["tries"]
    assert failed_try["why"].startswith("HTTP 200 with error ")


def test_an_error_with_http_200_that_stays_is_an_error_with_its_body(endpoint: Opening) -> None:
    server = endpoint(tries=2)
    server.script.extend(["error-502"] * 9)
    call = asked_once()
    assert (call.status, len(server.asked)) == ("error", 2)
    assert call.error == "HTTP 200 with error 502: The provider failed. Asked 2 times."
    assert "The provider failed." in call.reply


def test_an_error_with_http_200_and_no_code_is_not_retried(endpoint: Opening) -> None:
    server = opened(endpoint, Case("error-unnamed"))
    call = asked_once()
    assert (call.status, len(server.asked)) == ("error", 1)
    assert call.error == "HTTP 200 with error of no status: The provider failed."


def test_an_error_with_http_200_that_says_the_money_is_gone_stops_the_run(
    endpoint: Opening,
) -> None:
    opened(endpoint, Case("error-402"))
    call = asked_once()
    assert (call.status, call.run.state) == ("planned", "failed")
    assert "HTTP 200 with error 402: The provider failed." in call.run.reason


@pytest.mark.parametrize("mode", ["error-502", "error-choice", "error-unnamed", "error-402"])
def test_in_a_batch_an_error_with_http_200_is_an_error_of_its_line(
    endpoint: Opening, mode: str
) -> None:
    server = opened(endpoint, Case(mode))
    call = asked_once(route="batch")
    assert call.status == "error"
    assert call.error.startswith("HTTP 200 with error ")
    assert "The provider failed." in call.reply
    resume_run(run_id=call.run_id)
    for _ in range(3):
        work_all(call.run)
        sweep_runs()
    call.refresh_from_db()
    assert (call.status, len(server.asked)) == ("answered", 2)


@pytest.mark.parametrize(
    ("mode", "status", "reply", "error"),
    [
        ("parts", "answered", GOOD, ""),
        ("parts-refusal", "refusal", "No.", "The model refused."),
        ("parts-untyped", "error", "a text", "a part of its content has no type"),
        ("thought-alone", "parse_failure", "", "The reply is empty."),
        ("tool-call-and-text", "parse_failure", GOOD, "called a tool (answer)"),
        ("function-call", "parse_failure", "arguments", "called a tool (answer)"),
    ],
)
def test_other_forms_of_a_message_are_answers_or_failures_with_a_reason(
    endpoint: Opening, mode: str, status: str, reply: str, error: str
) -> None:
    opened(endpoint, Case(mode))
    call = asked_once()
    assert (call.status, call.annotation is None) == (status, status != "answered")
    assert reply in call.reply
    assert error in call.error


def test_a_variant_that_thinks_is_another_model(endpoint: Opening) -> None:
    opened(endpoint, Case("base-name"))
    call = asked_once(f"{MODEL}:thinking")
    assert (call.status, call.annotation) == ("error", None)
    assert "another model" in call.error


def test_a_secret_header_that_an_endpoint_repeats_reaches_no_row(endpoint: Opening) -> None:
    case = CASES["key in another header"]
    server = opened(endpoint, case)
    server.script.extend(["echo"] * 3)
    call = asked_once()
    assert call.status == "error"
    assert "Odd headers" in call.error
    assert SECRET not in call.error + call.reply


def test_a_missing_secret_header_stops_the_run_and_names_the_variable(
    endpoint: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(endpoint, CASES["key in another header"])
    monkeypatch.delenv("KEY_OF_THE_TESTS")
    call = asked_once()
    assert call.run.reason == "Endpoint default: the environment has no header KEY_OF_THE_TESTS."


def test_a_redirect_takes_no_secret_header_along(endpoint: Opening) -> None:
    other = endpoint()
    elsewhere = other.url
    case = CASES["key in another header"]
    server = opened(endpoint, Case(fields=case.fields, behaviour={"redirect": elsewhere}))
    call = asked_once()
    assert (call.status, server.headers[0]["api-key"]) == ("error", SECRET)
    assert other.headers == []


def scored(**parameters: Any) -> JudgeRun:
    """A run of G-Eval over one unit."""
    criterion = {"key": "fluency", "question": "How fluent?", "low": 1, "high": 5}
    study = make_study(blocks=(("likert", {"criteria": [criterion]}),), sources=1)
    parameters |= {"steps": {"fluency": "Read it."}}
    judge = define_judge(
        study=study,
        name="scored",
        method="geval",
        backend="chat",
        model=MODEL,
        parameters=parameters,
    )
    return work_all(plan_run(study=study, judge=judge, subset=""))


def test_samples_are_asked_one_by_one_where_a_request_has_one_reply(endpoint: Opening) -> None:
    server = endpoint(Behaviour(choices=False, reply="4"))
    run = scored(samples=4)
    assert (run.state, len(server.asked)) == ("complete", 4)


def test_without_probabilities_of_tokens_the_call_says_so(endpoint: Opening) -> None:
    endpoint(Behaviour(rates={"no-logprobs": 1}, reply="4"))
    run = scored(scoring="logprobs")
    assert run.state == "failed"
    assert {call.error for call in run.calls.all()} == {"the endpoint gave no logprobs"}
