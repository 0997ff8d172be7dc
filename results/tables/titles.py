"""Names and numbers of a report as a page shows them."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement import Estimate
from results.data.options import BOTH, Options
from results.data.parties import HUMANS, SIMULATED
from results.data.rows import Group
from results.metrics.catalogue import metric

LEAST_P = 0.001
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
}


def metric_title(name: str) -> str:
    """The metric's name on a page."""
    return str(metric(name).title)


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
        _("intervals of these raters only") if options.resample != BOTH else "",
    ]
    return ", ".join(filter(None, parts))


def number_text(value: float, like: float | None = None) -> str:
    """Three decimals for what lies around 1, one for ratings on a long scale; `like` says which
    of the two where one number goes with another."""
    size = abs(value if like is None else like)
    text = f"{value:.1f}" if size >= 10 else f"{value:.3f}"
    return text.replace("-", "−")


def value_text(name: str, value: float) -> str:
    """A metric's figure as text: a p value too small for three decimals is not 0."""
    if metric(name).kind == "p" and value < LEAST_P:
        return f"< {LEAST_P}"
    return number_text(value)


def size_text(estimate: Estimate) -> str:
    """How many units, items or systems the figure is over; empty where that has no meaning."""
    return "" if estimate.n_units is None else f"n = {estimate.n_units}"


def no_interval_text(estimate: Estimate) -> str:
    """Why a figure that could have bounds has none; else empty."""
    _method, none, reason = (estimate.interval_method or "").partition("none: ")
    if not none or interval_text(estimate):
        return ""
    return _("no interval: %(reason)s") % {"reason": reason}


def interval_text(estimate: Estimate) -> str:
    """The bounds, empty where there are none."""
    if estimate.low is None or estimate.high is None:
        return ""
    low, high = (number_text(bound, estimate.value) for bound in (estimate.low, estimate.high))
    return f"{low} to {high}"
