"""What a judge's calls cost: their records, as a bundle has them, and the price of an answer."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from annotation.models import Study
from judges.models import Call

BATCH = 2000
# Nothing came of these yet, or was to come.
UNASKED = (Call.Status.PLANNED, Call.Status.SKIPPED)


@dataclass(frozen=True)
class Paid:
    """The calls of one version in one block. usd: of all of them, None where no price is known;
    per_answer: of that, for each answer that was paid for, whatever failed on the way. An answer
    whose replies were all kept from earlier costs nothing, and is no answer that was paid for."""

    calls: int
    failed: int
    answers: int
    usd: Decimal | None
    per_answer: Decimal | None


def call_records(study: Study, **chosen: Any) -> Iterator[dict[str, Any]]:
    """A record for each call that ended, but those of probes and about the sealed half. chosen: a
    filter of calls."""
    calls = Call.objects.filter(run__study=study, run__probe_set=None, **chosen)
    calls = calls.exclude(status__in=UNASKED)
    rows = calls.unsealed().order_by("run", "pk").values_list(
        *("run__rater__name", "run__rater__version", "run", "question__unit__key"),
        *("question__block__key", "replicate", "status", "tokens_in", "tokens_out", "cost"),
    )  # fmt: skip
    numbers: dict[int, int] = {}
    for name, version, run, unit, block, replicate, status, *amounts in rows.iterator(BATCH):
        tokens_in, tokens_out, cost = amounts
        yield {
            "rater": name,
            "version": version,
            "run": numbers.setdefault(run, len(numbers)),
            "unit": unit,
            "block": block,
            "replicate": replicate,
            "status": status,
            "tokens_in": tokens_in,
            "tokens_out": tokens_out,
            "cost": None if cost is None else str(cost),
        }


def paid_for(records: Iterable[Mapping[str, Any]]) -> dict[tuple[str, int, str], Paid]:
    """By name, version and block."""
    found: dict[tuple[str, int, str], _Sum] = defaultdict(_Sum)
    for record in records:
        found[record["rater"], record["version"], record["block"]].add(record)
    return {key: each.paid for key, each in found.items()}


class _Sum:
    """Calls added up: by answer whether all calls worked, and what they cost."""

    def __init__(self) -> None:
        self.calls = self.failed = 0
        self.worked: dict[tuple[int, str, int], bool] = {}
        self.cost: dict[tuple[int, str, int], Decimal] = defaultdict(Decimal)
        self.is_priced = False

    def add(self, record: Mapping[str, Any]) -> None:
        answer = int(record["run"]), str(record["unit"]), int(record["replicate"])
        has_failed = Call.Status(record["status"]) in Call.FAILED
        self.calls += 1
        self.failed += has_failed
        self.worked[answer] = self.worked.get(answer, True) and not has_failed
        if record["cost"] is not None:
            self.is_priced = True
            self.cost[answer] += Decimal(record["cost"])

    @property
    def paid(self) -> Paid:
        worked = [answer for answer, has_worked in self.worked.items() if has_worked]
        bought = sum(1 for answer in worked if self.cost.get(answer))
        usd = sum(self.cost.values(), Decimal()) if self.is_priced else None
        per_answer = None
        if usd is not None and (bought or not usd):
            per_answer = usd / bought if bought else usd
        return Paid(self.calls, self.failed, len(worked), usd, per_answer)
