"""Alerts about a study's budget."""

from decimal import Decimal

from alerts.watched import Watched
from annotation.pay.spending import currency_of, spent_and_promised

PAUSED = " The study is paused."


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
