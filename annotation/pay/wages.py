"""Hourly pay of workers, from pay and time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import median, quantiles

from django.db.models import Q, Sum

from annotation.models import LedgerRow, Study
from annotation.work.batch_times import TimeSpent, times_spent
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
    times = {spent.participation: spent for spent in times_spent(study)}
    # Rows without a batch: adjustments, and what a screen-out pays beyond its batches.
    of_work = Q(assignment__state="submitted") | Q(assignment=None)
    rows = LedgerRow.objects.filter(of_work, participation__study=study)
    sums = rows.values("currency", "participation").annotate(total=Sum("amount")).order_by()
    paid: dict[str, dict[int, Decimal]] = {}
    for currency, participation, total in sums.values_list("currency", "participation", "total"):
        paid.setdefault(currency, {})[participation] = cents(total)
    pays = [_in_currency(study, currency, paid[currency], times) for currency in sorted(paid)]
    return [pay for pay in pays if pay is not None]


def _in_currency(
    study: Study, currency: str, paid: Mapping[int, Decimal], times: Mapping[int, TimeSpent]
) -> HourlyPay | None:
    spent = [times[worker] for worker in paid if worker in times and _exactly(times[worker])]
    if not spent:
        return None
    hourly = [paid[time.participation] * HOUR / _exactly(time) for time in spent]
    return HourlyPay(
        currency=currency,
        workers=len(hourly),
        median=cents(median(hourly)),
        tenth=cents(lowest_tenth(hourly)),
        batches=sum(time.batches for time in spent),
        measured=sum(time.measured for time in spent),
        minimum=study.minimum_hourly_pay,
    )


def _exactly(spent: TimeSpent) -> Decimal:
    """Seconds, to the thousandth."""
    return Decimal(f"{spent.seconds:.3f}")


def lowest_tenth(values: Sequence[Decimal]) -> Decimal:
    """The value below which a tenth of them lie, interpolated (Hyndman and Fan 7)."""
    if len(values) == 1:  # of which `quantiles` makes nothing before Python 3.13
        return values[0]
    return quantiles(values, n=10, method="inclusive")[0]
