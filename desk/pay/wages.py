"""What people really get for an hour of their time."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import median, quantiles

from django.db.models import Q

from annotation.models import LedgerRow, Study
from annotation.work.ledger import cents
from desk.workers.records.timing import BatchTime, batch_times

HOUR = Decimal(3600)


@dataclass(frozen=True)
class HourlyPay:
    """The hourly pay of a study's workers in one currency.

    median, tenth: over workers, each with all of their pay over all of their time. `measured`
    of the `batches` behind it were timed with the page in view; the others from lease to
    submission, which counts breaks too and so says less than people got.
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
        """Whether half of the workers or more got less than the study's minimum."""
        return self.minimum is not None and self.median < self.minimum

    @property
    def too_little_for_some(self) -> bool:
        """Whether one worker in ten or more got less than the study's minimum."""
        return self.minimum is not None and self.tenth < self.minimum


def hourly_pay(study: Study) -> list[HourlyPay]:
    """From submitted batches, screen-outs and adjustments, one per currency; a study file has
    one alone. Two queries."""
    times: dict[int, list[BatchTime]] = defaultdict(list)
    for time in batch_times(study):
        times[time.participation].append(time)
    paid: dict[tuple[str, int], Decimal] = defaultdict(Decimal)
    # What belongs to no batch: adjustments, and what a screen-out pays beyond its batches.
    of_work = Q(assignment__state="submitted") | Q(assignment=None)
    rows = LedgerRow.objects.filter(of_work, participation__study=study)
    for who, currency, amount in rows.values_list("participation", "currency", "amount"):
        paid[currency, who] += amount
    currencies = sorted({currency for currency, _ in paid})
    found = [_in_currency(study, currency, paid, times) for currency in currencies]
    return [one for one in found if one is not None]


def _in_currency(
    study: Study,
    currency: str,
    paid: dict[tuple[str, int], Decimal],
    times: dict[int, list[BatchTime]],
) -> HourlyPay | None:
    workers = {who: times[who] for unit, who in paid if unit == currency and _spent(times[who])}
    if not workers:
        return None
    hourly = [paid[currency, who] * HOUR / _spent(spent) for who, spent in workers.items()]
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
