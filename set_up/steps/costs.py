"""What a study would take and cost under rules that may not be saved yet."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from math import ceil
from typing import NamedTuple

from django.db.models import Count, Max, Sum

from annotation.models import Study, Unit
from annotation.work.ledger import cents
from imports.study_file.parts import RoundPart


@dataclass(frozen=True)
class RoundCost:
    """What a round takes. batches: until every unit has its answers, or one for each worker.
    workers: how many people are needed at least. base, bonus: for all batches; the bonus where
    everybody gets it. hourly: what is paid whatever is answered, so with the bonus where no pass
    mark decides on it; hourly_with_bonus: with it. None without the minutes that a batch takes."""

    name: str
    batches: int
    workers: int
    base: Decimal
    bonus: Decimal
    hourly: Decimal | None
    hourly_with_bonus: Decimal | None
    too_little: bool = False


@dataclass(frozen=True)
class StudyCost:
    """What all rounds take together, without screen-outs and what a panel charges."""

    rounds: tuple[RoundCost, ...]
    units: int
    currency: str
    minimum: Decimal | None = None
    of_one_source: int = 1

    @property
    def people(self) -> int:
        """How many are needed at least."""
        return max((round_.workers for round_ in self.rounds), default=0)

    @property
    def least(self) -> Decimal:
        """Without any bonus."""
        return sum((round_.base for round_ in self.rounds), Decimal(0))

    @property
    def most(self) -> Decimal:
        """Where everybody gets every bonus."""
        return self.least + sum((round_.bonus for round_ in self.rounds), Decimal(0))


@dataclass(frozen=True)
class Amounts:
    """How many units are asked about, how many answers each gets, and how many batches of a round
    one worker does at most, where the round does not say otherwise. of_one_source: the units of the
    source that has most, of which a worker of a crowd meets one. members: of a team, each of whom
    does as much as the others. per_source: units of one source on average."""

    units: int
    overlap: int
    most_batches: int
    minimum: Decimal | None = None
    of_one_source: int = 1
    members: int = 0
    per_source: float = 1
    # Of a team: units that are in no calibration.
    rest: int = 0


def study_cost(rounds: Sequence[RoundPart], amounts: Amounts) -> StudyCost:
    """The cost of these rounds; whoever reaches a later round has done the earlier ones."""
    if amounts.members:
        calibrated = sum(_calibrated(part, amounts) for part in rounds)
        amounts = replace(amounts, rest=amounts.units - min(calibrated, amounts.units))
    asking = [
        _workers_for(part, amounts, gates=_gates(rounds, position))
        for position, part in enumerate(rounds)
        if _asks_all(part)
    ]
    everybody = max(asking, default=amounts.overlap)
    costs = tuple(
        _round_cost(part, amounts, everybody, gates=_gates(rounds, position))
        for position, part in enumerate(rounds)
    )
    currency = next((part.pay.currency for part in rounds), "USD")
    return StudyCost(costs, amounts.units, currency, amounts.minimum, amounts.of_one_source)


def _gates(rounds: Sequence[RoundPart], position: int) -> bool:
    return rounds[position].pass_ is not None and position + 1 < len(rounds)


def _asks_all(part: RoundPart) -> bool:
    """Whether the round goes on until every unit has its answers."""
    return bool(part.batch.normal) and not part.shows_answers


def _calibrated(part: RoundPart, amounts: Amounts) -> int:
    """How many units everybody answers in the round."""
    return min(ceil(part.calibration * amounts.per_source), amounts.units)


def _batches(part: RoundPart, amounts: Amounts) -> int:
    if not amounts.members:
        return ceil(amounts.units * amounts.overlap / part.batch.normal)
    answers = _calibrated(part, amounts) * amounts.members or amounts.rest * amounts.overlap
    return amounts.members * ceil(answers / amounts.members / part.batch.normal)


def _workers_for(part: RoundPart, amounts: Amounts, *, gates: bool) -> int:
    if amounts.members:
        return amounts.members
    limit = part.max_batches or (1 if gates else amounts.most_batches)
    apart = amounts.overlap * amounts.of_one_source
    return max(apart, ceil(_batches(part, amounts) / limit))


def _round_cost(part: RoundPart, amounts: Amounts, everybody: int, *, gates: bool) -> RoundCost:
    asks = _asks_all(part)
    batches = _batches(part, amounts) if asks else everybody * (part.max_batches or 1)
    most = part.pay.base + part.pay.bonus
    hourly = _hourly(most if part.pass_ is None else part.pay.base, part.expected_minutes)
    return RoundCost(
        name=part.name,
        batches=batches,
        workers=_workers_for(part, amounts, gates=gates) if asks else everybody,
        base=batches * part.pay.base,
        bonus=batches * part.pay.bonus,
        hourly=hourly,
        hourly_with_bonus=_hourly(most, part.expected_minutes),
        too_little=hourly is not None and amounts.minimum is not None and hourly < amounts.minimum,
    )


def _hourly(pay: Decimal, minutes: int | None) -> Decimal | None:
    return cents(pay * 60 / minutes) if minutes else None


class Asked(NamedTuple):
    """What a study asks about: its units, those of the source that has most, and its sources."""

    units: int = 0
    of_one_source: int = 0
    sources: int = 0


def units_asked_about(study: Study) -> Asked:
    """The normal units of the study's setting that no control was made of."""
    units = study.units.normal_pool().filter(role=Unit.Role.NORMAL)
    if study.setting:
        units = units.filter(subsets__name=study.setting)
    by_source = units.order_by().values("source").annotate(n=Count("pk", distinct=True))
    found = by_source.aggregate(units=Sum("n"), of_one_source=Max("n"), sources=Count("source"))
    return Asked(**{name: n or 0 for name, n in found.items()})
