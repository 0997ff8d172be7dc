"""Messages as other tools write them, in the form of chat completions, as turns."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tasktypes.material import ToolCall, Turn


def text_of(content: object) -> str:
    """The words of a message's content: a text, or a list of parts, of which only texts count."""
    if isinstance(content, str):
        return content.strip()
    if isinstance(content, Mapping):
        return text_of(content.get("text", content.get("content", "")))
    if isinstance(content, Sequence):
        return "\n".join(filter(None, map(text_of, content)))
    return ""


def turns_of(messages: Iterable[Mapping[str, Any]]) -> tuple[Turn, ...]:
    """The turns of a list of messages, without those that say nothing."""
    turns = (_turn(message) for message in messages)
    return tuple(turn for turn in turns if turn is not None)


def _turn(message: Mapping[str, Any]) -> Turn | None:
    text = text_of(message.get("content", message.get("parts", "")))
    calls = tuple(_calls(message.get("tool_calls") or ()))
    if not text and not calls:
        return None
    name = message.get("function") or message.get("name") or ""
    role = str(message.get("role") or "user")
    return Turn(role=role, text=text, name=str(name)[:200], calls=calls)


def _calls(calls: Iterable[Mapping[str, Any]]) -> Iterable[ToolCall]:
    for call in calls:
        called = call.get("function", call)
        named = called if isinstance(called, Mapping) else {**call, "name": called}
        arguments = named.get("arguments", "")
        if not isinstance(arguments, str):
            arguments = json.dumps(arguments, ensure_ascii=False)
        yield ToolCall(name=str(named.get("name") or "tool"), arguments=arguments)
