"""Scores on workers' own scales, and their effect on the order of systems."""

from django.utils.translation import gettext as _

from estimates.catalogue import Table
from estimates.catalogue.scores import MEAN
from results.dashboard.panels import Page, Panel, Picked
from results.reading.rows import CROWDS
from results.reading.titles import key_title, metric_title, party_title
from results.reading.wording import uncapitalised
from results.tables.grids import Layout
from tasktypes.facets import Facet


def calibrated(page: Page, facet: Facet) -> list[Panel]:
    """Each worker on a scale of their own, and whether that changes the order of systems."""
    metrics = page.metrics(facet.name, Table.CALIBRATED)
    others = [name for name in metrics if name != MEAN]
    other_scales = page.pick(facet.name, others, by=["system"])
    # Of one part, or of the whole study, but never one of each.
    pick = page.pick_whole if other_scales.whole else page.pick
    picked = pick(facet.name, metrics, by=["system"])
    parties = {row.raters for row in picked.rows if row.metric != MEAN}
    rows = [row for row in picked.rows if row.raters in parties and row.raters in CROWDS]
    rows.sort(key=lambda row: metrics.index(row.metric))
    if all(row.metric == MEAN for row in rows):
        return []
    layout = Layout(
        line=lambda row: row.group["system"],
        column=lambda row: f"{row.raters}|{row.metric}",
        column_title=party_and_metric,
        corner=key_title("system"),
    )
    title = _("Scores corrected for each worker’s own scale")
    shown = Picked(page.in_order(rows, CROWDS), picked.whole)
    key = f"{Table.CALIBRATED}-{facet.name}"
    return page.panel(key, title, shown, layout, _orders(page, facet))


def _orders(page: Page, facet: Facet) -> list[str]:
    """How the other scales change the order, in words."""
    rows = page.pick(facet.name, page.metrics(facet.name, Table.ORDERS)).rows
    return [
        _("%(who)s, %(what)s: τ with the order by plain means is %(tau).3f%(same)s.")
        % {
            "who": party_title(row.raters),
            "what": uncapitalised(metric_title(row.metric)),
            "tau": row.estimate.value,
            "same": _(", the same order") if row.estimate.value == 1 else "",
        }
        for row in rows
        if row.estimate.value is not None
    ]


def party_and_metric(name: str) -> str:
    """The head of a column `party|metric`."""
    party, _bar, metric = name.partition("|")
    return f"{party_title(party)}: {metric_title(metric)}"
