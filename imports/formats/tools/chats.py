"""Messages as other tools write them, in the form of chat completions, as turns."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tasktypes.texts.material import ToolCall, Turn
from tasktypes.texts.written import trimmed

# Parts of a message that are no words of the speaker's.
_THOUGHTS = ("reasoning", "thinking")
_CALLS = ("tool_call", "tool_use", "function_call")
# Where the words of a part stand, the first that is there.
_WORDS = ("text", "content", "response", "result", "output")
# What LangChain calls its speakers.
_ROLES = {"human": "user", "ai": "assistant"}


def text_of(content: object) -> str:
    """The words of a message's content: a text, or a list of parts, of which only texts count."""
    if isinstance(content, str):
        return trimmed(content)
    if isinstance(content, Mapping):
        if content.get("type") in (*_THOUGHTS, *_CALLS):
            return ""
        return text_of(next((content[name] for name in _WORDS if name in content), ""))
    if isinstance(content, Sequence):
        return "\n".join(filter(None, map(text_of, content)))
    return ""


def is_message(value: object) -> bool:
    """Whether this is a message of a conversation."""
    if not isinstance(value, Mapping):
        return False
    speaks = "role" in value or value.get("type") in _ROLES
    return speaks and bool({"content", "parts", "tool_calls", "text"} & value.keys())


def turns_of(messages: Iterable[Mapping[str, Any]]) -> tuple[Turn, ...]:
    """The turns of a list of messages, without those that say nothing."""
    turns = (_turn(message) for message in messages)
    return tuple(turn for turn in turns if turn is not None)


def _turn(message: Mapping[str, Any]) -> Turn | None:
    content = message.get("content") or message.get("parts") or message.get("text") or ""
    text = text_of(content)
    calls = (*_calls(message.get("tool_calls") or ()), *_calls(_call_parts(content)))
    if not text and not calls:
        return None
    name = message.get("function") or message.get("name") or ""
    role = str(message.get("role") or _ROLES.get(str(message.get("type")), "user"))
    return Turn(role=role, text=text, name=str(name)[:200], calls=calls)


def _call_parts(content: object) -> Iterator[Mapping[str, Any]]:
    for part in content if isinstance(content, list) else ():
        if isinstance(part, Mapping) and part.get("type") in _CALLS:
            yield part


def _calls(calls: Iterable[Mapping[str, Any]]) -> Iterator[ToolCall]:
    for call in calls:
        called = call.get("function", call)
        named = called if isinstance(called, Mapping) else {**call, "name": called}
        yield tool_call(named.get("name"), named.get("arguments", named.get("input", "")))


def tool_call(name: object, arguments: object) -> ToolCall:
    """A call with its arguments as text."""
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False)
    return ToolCall(name=str(name or "tool"), arguments=arguments)
