"""What is sent: schemas in the form that endpoints can hold a model to, keys of all that counts."""

from dataclasses import replace
from typing import Any

import pytest
from pydantic import BaseModel

from judges.backends.chat.requests import cache_key, request_body, strict_schema
from judges.backends.contract import ChatRequest
from tasktypes.contract import TaskType
from tasktypes.registry import TASK_TYPES

REQUEST = ChatRequest(messages=({"role": "user", "content": "Which?"},), unit="u", block="b")


def objects(schema: Any) -> list[dict[str, Any]]:
    """Every object type in a schema."""
    if isinstance(schema, list):
        return [found for part in schema for found in objects(part)]
    if not isinstance(schema, dict):
        return []
    own = [schema] if schema.get("type") == "object" else []
    return own + [found for part in schema.values() for found in objects(part)]


@pytest.mark.parametrize("task_type", TASK_TYPES, ids=lambda one: one.slug)
def test_the_schema_of_every_reply_is_sent_closed_or_as_it_is(
    task_type: TaskType[Any, Any, Any],
) -> None:
    schema = task_type.reply_schema.model_json_schema()
    sent, is_strict = strict_schema(schema)
    if not is_strict:
        assert sent == schema
        return
    for one in objects(sent):
        assert one["additionalProperties"] is False
        assert one["required"] == list(one["properties"])


def test_a_schema_with_open_objects_is_not_strict() -> None:
    class Open(BaseModel):
        scores: dict[str, int]

    class Places(BaseModel):
        pair: tuple[int, str]

    assert strict_schema(Open.model_json_schema())[1] is False
    assert strict_schema(Places.model_json_schema())[1] is False


def test_all_that_a_reply_depends_on_is_in_its_key() -> None:
    keys = {
        cache_key(REQUEST, "m", "e", "http://a"),
        cache_key(REQUEST, "n", "e", "http://a"),
        cache_key(REQUEST, "m", "f", "http://a"),
        cache_key(REQUEST, "m", "e", "http://b"),
    }
    changes: list[dict[str, Any]] = [
        {"messages": ({"role": "user", "content": "Which one?"},)},
        {"seed": 1},
        {"temperature": 0.5},
        {"max_tokens": 9},
        {"schema": {"type": "object"}},
        {"top_logprobs": 5},
        {"step": "second"},
        {"sample": 1},
        {"replicate": 1},
        {"extra": {"top_p": 0.9}},
    ]
    keys |= {cache_key(replace(REQUEST, **change), "m", "e", "http://a") for change in changes}
    assert len(keys) == 4 + len(changes)


def test_whose_question_it_is_does_not_matter_to_the_key() -> None:
    other = replace(REQUEST, unit="v", block="c")
    assert cache_key(other, "m", "e", "http://a") == cache_key(REQUEST, "m", "e", "http://a")


def test_a_schema_is_made_ready_once() -> None:
    schema = {"title": "Answer", "type": "object", "properties": {"a": {"type": "integer"}}}
    formats = [
        request_body(replace(REQUEST, schema=given, sample=n), "m")["response_format"]
        for n, given in enumerate((schema, schema, dict(schema)))
    ]
    assert formats[0] is formats[1]
    assert formats[0] == formats[2]
