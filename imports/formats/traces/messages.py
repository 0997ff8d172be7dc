"""What a span of OpenTelemetry says was given to a model, and what the model gave, by the
conventions of several years."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from imports.formats.traces.exchanges import value_of
from imports.formats.traces.otlp import Event

# Since 1.37 messages are attributes of the span, or of this event.
_DETAILS = "gen_ai.client.inference.operation.details"
_INPUT, _OUTPUT, _SYSTEM = (
    "gen_ai.input.messages",
    "gen_ai.output.messages",
    "gen_ai.system_instructions",
)
# From 1.28 to 1.36 each message was an event, of this form, and each answer another.
_MESSAGE = re.compile(r"gen_ai\.(?P<role>system|user|assistant|tool)\.message")
_CHOICE = "gen_ai.choice"
# Before that there were two events, or two attributes, with all of them; some instrumentations
# number the messages.
_PROMPT, _COMPLETION = "gen_ai.prompt", "gen_ai.completion"
_CONTENT = {_PROMPT: "gen_ai.content.prompt", _COMPLETION: "gen_ai.content.completion"}
_CALL = re.compile(r"tool_calls\.(?P<number>\d+)\.(?P<field>name|arguments)")


def given_to(attributes: Mapping[str, Any], events: Sequence[Event]) -> Any:
    """What went into a model: messages, or a text; None where nothing was recorded."""
    named = _named(attributes, events, _INPUT)
    if named is not None:
        system = _named(attributes, events, _SYSTEM)
        return [*([{"role": "system", "parts": system}] if system else []), *_listed(named)]
    messages = [message for event in events if (message := _message(event)) is not None]
    return messages or _older(attributes, events, _PROMPT)


def gave_from(attributes: Mapping[str, Any], events: Sequence[Event]) -> Any:
    """What a model answered; of several answers the first."""
    named = _named(attributes, events, _OUTPUT)
    if named is not None:
        return _listed(named)[:1]
    choices = [_fields(event) for event in events if event.name == _CHOICE]
    if choices:
        first = min(choices, key=lambda choice: int(choice.get("index") or 0))
        return [{"role": "assistant", **_said(first)}]
    return _older(attributes, events, _COMPLETION)


def _named(attributes: Mapping[str, Any], events: Sequence[Event], name: str) -> Any:
    details = [event.attributes for event in events if event.name == _DETAILS]
    return next((value_of(of[name]) for of in (attributes, *details) if name in of), None)


def _listed(messages: Any) -> list[Any]:
    return messages if isinstance(messages, list) else [messages]


def _message(event: Event) -> dict[str, Any] | None:
    match = _MESSAGE.fullmatch(event.name)
    return None if match is None else {"role": match["role"], **_said(_fields(event))}


def _fields(event: Event) -> Mapping[str, Any]:
    """Those of a message: in the body of a log record, else among the attributes."""
    return event.body if isinstance(event.body, Mapping) else event.attributes


def _said(fields: Mapping[str, Any]) -> dict[str, Any]:
    inner = value_of(fields.get("message"))
    fields = inner if isinstance(inner, Mapping) else fields
    content = inner if isinstance(inner, str) else value_of(fields.get("content"))
    message = {"content": content or "", "tool_calls": value_of(fields.get("tool_calls")) or []}
    return message | ({"role": fields["role"]} if fields.get("role") else {})


def _older(attributes: Mapping[str, Any], events: Sequence[Event], name: str) -> Any:
    whole = attributes.get(name)
    for event in events:
        if whole is None and event.name == _CONTENT[name]:
            whole = event.attributes.get(name)
    return value_of(whole) if whole is not None else [*_numbered(attributes, name)] or None


def _numbered(attributes: Mapping[str, Any], name: str) -> Iterator[dict[str, Any]]:
    """Messages whose fields are attributes, such as `gen_ai.prompt.0.content`."""
    messages: dict[int, dict[str, str]] = {}
    for key, value in attributes.items():
        number, _, part = key.removeprefix(f"{name}.").partition(".")
        if key.startswith(f"{name}.") and number.isdecimal():
            messages.setdefault(int(number), {})[part] = value
    for _, fields in sorted(messages.items()):
        calls: dict[str, dict[str, Any]] = {}
        for part, value in fields.items():
            if match := _CALL.fullmatch(part):
                calls.setdefault(match["number"], {})[match["field"]] = value
        role = fields.get("role") or ("assistant" if name == _COMPLETION else "user")
        yield {
            "role": role,
            "content": fields.get("content") or "",
            "tool_calls": [*calls.values()],
        }
