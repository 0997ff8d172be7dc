"""What each step asks, and what its prompt can show."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from judges.methods.conversation.steps import Step, Turn, with_slots_of_payload
from judges.methods.fingract.links import Link, listed
from tasktypes.actionability import ACTIONABILITY
from tasktypes.actionability.errors import PROMPT as ERRORS
from tasktypes.actionability.schema import Answer, FactualError, Payload
from tasktypes.actionability.slots import errors_text
from tasktypes.machines.prompts import Slot, one_line

EXPLANATION, LINKS = (
    (Path(__file__).parent / f"prompt_{name}.txt").read_text(encoding="utf-8")
    for name in ("explanation", "links")
)
Errors = Sequence[FactualError]


@dataclass(frozen=True)
class About:
    """An explanation, the errors to judge it by, and its links as they were found."""

    payload: Payload
    errors: Errors = ()
    links: Sequence[Link] = ()


def _corrections(errors: Errors) -> str:
    if not errors:
        return "No error in the claim is listed: what is right is what holds against the claim."
    return "\n".join(["What is right instead:", *(f"- {one_line(e.correction)}" for e in errors)])


def _explained(payload: Payload, answer: Answer, _: About) -> Iterator[Turn]:
    if answer.errors:
        errors = [error.model_dump(mode="json") for error in answer.errors]
        yield About(payload, payload.errors), json.dumps({"errors": errors})


def _shown_explanation(payload: Payload) -> About | None:
    return About(payload, payload.errors) if payload.errors else None


def _shown_links(payload: Payload) -> About | None:
    """The links alone: what is found there is known once they are retrieved."""
    links = [Link(number, address) for number, address in enumerate(payload.links)]
    return About(payload, payload.errors, links) if links else None


_ERRORS = Slot(
    "errors",
    "the errors to judge by, numbered from 0, with reason and correction",
    lambda about: errors_text(about.errors),
)
_CORRECTIONS = Slot(
    "corrections", "what is right instead, a line each", lambda about: _corrections(about.errors)
)
_LINKS = Slot(
    "links", "the links by their numbers, with what was found", lambda about: listed(about.links)
)
_OF_CLAIM = with_slots_of_payload((), [s for s in ACTIONABILITY.slots if s.name != "errors"])
_OF_ERRORS = with_slots_of_payload((_ERRORS, _CORRECTIONS), ACTIONABILITY.slots)
_OF_LINKS = with_slots_of_payload((_ERRORS, _CORRECTIONS, _LINKS), ACTIONABILITY.slots)
STEPS = (
    Step("errors", ERRORS, _OF_CLAIM, shown=About),
    Step("explanation", EXPLANATION, _OF_ERRORS, turns=_explained, shown=_shown_explanation),
    Step("links", LINKS, _OF_LINKS, shown=_shown_links),
)
# For a score the question is put into one of the rubric first (`questions.rubric_of`), so that
# nothing can be shown, or taken for an example, of the question alone.
STEPS_TO_SCORE = tuple(replace(step, turns=None, shown=None) for step in STEPS)
