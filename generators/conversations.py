"""Holding the conversations of a generator: within a budget, each kept in a journal at once."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from generators.generator import Generator
from generators.journal import Journal, Planned
from generators.payment import Payer
from judges.methods.asks import AskOutcome, Tools
from judges.runs.delivery.ask_queue import Budget
from judges.runs.plans.amounts import in_usd
from judges.runs.plans.forecast import Forecast
from judges.runs.plans.scope import RunRefused
from judges.runs.records.reply_cache import DatabaseCache

# Of a reason so many replies are kept for a page, each cut at so many characters.
EXAMPLES, LONGEST_EXAMPLE = 3, 4000


class GenerationRefused(ValueError):
    """It cannot be generated for this study; the message says why."""


@dataclass(frozen=True)
class Failed:
    """A conversation that came to nothing. key: of what it should have made. reply: as it came."""

    key: str
    reply: str


@dataclass(frozen=True)
class Made:
    """What a generation came to. number: of texts or lists. spent: None where no call reports a
    cost. examples: some of the failures, by their reason."""

    number: int
    failures: Mapping[str, int]
    spent: Decimal | None
    stopped: str
    file: Path
    examples: Mapping[str, Sequence[Failed]] = field(default_factory=dict)

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
    """What came of the conversations. written: how many came to something. failures: the number of
    the others by reason; examples: some of them. spent: None where no call reports a cost. stopped:
    why not all were begun."""

    written: int = 0
    failures: dict[str, int] = field(default_factory=dict)
    examples: dict[str, list[Failed]] = field(default_factory=dict)
    spent: Decimal | None = None
    stopped: str = ""

    def note(self, conversation: Planned, outcome: AskOutcome) -> None:
        """Count what has come of a conversation."""
        if outcome.answer is not None:
            self.written += 1
            return
        failed = next(reply for reply in outcome.replies if reply.failure)
        reason = failed.error
        self.failures[reason] = self.failures.get(reason, 0) + 1
        kept = self.examples.setdefault(reason, [])
        if len(kept) < EXAMPLES:
            kept.append(Failed(conversation.key, failed.text[:LONGEST_EXAMPLE]))


def always(_held: Held) -> bool:
    """Go on, whatever has come of the conversations so far."""
    return True


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
    """What it is expected to take; GenerationRefused where that is more than the cap, or where
    nobody could tell."""
    expected = Forecast(cap=max_cost)
    for conversation in planned:
        expected.add(generator.plan(conversation.ask))
    if max_cost is None:
        return expected
    if expected.usd is None:
        raise GenerationRefused(
            f"max cost: the cost of the calls is unknown, because {generator.model} has no price "
            "configured, so that a cap could not hold; the operator of this installation can add "
            "one"
        )
    if expected.usd > max_cost:
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
    payer: Payer,
    max_cost: Decimal | None = None,
    on_progress: Callable[[int], object] = lambda done: None,
    goes_on: Callable[[Held], bool] = always,
) -> Held:
    """Hold those that the journal has no result of. max_cost: none is begun once this is spent.
    goes_on: told after each what has come of them so far; once it says no, none is begun any
    more."""
    # The cache returns failed replies only to the run that paid for them. A negative id that no run
    # has makes every call of this function a run of its own.
    budget = _Spending(max_cost)
    generator.tools = Tools(
        replies=DatabaseCache(-time.time_ns()),
        may_begin=budget.allows,
        on_outcome=budget.note,
    )
    finished = journal.written(planned)
    missing = [conversation for conversation in planned if conversation.key not in finished]
    on_progress(len(planned) - len(missing))
    held = Held(written=len(planned) - len(missing))
    for conversation, outcome in _outcomes(generator, budget.while_open(missing)):
        journal.add(conversation, outcome)
        held.note(conversation, outcome)
        payer.pay(generator, cost_of(outcome))
        held.spent = budget.spent
        on_progress(1)
        if not goes_on(held):
            budget.stop("It was cancelled.")
        elif payer.by is not None:
            _stop_where_nothing_is_left(budget, payer, generator)
    held.spent, held.stopped = budget.spent, budget.reason
    return held


def cost_of(outcome: AskOutcome) -> Decimal:
    """USD that a conversation has cost, as far as its calls report it."""
    return sum((reply.cost or Decimal(0) for reply in outcome.replies), Decimal(0))


def _stop_where_nothing_is_left(budget: "_Spending", payer: Payer, generator: Any) -> None:
    """Others of the account's runs spend the same money."""
    try:
        payer.cap(generator, None)
    except RunRefused as refusal:
        budget.stop(str(refusal))


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

    def stop(self, reason: str) -> None:
        """Begin none any more."""
        self.reason = self.reason or reason

    def while_open(self, planned: Sequence[Planned]) -> Iterator[Planned]:
        """The conversations, until the budget is spent."""
        for conversation in planned:
            if self.reason:
                return
            if self.most is not None and (self.spent or Decimal(0)) >= self.most:
                self.reason = f"The cap of {self.most:.2f} USD is reached."
                return
            yield conversation
