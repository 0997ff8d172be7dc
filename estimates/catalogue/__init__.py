"""The metrics of a report: name, title, which way is better, and where the page shows it.

Pages, files, conclusions and the documentation all read metrics from here. To add one, write
its entry in a module of this package and the function that computes it. What a task type measures
is described in the type's folder, and joins the catalogue from there.
"""

from collections.abc import Collection, Iterator
from typing import Any

from django.utils.translation import gettext as _

from agreement import DISTANCES
from estimates.catalogue.agreement import AGREEMENT, ALPHA
from estimates.catalogue.drift import DRIFT
from estimates.catalogue.effects import EFFECTS
from estimates.catalogue.judges import JUDGES
from estimates.catalogue.meta_evaluation import META_EVALUATION
from estimates.catalogue.metric import BY_SYSTEM, Metric, Table
from estimates.catalogue.reliability import RELIABILITY
from estimates.catalogue.scorecard import SCORECARD
from estimates.catalogue.scores import EVIDENCE, SCORES
from estimates.catalogue.systems import SYSTEMS
from tasktypes.contract import TaskType
from tasktypes.measures import Measure
from tasktypes.registry import TASK_TYPES

__all__ = [
    "METRICS",
    "Metric",
    "Table",
    "alpha_of",
    "every_metric",
    "first_headline",
    "metric",
    "place_of",
    "stands_apart",
]

# Where a report shows what a task type measures.
OF_MEASURES: tuple[Table, ...] = (Table.MEASURES, Table.DETECTION)
METRICS = {
    entry.name: entry
    for entry in (
        *AGREEMENT,
        *RELIABILITY,
        *JUDGES,
        *DRIFT,
        *SCORECARD,
        *META_EVALUATION,
        *SCORES,
        *SYSTEMS,
        *EFFECTS,
        *EVIDENCE,
    )
}
OF_ORDERS = "kendall"
DETECTION, TIED, UNDEFINED = "detection_", "_tied", "_undefined"
# Before a measure's name: what it says of the originals of altered items.
ORIGINAL = "original_"


def every_metric() -> Iterator[Metric]:
    """The whole catalogue in its order, then what each task type measures."""
    yield from METRICS.values()
    for kind in TASK_TYPES:
        yield from _item_metrics(kind)
        yield from (_of_measure(measure, kind.title) for measure in kind.measured)


def metric(name: str) -> Metric:
    """The metric of that name. One that the catalogue does not have, such as a published figure,
    has its name as its title."""
    if name in METRICS:
        return METRICS[name]
    for kind in TASK_TYPES:
        entry = _found_in(kind, name)
        if entry is not None:
            return entry
    return Metric(name, name.replace("_", " "), "", "", (Table.MEASURES,))


def place_of(name: str) -> int:
    """Where the metric stands in the catalogue; what a task type measures comes last."""
    return list(METRICS).index(name) if name in METRICS else len(METRICS)


def first_headline(names: Collection[str]) -> str:
    """Of these metrics the one that stands for the others; empty where none does."""
    return next((name for name, each in METRICS.items() if each.headline and name in names), "")


def stands_apart(name: str, distance: str) -> bool:
    """Whether a metric of a facet with that distance stands on the page of everything alone: of
    the coefficients α, the one with the facet's own distance is shown."""
    is_alpha = name.startswith(ALPHA) and name.removeprefix(ALPHA) in DISTANCES
    other = is_alpha and name not in (alpha_of(distance), alpha_of(OF_ORDERS))
    return other or metric(name).everything


def alpha_of(distance: str) -> str:
    """The name of Krippendorff's α with that distance."""
    return f"{ALPHA}{distance}"


def _found_in(kind: TaskType[Any, Any, Any], name: str) -> Metric | None:
    measured = name.removeprefix(ORIGINAL).removeprefix(DETECTION)
    measured = measured.removesuffix(TIED).removesuffix(UNDEFINED)
    for measure in kind.measured:
        if measure.name == name:
            return _of_measure(measure, kind.title)
        if measure.name == measured:
            return _derived(measure, name, kind.title)
    return next((each for each in _item_metrics(kind) if each.name == name), None)


def _item_metrics(kind: TaskType[Any, Any, Any]) -> Iterator[Metric]:
    for each in kind.item_metrics:
        yield Metric(each.name, each.title, kind.title, each.description, BY_SYSTEM, each.better)


def _of_measure(measure: Measure, of: str) -> Metric:
    description = f"{measure.description}. Undefined: {measure.undefined}"
    return Metric(measure.name, measure.title, of, description, OF_MEASURES, measure.better)


def _derived(measure: Measure, name: str, of: str) -> Metric:
    """What a report says of a measure besides its mean."""
    tables = OF_MEASURES
    if name.endswith(UNDEFINED):
        tables = (Table.MEASURES,)
        title, description = _("%(measure)s: undefined"), "Share of answers without a value"
    elif name.endswith(TIED):
        title = _("%(measure)s: equal to the original")
        description = "Share of altered items whose value equals that of the original"
    elif name.startswith(ORIGINAL):
        title = _("%(measure)s: false alarms") if measure.flag else _("%(measure)s: originals")
        description = (
            "Share of the originals of altered items that it finds fault with"
            if measure.flag
            else "Mean of the originals of altered items"
        )
    else:
        title = _("%(measure)s: altered items found")
        description = "Share of altered items that the measure finds fault with"
    return Metric(name, title % {"measure": measure.title}, of, description, tables)
