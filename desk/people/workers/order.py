"""The orders of the list of workers' records."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.models import Participation, Study
from desk.worker_records import accuracy, beside_judges, likeness, sameness, timing
from desk.worker_records.record import problems_reported, submitted_each

Figures = Mapping[int, float | None]


@dataclass(frozen=True)
class Order:
    """A column to sort by. `figures` reads it for all workers at once; None: their numbers.

    `falling`: the largest comes first.
    """

    name: str
    title: str | Promise
    figures: Callable[[Study, Collection[int]], Figures] | None = None
    falling: bool = False


def _submitted(_study: Study, keys: Collection[int]) -> Figures:
    return submitted_each(keys)


def _problems(_study: Study, keys: Collection[int]) -> Figures:
    return problems_reported(keys)


ORDERS = (
    Order("worker", _("Worker")),
    Order("batches", _("Batches"), _submitted, falling=True),
    Order("controls", _("Controls right"), accuracy.shares),
    Order("agreement", _("Agreement with others"), likeness.overalls),
    Order("judges", _("Closer to a judge than expected"), beside_judges.excesses, falling=True),
    Order("time", _("Seconds per question"), timing.seconds_each),
    Order("run", _("Longest run"), sameness.longest_runs, falling=True),
    Order("problems", _("Problems reported"), _problems, falling=True),
)
BY_NAME = {order.name: order for order in ORDERS}


def in_order(study: Study, name: str, judge: str = "") -> list[int]:
    """The keys of all participations. Those without the figure come last, equals by number.
    judge: the one that people are compared with, where that is the order."""
    rows = Participation.objects.filter(study=study).order_by("number")
    keys = list(rows.values_list("pk", flat=True))
    order = BY_NAME.get(name, ORDERS[0])
    if order.figures is None:
        return keys
    beside = order.figures is beside_judges.excesses
    figures = beside_judges.excesses(study, keys, judge) if beside else order.figures(study, keys)
    with_figure = [key for key in keys if figures.get(key) is not None]
    with_figure.sort(key=lambda key: figures[key] or 0, reverse=order.falling)
    return with_figure + [key for key in keys if figures.get(key) is None]
