"""The message of a reply, in the forms that endpoints give it: text, reasoning, calls of tools."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

# The types of parts, and the key under which each holds its text or its own parts.
_TEXT = {"text": "text", "output_text": "text"}
_REASONING = {"thinking": "thinking", "reasoning": "text", "reasoning_text": "text"}


class Malformed(ValueError):
    """A reply that is not of the shape that the protocol promises."""


@dataclass(frozen=True)
class ReadMessage:
    """A message, taken apart.

    reasoning: what the model wrote before its reply, where the endpoint keeps it apart. calls: the
    tools that it called instead of replying, as they came. others: further parts, as they came.
    """

    text: str
    reasoning: str = ""
    refusal: str = ""
    calls: Sequence[Any] = ()
    others: Sequence[Any] = field(default=())

    @property
    def kept(self) -> str:
        """What to keep as the raw reply where the message has no text: a refusal, or the calls."""
        calls = json.dumps(self.calls, ensure_ascii=False) if self.calls else ""
        return self.text or self.refusal or calls

    @property
    def called_tools(self) -> str:
        """The names of the tools that it called."""
        return ", ".join(_tool(call) for call in self.calls)


def read_message(message: Mapping[str, Any]) -> ReadMessage:
    """The message; Malformed where its content is neither a text nor a list of parts."""
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    if not parts and content and not isinstance(content, str):
        raise Malformed("its content is no text")
    refusal = message.get("refusal")
    calls = message.get("tool_calls")
    call = message.get("function_call")  # what the protocol had before `tool_calls`
    reasoning = message.get("reasoning_content") or message.get("reasoning")
    return ReadMessage(
        text=content if isinstance(content, str) else "".join(_texts(parts, _TEXT)),
        reasoning=reasoning or "\n".join(_texts(parts, _REASONING)),
        refusal=refusal
        if isinstance(refusal, str)
        else "".join(_texts(parts, {"refusal": "refusal"})),
        calls=calls if isinstance(calls, list) and calls else [call] if call else [],
        others=[part for part in parts if part["type"] not in {*_TEXT, *_REASONING, "refusal"}],
    )


def _texts(parts: Iterable[Any], names: Mapping[str, str]) -> Iterable[str]:
    """The texts of the parts of these types. A part may hold parts itself."""
    for part in parts:
        if not isinstance(part, Mapping) or not isinstance(part.get("type"), str):
            raise Malformed("a part of its content has no type")
        if part["type"] not in names:
            continue
        content = part.get(names[part["type"]], "")
        if isinstance(content, list):
            content = "".join(_texts(content, _TEXT))
        if not isinstance(content, str):
            raise Malformed("a part of its content is no text")
        yield content


def _tool(call: Any) -> str:
    function = call.get("function", call) if isinstance(call, Mapping) else None
    name = function.get("name") if isinstance(function, Mapping) else None
    return str(name or "without a name")
