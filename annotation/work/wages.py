"""Hourly pay of workers, from pay and time."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import median, quantiles

from django.db.models import Q

from annotation.models import LedgerRow, Study
from annotation.work.batch_times import BatchTime, batch_times
from annotation.work.ledger import cents

HOUR = Decimal(3600)


@dataclass(frozen=True)
class HourlyPay:
    """The hourly pay of a study's workers in one currency.

    median, tenth (the lowest tenth): over workers, each with all pay divided by all time. Of the
    `batches` behind it, `measured` were timed with the page in view; the others from lease to
    submission, which includes breaks and so understates the pay.
    """

    currency: str
    workers: int
    median: Decimal
    tenth: Decimal
    batches: int
    measured: int
    minimum: Decimal | None

    @property
    def too_little(self) -> bool:
        """Whether at least half of the workers got less than the study's minimum."""
        return self.minimum is not None and self.median < self.minimum

    @property
    def too_little_for_some(self) -> bool:
        """Whether at least one worker in ten got less than the study's minimum."""
        return self.minimum is not None and self.tenth < self.minimum


def hourly_pay(study: Study) -> list[HourlyPay]:
    """From submitted batches, screen-outs and adjustments, one per currency; a study file has
    one alone. Two queries."""
    times: dict[int, list[BatchTime]] = defaultdict(list)
    for time in batch_times(study):
        times[time.participation].append(time)
    paid: dict[tuple[str, int], Decimal] = defaultdict(Decimal)
    # Rows without a batch: adjustments, and what a screen-out pays beyond its batches.
    of_work = Q(assignment__state="submitted") | Q(assignment=None)
    rows = LedgerRow.objects.filter(of_work, participation__study=study)
    for participation, currency, amount in rows.values_list("participation", "currency", "amount"):
        paid[currency, participation] += amount
    currencies = sorted({currency for currency, _ in paid})
    pays = [_in_currency(study, currency, paid, times) for currency in currencies]
    return [pay for pay in pays if pay is not None]


def _in_currency(
    study: Study,
    currency: str,
    paid: dict[tuple[str, int], Decimal],
    times: dict[int, list[BatchTime]],
) -> HourlyPay | None:
    workers = {
        participation: times[participation]
        for unit, participation in paid
        if unit == currency and _spent(times[participation])
    }
    if not workers:
        return None
    hourly = [
        paid[currency, participation] * HOUR / _spent(spent)
        for participation, spent in workers.items()
    ]
    batches = [time for spent in workers.values() for time in spent]
    return HourlyPay(
        currency=currency,
        workers=len(hourly),
        median=cents(median(hourly)),
        tenth=cents(lowest_tenth(hourly)),
        batches=len(batches),
        measured=sum(time.measured for time in batches),
        minimum=study.minimum_hourly_pay,
    )


def _spent(times: Sequence[BatchTime]) -> Decimal:
    """Seconds, to the thousandth."""
    return sum((Decimal(f"{time.seconds:.3f}") for time in times), Decimal())


def lowest_tenth(values: Sequence[Decimal]) -> Decimal:
    """The value below which a tenth of them lie, interpolated (Hyndman and Fan 7)."""
    if len(values) == 1:  # of which `quantiles` makes nothing before Python 3.13
        return values[0]
    return quantiles(values, n=10, method="inclusive")[0]
