"""Raters whose quality departs from that of the others: a reason to look, not a verdict."""

from collections.abc import Sequence

import numpy as np
from django.utils.translation import gettext as _

from estimates.catalogue import metric
from estimates.data.rows import Row
from results.reading.rows import RowIndex
from results.reading.titles import metric_title

# Of fewer raters nobody is told apart; beyond so many quartile ranges somebody is (Tukey 1977).
FEWEST, FENCE = 8, 1.5


def unusual_raters(rows: Sequence[Row]) -> dict[str, str]:
    """Rater -> which of their figures are on the worse side of Tukey's fence: 1.5 times the
    distance between the quartiles beyond the nearer of them."""
    names: dict[str, list[str]] = {}
    index = RowIndex(rows)
    for name in dict.fromkeys(row.metric for row in rows):
        for rater in _beyond(index.where(name), metric(name).better):
            names.setdefault(rater, []).append(_short(name))
    return {
        rater: _("unusual: %(what)s") % {"what": ", ".join(what)} for rater, what in names.items()
    }


def _short(name: str) -> str:
    return metric_title(name).partition(" (")[0].lower()


def _beyond(rows: Sequence[Row], better: str) -> list[str]:
    values = {row.raters: row.estimate.value for row in rows if row.estimate.value is not None}
    if len(values) < FEWEST or not better:
        return []
    lower, upper = np.quantile(list(values.values()), [0.25, 0.75])
    beyond = FENCE * (upper - lower)
    if better == "higher":
        return [rater for rater, value in values.items() if value < lower - beyond]
    return [rater for rater, value in values.items() if value > upper + beyond]
