"""A chat method alone, with recorded replies and without a database."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from judges.backends.scripted import NAME
from judges.methods.asks import Ask, AskOutcome, Tools
from judges.methods.conversation import ChatMethod
from retrieval.page import NoPages, Pages
from tasktypes.contract import TaskType
from tasktypes.schemas import Schema
from tests.judges.scripted_judges import write_lines

# Step to its reply, or to the replies of its samples; what is no text is written as JSON.
Replies = Mapping[str, Any]
ONLY = "unit"


def lines(replies: Replies) -> list[dict[str, Any]]:
    return [
        {"unit": ONLY, "step": step, "sample": number, "reply": _text(reply)}
        for step, given in replies.items()
        for number, reply in enumerate(given if isinstance(given, list) else [given])
    ]


def ready(
    method: type[ChatMethod[Any]],
    folder: Path,
    replies: Replies,
    web: Pages | None = None,
    **parameters: Any,
) -> ChatMethod[Any]:
    file = write_lines(folder / "replies.jsonl", lines(replies))
    given = method.Parameters.model_validate({"replies": str(file), **parameters})
    made = method(method.resolve_parameters(given), backend=NAME)
    made.tools = Tools(pages=web or NoPages())
    return made


def ask(task_type: TaskType[Any, Any, Any], payload: Schema) -> Ask:
    return Ask(1, ONLY, "block", task_type, payload.model_dump(mode="json"))


def steps(outcome: AskOutcome) -> Sequence[str]:
    return [reply.step for reply in outcome.replies]


def prompt(outcome: AskOutcome, step: str) -> str:
    """What was said in a step, its last sample."""
    asked = [reply.request for reply in outcome.replies if reply.step == step][-1]
    return "\n\n".join(message["content"] for message in asked["messages"])


def _text(reply: Any) -> str:
    return reply if isinstance(reply, str) else json.dumps(reply)
