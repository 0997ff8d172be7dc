"""What metrics, parties and parts of a study are called on pages."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.queries.group_keys import OWNERS, RATER
from estimates.catalogue import metric
from estimates.catalogue.reliability import COMPONENT, RATERS_PER_UNIT
from estimates.data.options import Options
from estimates.data.parties import HUMANS, SIMULATED
from estimates.data.rows import Group
from results.reading.wording import LEAST_P, number_text
from tasktypes.facets import Facet

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
    "criterion": gettext_lazy("Criterion"),
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
    """The name of what something is grouped by; of an own column its own name."""
    of, point, own = name.partition(".")
    if point and of in OWNERS:
        words = own.replace("_", " ")
        return _("%(property)s of raters") % {"property": words} if of == RATER else words
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


def value_text(name: str, value: float, decimals: int | None = None) -> str:
    """A metric's figure as text: a p value too small for three decimals is not 0."""
    if metric(name).kind == "p" and value < LEAST_P:
        return f"< {LEAST_P}"
    return number_text(value, decimals=decimals)
