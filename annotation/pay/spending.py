"""What a study has spent on people, judges, and models that wrote its texts."""

from decimal import Decimal

from django.db.models import F, Sum

from annotation.models import Assignment, LedgerRow, Study

ZERO = Decimal(0)
CENT = Decimal("0.01")
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
    study pays in USD, what models have cost. Four queries."""
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
        total += study.writing_costs.aggregate(sum=Sum("usd"))["sum"] or ZERO
    return Decimal(total).quantize(CENT)
