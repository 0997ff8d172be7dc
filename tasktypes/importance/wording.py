"""What a machine is asked, part by part: a block may ask for some of them only."""

import json

from tasktypes.importance.schema import AskedPart, Payload
from tasktypes.machines.prompts import Slot, in_lines, numbered, setting
from tasktypes.texts.surroundings import SLOTS as SURROUNDINGS

TASKS: dict[AskedPart, str] = {
    "importance": (
        "Label every claim by its importance to what was asked: "
        '"vital" where a response without it would not answer the question, '
        '"okay" where it adds something useful to the answer, '
        '"less-important" where nobody who asked this would miss it. '
        "Whether a claim is true must not matter here: a false claim can be vital."
    ),
    "order": (
        'Put the claims in order of that importance: "order" lists the number of every claim '
        "once, the most important first. Again, truth must not matter."
    ),
    "support": (
        'Mark every claim "supported" where the documents above say so or it follows from '
        'them, otherwise "unsupported". Go by the documents alone.'
    ),
    "nuggets": (
        "Mark every fact by what the response says: "
        '"supported" where it states all of the fact, "partly" where it states some of it, '
        '"not" where it states none of it or the opposite.'
    ),
}
# Where the block has only the vital claims ordered.
ORDER_OF_VITAL = (
    'Put the claims that you labelled "vital" in order of that importance: "order" lists the '
    "number of each of them once, the most important first, and no other; it is empty where no "
    "claim is vital. Again, truth must not matter."
)


def asked(payload: Payload) -> str:
    """The tasks, one per line, those that this question has."""
    parts = [part for part in payload.parts if payload.asks(part)]
    tasks = TASKS | {"order": ORDER_OF_VITAL} if payload.orders_vital else TASKS
    return "\n".join(f"- {tasks[part]}" for part in parts)


def reply_format(payload: Payload) -> str:
    """The shape of the reply, with words in capitals to be replaced."""
    claim = {"claim": "NUMBER"}
    if payload.asks("importance"):
        claim["importance"] = "LABEL"
    if payload.asks("support"):
        claim["support"] = "LABEL"
    reply: dict[str, object] = {"claims": [claim]}
    if payload.asks("order"):
        reply["order"] = ["NUMBERS"]
    if payload.asks("nuggets"):
        reply["nuggets"] = [{"nugget": "NUMBER", "support": "LABEL"}]
    text = json.dumps(reply)
    return text.replace('"NUMBER"', "NUMBER").replace('"NUMBERS"', "NUMBERS")


def _facts(payload: Payload) -> str:
    facts = numbered(payload.nuggets)
    return f"\nFacts, numbered from 0:\n{facts}" if payload.asks("nuggets") else ""


SLOTS: tuple[Slot, ...] = (
    *SURROUNDINGS,
    Slot("response", "the response", lambda payload: in_lines(payload.text)),
    Slot("claims", "its claims, numbered from 0", lambda payload: numbered(payload.claims)),
    Slot("nuggets", "the facts, numbered from 0", lambda payload: numbered(payload.nuggets)),
    Slot("facts", "the same under a heading, where the block asks for them", _facts),
    setting("tasks", "what the block asks for, a line each", asked),
    setting(
        "and_facts",
        '" and every fact", where the block asks for them',
        lambda payload: " and every fact" if payload.asks("nuggets") else "",
    ),
    setting("format", "the shape of the reply, as JSON", reply_format),
)
