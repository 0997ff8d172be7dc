"""In which form an endpoint takes requests: what its faults say about that, and what not."""

import json
from typing import Any

import pytest

from endpoints.capabilities import (
    Capabilities,
    RequestForm,
    form_after_batch,
    rejected_parameter,
)

BODY: dict[str, Any] = {
    "model": "m",
    "messages": [],
    "seed": 1,
    "temperature": 0.0,
    "max_tokens": 9,
    "response_format": {"type": "json_schema", "json_schema": {}},
}
DETAIL = [{"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs", "input": 1}]
SAID = "Extra inputs are not permitted"


@pytest.mark.parametrize(
    ("status", "error", "name"),
    [
        (400, {"message": "Unsupported parameter.", "param": "max_tokens"}, "max_tokens"),
        (
            400,
            {"message": "Bad schema.", "param": "response_format.json_schema"},
            "response_format",
        ),
        (400, {"message": "Too long.", "param": "messages.[0].content"}, "messages"),
        (400, {"message": "What?", "param": "prompt"}, None),
        (422, {"detail": DETAIL}, "seed"),
        (422, {"message": {"detail": DETAIL}, "param": None}, "seed"),
        (422, {"message": f"{json.dumps(DETAIL)} {SAID}", "param": None}, "seed"),
        (400, {"message": "temperature is not supported with this model."}, "temperature"),
        (400, "unknown field: seed", "seed"),
        (400, {"message": "The temperature of the sun is 5772 K."}, ""),
        (400, None, ""),
        (400, {"code": "context_length_exceeded", "param": "messages"}, None),
        (400, {"code": "content_filter", "param": "prompt"}, None),
        (500, {"param": "seed"}, None),
    ],
)
def test_a_fault_is_read_for_what_was_not_taken(status: int, error: Any, name: str | None) -> None:
    assert rejected_parameter(status, error, BODY) == name


def test_a_form_gets_plainer_step_by_step_and_never_stricter() -> None:
    form: RequestForm | None = RequestForm()
    for name in ("response_format", "max_tokens", "seed", "temperature"):
        assert form is not None
        form = form.simpler(name, form.apply(BODY))
    assert form is not None
    written = form.apply(BODY)
    assert written == {
        "model": "m",
        "messages": [],
        "max_completion_tokens": 9,
        "response_format": {"type": "json_object"},
    }
    assert RequestForm().apply(written) == written
    assert (
        form.merged_with(RequestForm())
        == RequestForm().merged_with(form)
        == RequestForm.from_json(form.as_json())
        == form
    )
    assert form.simpler("messages", written) is None
    assert form.simpler("seed", written) is None


def test_a_guess_has_to_come_true_several_times_in_a_row() -> None:
    habits, plainer = Capabilities(), RequestForm(response_format="json_object")
    for guessed in (True, True, False, True, True):
        habits.record_success(plainer if guessed else RequestForm(), BODY, guessed=guessed)
    assert habits.form == RequestForm()
    habits.record_success(plainer, BODY, guessed=True)
    assert habits.form == plainer


@pytest.mark.parametrize(
    ("names", "taken", "after"),
    [
        (["seed", ""], 3, RequestForm(omitted=frozenset({"seed"}))),
        (["", ""], 1, RequestForm()),
        (["", ""], 0, RequestForm(response_format="json_object")),
        (["messages"], 0, RequestForm()),
        ([], 0, RequestForm()),
    ],
)
def test_after_many_requests_what_they_all_show_is_learned(
    names: list[str], taken: int, after: RequestForm
) -> None:
    assert form_after_batch(RequestForm(), BODY, names, taken) == after
