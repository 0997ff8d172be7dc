"""The orders of the list of workers' records."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.models import Participation, Study
from desk.people.workers.newest import NewestFigures, newest_figures
from desk.worker_records import beside_judges
from desk.worker_records.record import Figures, problems_reported, submitted_each
from estimates.catalogue import metric
from estimates.catalogue.agreement import WITH_OTHERS


@dataclass(frozen=True)
class Order:
    """A column to sort by. `value`: what it sorts by where that rests on answers.

    `falling`: the largest comes first.
    """

    name: str
    title: str | Promise
    value: Callable[[Figures], float | None] | None = None
    falling: bool = False


def _pace(figures: Figures) -> float | None:
    return None if figures.pace is None else figures.pace.seconds


def _agreement(figures: Figures) -> float | None:
    return None if figures.least_agreement is None else figures.least_agreement[1]


def _signs(figures: Figures) -> float:
    return len(figures.signs)


def _longest(figures: Figures) -> float | None:
    return None if figures.longest_run is None else figures.longest_run.longest


ORDERS = (
    Order("worker", _("Worker")),
    Order("batches", _("Batches"), falling=True),
    Order("controls", _("Controls right"), lambda figures: figures.controls.share),
    Order("agreement", metric(WITH_OTHERS).title, _agreement),
    Order("judges", _("Similarity to a judge (possible copying)"), falling=True),
    Order("signs", _("Reasons to look"), _signs, falling=True),
    Order("time", _("Seconds per question"), _pace),
    Order("run", _("Longest run"), _longest, falling=True),
    Order("problems", _("Problems reported"), falling=True),
)
BY_NAME = {order.name: order for order in ORDERS}


def in_order(study: Study, name: str, judge: str = "") -> tuple[list[int], NewestFigures | None]:
    """The keys of all participations, and their figures where there are any. Those without a value
    come last, equals by number. judge: the one that people are compared with, where that is the
    order."""
    rows = Participation.objects.filter(study=study).order_by("number")
    keys = list(rows.values_list("pk", flat=True))
    newest = newest_figures(study, keys)
    order = BY_NAME.get(name, ORDERS[0])
    if order.name == "worker":
        return keys, newest
    values = _values(study, order, keys, judge, newest)
    with_value = [key for key in keys if values.get(key) is not None]
    with_value.sort(key=lambda key: values[key] or 0, reverse=order.falling)
    return with_value + [key for key in keys if values.get(key) is None], newest


def _values(
    study: Study, order: Order, keys: list[int], judge: str, newest: NewestFigures | None
) -> Mapping[int, float | None]:
    if order.value is not None:
        figures = newest.figures if newest is not None else {}
        return {key: order.value(of) for key, of in figures.items()}
    if order.name == "judges":
        return beside_judges.excesses(study, keys, judge)
    return submitted_each(keys) if order.name == "batches" else problems_reported(keys)
