"""Holding the conversations of a generator: within a budget, each kept in a journal at once."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from generators.generator import Generator
from generators.journal import Journal, Planned
from judges.methods.asks import AskOutcome, Tools
from judges.runs.delivery.ask_queue import Budget
from judges.runs.plans.amounts import in_usd
from judges.runs.plans.plan import Forecast
from judges.runs.records.reply_cache import DatabaseCache


class GenerationRefused(ValueError):
    """It cannot be generated for this study; the message says why."""


@dataclass(frozen=True)
class Made:
    """What a generation came to. number: of texts or lists. spent: None where no call reports a
    cost."""

    number: int
    failures: Mapping[str, int]
    spent: Decimal | None
    stopped: str
    file: Path

    def in_words(self, of: str, wanted: int, things: str) -> str:
        """How many there are, what they cost, and where the replies are."""
        cost = "" if self.spent is None else f", {in_usd(self.spent)}"
        return f"{of}: {self.number} of {wanted} {things}{cost}\n  replies: {self.file}"

    def refuse_missing(self, wanted: int, things: str) -> None:
        """GenerationRefused with all reasons on one line where some are missing."""
        if self.number == wanted:
            return
        reasons = [f"{n} × {reason}" for reason, n in sorted(self.failures.items())]
        reasons += [self.stopped] if self.stopped else []
        missing = wanted - self.number
        raise GenerationRefused(f"{missing} {things} are missing: {'; '.join(reasons)}")


@dataclass
class Held:
    """What came of the conversations. failures: their number by reason. spent: None where no call
    reports a cost. stopped: why not all were begun."""

    failures: dict[str, int] = field(default_factory=dict)
    spent: Decimal | None = None
    stopped: str = ""


def definition(generator: Generator[Any], seed: int) -> dict[str, Any]:
    """What a generator is, as plain JSON."""
    return {
        "generator": generator.name,
        "backend": generator.backend,
        "model": generator.model,
        "parameters": generator.parameters.model_dump(mode="json"),
        "seed": seed,
    }


def forecast(
    generator: Generator[Any], planned: Sequence[Planned], *, max_cost: Decimal | None = None
) -> Forecast:
    """What it is expected to take; GenerationRefused where that is more than the cap."""
    expected = Forecast()
    for conversation in planned:
        expected.add(generator.plan(conversation.ask))
    if max_cost is not None and expected.usd is not None and expected.usd > max_cost:
        raise GenerationRefused(
            f"max cost: {expected.calls} calls are expected to cost {expected.usd:.2f} USD, "
            f"more than {max_cost:.2f}"
        )
    return expected


def hold_conversations(
    *,
    generator: Generator[Any],
    planned: Sequence[Planned],
    journal: Journal[Any],
    max_cost: Decimal | None = None,
    on_progress: Callable[[int], object] = lambda done: None,
) -> Held:
    """Hold those that the journal has no result of. max_cost: none is begun once this is spent."""
    # The cache returns failed replies only to the run that paid for them. A negative id that no run
    # has makes every call of this function a run of its own.
    budget = _Spending(max_cost)
    generator.tools = Tools(
        replies=DatabaseCache(-time.time_ns()),
        may_begin=budget.allows,
        on_outcome=budget.note,
    )
    finished = journal.written()
    missing = [conversation for conversation in planned if conversation.key not in finished]
    on_progress(len(planned) - len(missing))
    held = Held()
    for conversation, outcome in _outcomes(generator, budget.while_open(missing)):
        journal.add(conversation, outcome)
        on_progress(1)
        if outcome.answer is None:
            reason = next(reply.error for reply in outcome.replies if reply.failure)
            held.failures[reason] = held.failures.get(reason, 0) + 1
    held.spent, held.stopped = budget.spent, budget.reason
    return held


def _outcomes(
    generator: Generator[Any], planned: Iterator[Planned]
) -> Iterator[tuple[Planned, AskOutcome]]:
    """Each conversation with its outcome, in any order."""
    under_way: dict[str, Planned] = {}

    def asks() -> Iterator[Any]:
        for conversation in planned:
            under_way[conversation.ask.unit] = conversation
            yield conversation.ask

    for outcome in generator.answers(asks()):
        yield under_way.pop(outcome.ask.unit), outcome


class _Spending(Budget):
    """What may be spent, and what has been: None where no call reports a cost."""

    def __init__(self, most: Decimal | None) -> None:
        super().__init__(most)
        self.most, self.spent = most, None if most is None else Decimal(0)
        self.reason = ""

    def note(self, outcome: AskOutcome) -> None:
        costs = [reply.cost for reply in outcome.replies if reply.cost is not None]
        if costs:
            self.pay(sum(costs, Decimal(0)))
            self.spent = sum(costs, self.spent or Decimal(0))

    def while_open(self, planned: Sequence[Planned]) -> Iterator[Planned]:
        """The conversations, until the budget is spent."""
        for conversation in planned:
            if self.most is not None and (self.spent or Decimal(0)) >= self.most:
                self.reason = f"The cap of {self.most:.2f} USD is reached."
                return
            yield conversation
