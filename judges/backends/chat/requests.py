"""Requests to a chat endpoint: their JSON body, and the key under which a reply is cached."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from endpoints.capabilities import LIMIT, N_REPLIES, OPTIONAL, RESPONSE_FORMAT, Body
from judges.backends.contract import ChatRequest

# How many schemas are kept in the form in which they are sent.
MOST_SCHEMAS = 256

_formats: dict[int, tuple[Mapping[str, Any], Body]] = {}


def request_body(request: ChatRequest, model: str, wanted: int = 1) -> Body:
    """The body of a request for `wanted` replies. What is None is left to the endpoint."""
    body: Body = {"model": model, "messages": [dict(message) for message in request.messages]}
    optional = {
        "temperature": request.temperature,
        LIMIT: request.max_tokens,
        "seed": request.seed,
        N_REPLIES: wanted if wanted > 1 else None,
        RESPONSE_FORMAT: None if request.schema is None else _response_format(request.schema),
    }
    body |= {name: value for name, value in optional.items() if value is not None}
    if request.top_logprobs:
        body |= {"logprobs": True, "top_logprobs": request.top_logprobs}
    return body | dict(request.extra)


def omitted_parameters(request: ChatRequest, body: Body) -> list[str]:
    """What was wanted and not sent, because the endpoint rejects it."""
    return [n for n in OPTIONAL if getattr(request, n) is not None and n not in body]


def cache_key(request: ChatRequest, model: str, endpoint: str, base_url: str) -> str:
    """SHA-256 of everything that a reply depends on, and of its number among several replies.

    The messages are the filled-in prompt, so another prompt has another key. So has another
    schema, even where the endpoint cannot be held to it.
    """
    content = {
        "endpoint": endpoint,
        "base_url": base_url,
        "body": request_body(replace(request, schema=None), model),
        "schema": request.schema,
        "step": request.step,
        "replicate": request.replicate,
        "sample": request.sample,
    }
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def strict_schema(schema: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """The schema as endpoints take it, and whether they can be held to it strictly.

    Strictly means: every property is required and no other is allowed. This is not possible for a
    schema with open objects, or with lists whose places differ; it is sent as it is.
    """
    is_strict = not _is_open(schema)
    return (_closed(schema) if is_strict else dict(schema)), is_strict


def _response_format(schema: Mapping[str, Any]) -> Body:
    """Made once for each schema object.

    The schema is kept beside it: while it lives, no other object can have the same id.
    """
    entry = _formats.get(id(schema))
    if entry is None:
        if len(_formats) >= MOST_SCHEMAS:
            _formats.clear()
        entry = _formats[id(schema)] = (schema, _new_format(schema))
    return entry[1]


def _new_format(schema: Mapping[str, Any]) -> Body:
    closed, is_strict = strict_schema(schema)
    name = re.sub(r"[^A-Za-z0-9_-]", "_", str(schema.get("title", "answer")))[:64]
    return {
        "type": "json_schema",
        "json_schema": {"name": name, "strict": is_strict, "schema": closed},
    }


def _is_open(schema: Any) -> bool:
    """Whether an object in it may have properties that the schema does not name."""
    if isinstance(schema, list):
        return any(_is_open(part) for part in schema)
    if not isinstance(schema, dict):
        return False
    is_object = schema.get("type") == "object"
    if is_object and (not schema.get("properties") or schema.get("additionalProperties")):
        return True
    if "prefixItems" in schema or "patternProperties" in schema:
        return True
    return any(_is_open(part) for part in schema.values())


def _closed(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    # A default makes no sense where everything is required; some endpoints reject uniqueItems.
    dropped = ("default", "uniqueItems")
    closed = {name: _closed(part) for name, part in schema.items() if name not in dropped}
    if schema.get("type") == "object":
        properties = schema["properties"]
        closed["properties"] = {name: _closed(part) for name, part in properties.items()}
        closed |= {"required": list(properties), "additionalProperties": False}
    return closed
