"""The parts of what a machine is asked that differ from question to question."""

import json

from tasktypes.machines.prompts import Slot, criteria_text, entry, one_line, setting
from tasktypes.ranking.schema import Payload
from tasktypes.texts.surroundings import SLOTS as SURROUNDINGS


def verdicts_text(payload: Payload) -> str:
    """What each verdict means, as far as the study says."""
    if not payload.verdicts:
        return ""
    # Sorted, since databases return the keys of an object in different orders.
    meanings = sorted(payload.verdicts.items())
    lines = [f"- {label}: {one_line(text)}" for label, text in meanings]
    return "\n".join(["What the verdicts mean:", *lines])


def reply_format(payload: Payload) -> str:
    """The shape of the reply, with RANK in place of every rank."""
    ranks = {candidate.letter: "RANK" for candidate in payload.candidates}
    shape = json.dumps({"ranks": dict.fromkeys(payload.keys, ranks)})
    return shape.replace('"RANK"', "RANK")


def _texts(payload: Payload) -> str:
    return "\n".join(
        entry(f"{candidate.letter}:", candidate.text) for candidate in payload.candidates
    )


SLOTS: tuple[Slot, ...] = (
    *SURROUNDINGS,
    Slot("texts", "the texts to rank, a line `letter: text` each", _texts),
    setting("verdicts", "what the verdicts mean, under a heading", verdicts_text),
    setting(
        "criteria",
        "every criterion with its question and definition",
        lambda payload: criteria_text(payload.criteria),
    ),
    setting("count", "how many texts there are", lambda payload: f"{len(payload.candidates)}"),
    setting("format", "the shape of the reply, as JSON", reply_format),
)
