"""Alerts about a study's budget."""

from decimal import Decimal

from django.db.models import F, Sum

from alerts.watched import Watched
from annotation.models import Assignment, LedgerRow, Study

ZERO = Decimal(0)
CENT = Decimal("0.01")
PAUSED = " The study is paused."
# Judges are paid in this currency.
JUDGES = "USD"


def currency_of(study: Study) -> str:
    """The currency that the study pays in."""
    rounds = list(
        study.rounds.order_by("position").values_list("currency", "base_pay", "bonus_pay")
    )
    paying = [currency for currency, base, bonus in rounds if base or bonus]
    return next(iter([*paying, *(currency for currency, *_ in rounds)]), JUDGES)


def spent_and_promised(study: Study) -> Decimal:
    """What people have earned, with what their open batches would earn at most and, where the
    study pays in USD, what judges have cost. Three queries."""
    currency = currency_of(study)
    earned = LedgerRow.objects.filter(participation__study=study, currency=currency)
    open_ = Assignment.objects.filter(
        participation__study=study,
        state__in=(Assignment.State.ACTIVE, Assignment.State.EXPIRED),
        currency=currency,
    )
    total = earned.aggregate(sum=Sum("amount"))["sum"] or ZERO
    total += open_.aggregate(sum=Sum(F("base_pay") + F("bonus_pay")))["sum"] or ZERO
    if currency == JUDGES:
        total += study.judge_runs.aggregate(sum=Sum("spent"))["sum"] or ZERO
    return Decimal(total).quantize(CENT)


def budget_nearly_spent(watched: Watched) -> str | None:
    """Much of the budget is spent, and not all of it."""
    budget = watched.budget
    if budget is None:
        return None
    spent = spent_and_promised(watched.study)
    if not Decimal(str(budget.warn_at)) * budget.amount <= spent < budget.amount:
        return None
    currency = currency_of(watched.study)
    return f"{spent} of {budget.amount} {currency} are spent or promised for open batches."


def budget_spent(watched: Watched) -> str | None:
    """The budget is spent."""
    budget = watched.budget
    if budget is None:
        return None
    spent = spent_and_promised(watched.study)
    if spent < budget.amount:
        return None
    currency = currency_of(watched.study)
    paused = PAUSED if budget.pause and watched.study.paused_at is not None else ""
    return f"{spent} of {budget.amount} {currency} are spent or promised for open batches.{paused}"
