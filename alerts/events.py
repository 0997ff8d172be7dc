"""The events that a webhook can be told of: one entry each."""

from dataclasses import dataclass

from alerts.models import Delivery

Event = Delivery.Event


@dataclass(frozen=True)
class Kind:
    """A kind of event. name: in messages and in the study's choice. stored: as deliveries have it.
    about: when it comes, in words."""

    name: str
    stored: Delivery.Event
    about: str


KINDS = (
    Kind("alert.opened", Event.OPENED, "an alert opens"),
    Kind("alert.ended", Event.ENDED, "an alert ends"),
    Kind("answer.stored", Event.ANSWERS, "answers are stored, many in one message each minute"),
    Kind("round.finished", Event.ROUND, "all units of a round have the answers that they need"),
    Kind("run.finished", Event.RUN, "a run of a judge has ended"),
    Kind("drift.found", Event.DRIFT, "a judge gives other answers to the same questions"),
    Kind("export.ready", Event.EXPORT, "the file of an export is ready"),
)
NAMES = tuple(kind.name for kind in KINDS)
BY_STORED = {kind.stored: kind for kind in KINDS}


def name_of(stored: str) -> str:
    """An event as messages call it; tests and what is no event any more under its own name."""
    kind = BY_STORED.get(Event(stored)) if stored in Event.values else None
    return stored if kind is None else kind.name
