"""A reason before the answer: how it is asked for, and how it is taken off a reply."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

from pydantic import ConfigDict, create_model

from tasktypes.machines.prompts import one_line
from tasktypes.machines.replies import object_in
from tasktypes.schemas import Schema

# json: the reason is a field of the object. line: it is what stands before the last line. text: the
# reply has no place for one.
ReplyKind = Literal["json", "line", "text"]
FIELD = "reason"
# What prompts of one's own may call that field.
NAMES = (FIELD, "reasoning", "rationale", "explanation", "justification")
ASKED_FOR = (
    f'\nGive your reason first: the object begins with one more field, "{FIELD}", which says in a '
    "few sentences why you answer so.\n"
)


def asked_for(question: str) -> str:
    """What asks for a reason in a JSON reply, or for the text that answers a question in its place.
    It is part of a template."""
    if not question:
        return ASKED_FOR
    told = one_line(question).replace("$", "$$")
    return f'\nThe object begins with one more field, "{FIELD}", a text that answers this: {told}\n'


@lru_cache(maxsize=256)
def _with_any_values(schema: type[Schema]) -> type[Schema]:
    """A schema with the same fields, whatever they hold and whatever else there is."""
    fields: dict[str, Any] = dict.fromkeys(schema.model_fields, (Any, None))
    return create_model(f"Any{schema.__name__}", __base__=_Open, **fields)


class _Open(Schema):
    """Takes further fields."""

    model_config = ConfigDict(extra="allow")


def without_reason(reply: str, schema: type[Schema] | None) -> tuple[str, str]:
    """The reason in a reply, and the rest of it, which holds the answer.

    schema: of the answer, where that is a JSON object; None where it is the last line. A reply
    without a reason keeps its answer. ReplyError where it holds no such object.
    """
    return _of_lines(reply) if schema is None else _of_object(reply, schema)


def with_reason(reply: str, reason: str, kind: ReplyKind) -> str:
    """The reverse, for worked examples."""
    if not reason or kind == "text":
        return reply
    if kind == "line":
        return f"{reason}\n{reply}"
    return json.dumps({FIELD: reason, **json.loads(reply)}, ensure_ascii=False)


def reasoned_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON schema of an object whose first field is the reason."""
    properties = {FIELD: {"type": "string"}, **schema.get("properties", {})}
    required = [FIELD, *schema.get("required", ())]
    return {**schema, "properties": properties, "required": required}


def _of_object(reply: str, schema: type[Schema]) -> tuple[str, str]:
    fields = object_in(reply, _with_any_values(schema)).model_dump(exclude_unset=True)
    names = [name for name in NAMES if name not in schema.model_fields]
    name = next((name for name in names if isinstance(fields.get(name), str)), None)
    if name is None:
        return reply.partition("{")[0].strip(), reply
    reason = fields.pop(name)
    return reason.strip(), json.dumps(fields, ensure_ascii=False)


def _of_lines(reply: str) -> tuple[str, str]:
    before, _, last = reply.strip().rpartition("\n")
    return before.strip(), last.strip()
