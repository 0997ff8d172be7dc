"""Sums of a study's ledger, in total and by worker."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Sum

from annotation.models import LedgerRow, Participation, Study
from annotation.pay.payouts import Payout
from annotation.work.ledger import cents


@dataclass
class Totals:
    """Sums in one currency. filed: the part that has been in a file for the panel; left: the part
    that files still have to pay; the rest is paid by the panel itself."""

    currency: str
    base: Decimal = Decimal("0.00")
    bonus: Decimal = Decimal("0.00")
    adjustment: Decimal = Decimal("0.00")
    filed: Decimal = Decimal("0.00")
    left: Decimal = Decimal("0.00")

    @property
    def total(self) -> Decimal:
        return self.base + self.bonus + self.adjustment

    @property
    def by_panel(self) -> Decimal:
        return self.total - self.filed - self.left


@dataclass(frozen=True)
class WorkerTotals:
    """One worker's sums, one entry per currency."""

    participation: Participation
    totals: list[Totals] = field(default_factory=list)


def totals_of(study: Study) -> list[Totals]:
    """The whole study, one entry per currency; one query."""
    rows = _sums(LedgerRow.objects.filter(participation__study=study), "currency")
    by_currency: dict[str, Totals] = {}
    for row in rows:
        _add(by_currency.setdefault(row["currency"], Totals(row["currency"])), row)
    return list(by_currency.values())


def balances_of(study: Study, owed: Iterable[Payout]) -> list[Totals]:
    """The same, with what is left of it: `owed` holds that by panel and currency."""
    balances = totals_of(study)
    left: dict[str, Decimal] = defaultdict(Decimal)
    for payout in owed:
        left[payout.currency] += payout.left
    for sums in balances:
        sums.left = cents(left[sums.currency])
    return balances


def paid_people(study: Study) -> QuerySet[Participation]:
    """All workers with rows in the ledger, by number."""
    rows = LedgerRow.objects.filter(participation=OuterRef("pk"))
    return study.participations.filter(Exists(rows)).order_by("number")


def worker_totals(people: Sequence[Participation]) -> list[WorkerTotals]:
    """The sums of these workers, in their order; one query."""
    ledger = LedgerRow.objects.filter(participation__in=people)
    by_worker: dict[int, dict[str, Totals]] = defaultdict(dict)
    for row in _sums(ledger, "participation", "currency"):
        theirs = by_worker[row["participation"]]
        _add(theirs.setdefault(row["currency"], Totals(row["currency"])), row)
    return [WorkerTotals(person, list(by_worker[person.pk].values())) for person in people]


def _sums(ledger: QuerySet[LedgerRow], *keys: str) -> Iterable[dict[str, Any]]:
    grouped = ledger.values(*keys, "kind").annotate(
        total=Sum("amount"),
        filed=Sum(F("amount") - F("by_panel"), filter=Q(exported_at__isnull=False)),
    )
    rows: Iterable[dict[str, Any]] = grouped.order_by(*keys, "kind")
    return rows


def _add(totals: Totals, row: dict[str, Any]) -> None:
    setattr(totals, row["kind"], cents(row["total"]))
    totals.filed += cents(row["filed"])
