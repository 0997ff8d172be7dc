"""What studies have cost: people by the ledger, judges by their runs, writing by its own rows."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Q, Sum

from annotation.models import LedgerRow, Study
from annotation.pay.spending import currency_of, spent_and_promised
from annotation.work.ledger import cents
from generators.models import WritingCost
from imports.study_file.alert_parts import BudgetPart
from judges.models import JudgeRun

USD = "USD"


@dataclass(frozen=True)
class Sums:
    """Amounts in one currency. paid: what was in a file for the panel, or is paid by the panel
    itself; owed: the rest of what people have earned; judges: what their calls cost; writing: what
    models cost that wrote texts and lists."""

    currency: str
    paid: Decimal = Decimal("0.00")
    owed: Decimal = Decimal("0.00")
    judges: Decimal = Decimal("0.00")
    writing: Decimal = Decimal("0.00")

    @property
    def spent(self) -> Decimal:
        """What is committed: paid, owed and used up by models."""
        return self.paid + self.owed + self.judges + self.writing


def money_of(studies: Collection[int]) -> Mapping[int, list[Sums]]:
    """The sums of each of these studies, one entry per currency; three queries."""
    by_study: dict[int, dict[str, dict[str, Decimal]]] = defaultdict(lambda: defaultdict(dict))
    for row in _ledger(studies):
        sums = by_study[row["participation__study"]][row["currency"]]
        sums["owed"] = cents(row["open"])
        sums["paid"] = cents(row["total"]) - sums["owed"]
    for study, spent in _runs(studies):
        if spent:
            by_study[study][USD]["judges"] = cents(spent)
    costs = WritingCost.objects.filter(study__in=studies).values_list("study")
    for study, usd in costs.annotate(total=Sum("usd")):
        by_study[study][USD]["writing"] = cents(usd)
    return {
        study: [Sums(currency, **sums) for currency, sums in sorted(by_currency.items())]
        for study, by_currency in by_study.items()
    }


def _ledger(studies: Collection[int]) -> Collection[dict[str, Any]]:
    ledger = LedgerRow.objects.filter(participation__study__in=studies)
    grouped = ledger.order_by().values("participation__study", "currency")
    unpaid = Sum("amount", filter=Q(exported_at__isnull=True))
    return [{**row} for row in grouped.annotate(total=Sum("amount"), open=unpaid)]


def _runs(studies: Collection[int]) -> Collection[tuple[int, Decimal]]:
    runs = JudgeRun.objects.filter(study__in=studies).order_by()
    return runs.values_list("study").annotate(total=Sum("spent"))


@dataclass(frozen=True)
class Budget:
    """What a study may cost, and how much of that is committed."""

    amount: Decimal
    currency: str
    spent: Decimal

    @property
    def percent(self) -> int:
        """0 to 100, also where it is overdrawn."""
        return min(100, int(100 * self.spent / self.amount)) if self.amount else 0

    @property
    def is_overdrawn(self) -> bool:
        return self.spent > self.amount


def budget_of(study: Study) -> Budget | None:
    """The budget of the study file, if it names one, and what its alerts count against it: what
    people have earned or would earn by open batches, and judges where the study pays in USD."""
    if not study.budget:
        return None
    amount = BudgetPart.model_validate(study.budget).amount
    return Budget(amount, currency_of(study), spent_and_promised(study))
