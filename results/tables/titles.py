"""Names and numbers of a report as a page shows them."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement import Estimate
from estimates.catalogue import COMPONENT, RATERS_PER_UNIT, metric
from estimates.data.options import Options
from estimates.data.parties import HUMANS, SIMULATED
from estimates.data.rows import Group
from tasktypes.facets import Facet

LEAST_P = 0.001
# Numbers of this size are read without three decimals.
LONG = 10
# What intervals speak of, where that is not as by default.
INTERVALS = {
    "sources": gettext_lazy("intervals of these raters only"),
    "sources_and_raters": gettext_lazy("intervals of agreement for other raters too"),
}
KEYS = {
    "system": gettext_lazy("System"),
    "evidence_source": gettext_lazy("Evidence chosen by"),
    "setting": gettext_lazy("Subset"),
    "label": gettext_lazy("Verdict"),
    "condition": gettext_lazy("Condition"),
    "family": gettext_lazy("Family"),
    "round": gettext_lazy("Round"),
    "judge": gettext_lazy("Judge"),
    "attribution": gettext_lazy("Citations recovered"),
    "study": gettext_lazy("Study"),
    "units": gettext_lazy("Units"),
    "score_facet": gettext_lazy("Scores in"),
    "length": gettext_lazy("Length"),
    COMPONENT: gettext_lazy("Part of the variance"),
    RATERS_PER_UNIT: gettext_lazy("Raters per unit"),
}


def metric_title(name: str, facet: Facet | None = None) -> str:
    """The metric's name on a page; of a facet's labels, with the label that it is the share of."""
    entry = metric(name)
    if facet is not None and facet.labels and entry.of_label:
        return str(entry.of_label) % {"label": facet.labels[0]}
    return str(entry.title)


def key_title(name: str) -> str:
    """The name of what something is grouped by."""
    return str(KEYS.get(name, name.replace("_", " ")))


def party_title(name: str) -> str:
    """The name of a party or pair on a page. Simulated raters are called so wherever they are."""
    spoken = {HUMANS: _("Humans"), SIMULATED: _("Simulated raters")}
    first, _tilde, second = name.rpartition("~")
    if not first:
        return spoken.get(name, name)
    with_whom = {HUMANS: _("humans"), SIMULATED: _("simulated raters")}.get(first, first)
    return _("%(judge)s with %(others)s") % {"judge": second, "others": with_whom}


def group_text(group: Group) -> str:
    """The part of the study, such as "System: Alder, Subset: full"; empty for the whole."""
    return ", ".join(f"{key_title(key)}: {name}" for key, name in group.items())


def options_text(options: Options) -> str:
    """Which answers count, where these are not the default ones; else empty."""
    parts = [
        _("only %(name)s and judges") % {"name": options.only} if options.only else "",
        _("without %(name)s") % {"name": options.without} if options.without else "",
        _("excluded answers count") if options.excluded else "",
        str(INTERVALS.get(options.resample, "")),
    ]
    return ", ".join(filter(None, parts))


def number_text(value: float, like: float | None = None, decimals: int | None = None) -> str:
    """Three decimals for what lies around 1, one for ratings on a long scale; `like` says which
    of the two where one number goes with another. decimals: where a column has settled them."""
    if decimals is None:
        decimals = decimals_for([value if like is None else like])
    return f"{value:.{decimals}f}".replace("-", "−")


def decimals_for(values: Sequence[float]) -> int:
    """How many decimals all numbers of a column get: one where some are 10 or more, two where
    others of these are below 1."""
    sizes = [abs(value) for value in values if value]
    if max(sizes, default=0.0) < LONG:
        return 3
    return 1 if min(sizes) >= 1 else 2


def value_text(name: str, value: float, decimals: int | None = None) -> str:
    """A metric's figure as text: a p value too small for three decimals is not 0."""
    if metric(name).kind == "p" and value < LEAST_P:
        return f"< {LEAST_P}"
    return number_text(value, decimals=decimals)


def size_text(estimate: Estimate) -> str:
    """How many units, items or systems the figure is over; empty where that has no meaning."""
    return "" if estimate.n_units is None else f"n = {estimate.n_units}"


def no_interval_text(estimate: Estimate) -> str:
    """Why a figure that could have bounds has none; else empty."""
    _method, none, reason = (estimate.interval_method or "").partition("none: ")
    if not none or interval_text(estimate):
        return ""
    return _("no interval: %(reason)s") % {"reason": reason}


def interval_text(estimate: Estimate, decimals: int | None = None) -> str:
    """The bounds, empty where there are none."""
    if estimate.low is None or estimate.high is None:
        return ""
    bounds = (estimate.low, estimate.high)
    low, high = (number_text(bound, estimate.value, decimals) for bound in bounds)
    return f"{low} to {high}"
