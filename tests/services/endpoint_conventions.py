"""What endpoints of one protocol do differently in their replies, as modes of the tests' endpoint.

Each takes an ordinary completion and returns the body that comes instead, still with HTTP 200.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

Body = dict[str, Any]
# Stands for a byte that is not UTF-8 until the body is written.
BAD_BYTE = "\udcff"
CALL = {"id": "call_1", "type": "function",
        "function": {"name": "answer", "arguments": '{"sentences": [0]}'}}  # fmt: skip


def as_bytes(body: Any) -> bytes:
    """A body as it goes over the wire."""
    return json.dumps(body).encode().replace(json.dumps(BAD_BYTE)[1:-1].encode(), b"\xff")


def _error(**error: Any) -> Callable[[Body], Body]:
    return lambda completion: {"error": {"message": "The provider failed.", **error}}


def _message(change: Callable[[Body], Body]) -> Callable[[Body], Body]:
    """A mode in which the message differs."""

    def changed(completion: Body) -> Body:
        choices = [
            {**choice, "message": choice["message"] | change(choice["message"])}
            for choice in completion["choices"]
        ]
        return completion | {"choices": choices}

    return changed


def _error_in_choice(completion: Body) -> Body:
    error = {"code": 502, "message": "The provider failed."}
    return completion | {"choices": [{"index": 0, "error": error, "finish_reason": "error"}]}


def _without_logprobs(completion: Body) -> Body:
    choices = [{**choice, "logprobs": None} for choice in completion["choices"]]
    return completion | {"choices": choices}


def _parts(*before: Body) -> Callable[[Body], Body]:
    """Content in parts: these, and then the text in two."""

    def changed(message: Body) -> Body:
        text = message["content"]
        texts = [{"type": "text", "text": half} for half in (text[:5], text[5:])]
        return {"content": [*before, *texts]}

    return _message(changed)


THOUGHT = 'Perhaps {"sentences": [1]}?'
THINKING = {"type": "thinking", "thinking": [{"type": "text", "text": THOUGHT}]}
# Bodies that are no completion at all.
NO_COMPLETION = {
    "malformed": b'{"id": "chatcmpl-1", "choices": [{"index": 0, "mess',
    "no_choices": b'{"id": "chatcmpl-1", "object": "chat.completion", "choices": []}',
    "no_message": b'{"id": "chatcmpl-1", "choices": [{"index": 0}]}',
    "html": b"<html><body>Please sign in.</body></html>",
    "stream": b'data: {"choices": [{"delta": {"content": "1"}}]}\n\ndata: [DONE]\n\n',
    "text": b'{"sentences": [0]}',
    "nothing": b"",
    "latin": b"caf\xe9",
}
CONVENTIONS: Mapping[str, Callable[[Body], Body]] = {
    "error-502": _error(code=502),
    "error-429": _error(code="429"),
    "error-named": _error(type="server_error", code=None),
    "error-choice": _error_in_choice,
    "error-402": _error(code=402),
    "error-unnamed": _error(),
    "error-flagged": _error(code=403, metadata={"reasons": ["x"], "flagged_input": "a claim"}),
    "parts": _parts(),
    "parts-thinking": _parts(THINKING),
    "parts-others": _parts({"type": "reference", "reference_ids": [1]}),
    "parts-refusal": _message(lambda _: {"content": [{"type": "refusal", "refusal": "No."}]}),
    "parts-untyped": _message(lambda _: {"content": ["a text"]}),
    "thought-alone": _message(lambda _: {"content": [THINKING]}),
    "reasoning": _message(lambda _: {"reasoning_content": THOUGHT}),
    "tool-call": _message(lambda _: {"content": None, "tool_calls": [CALL]}),
    "tool-call-and-text": _message(lambda _: {"tool_calls": [CALL]}),
    "function-call": _message(lambda _: {"content": None, "function_call": CALL["function"]}),
    "bad-byte": _message(lambda message: {"content": f"{message['content']} {BAD_BYTE}"}),
    "no-logprobs": _without_logprobs,
    "no-usage": lambda completion: {**completion, "usage": None},
    "null": _message(lambda _: {"content": None}),
    "number": _message(lambda _: {"content": 4}),
    "usage-alone": lambda completion: completion | {"choices": []},
    "usage-and-error": lambda completion: {
        "error": {"message": "The provider failed.", "code": 502},
        "usage": completion["usage"],
    },
    "base-name": lambda completion: completion | {"model": completion["model"].split(":")[0]},
}
