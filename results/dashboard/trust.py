"""Whether people's answers can be trusted: their agreement, and each worker's quality."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.rater_names import BETWEEN
from estimates.catalogue import Table, alpha_of, metric
from estimates.catalogue.reliability import COMPONENT, RATERS_PER_UNIT
from estimates.data.groups import CRITERION
from estimates.data.rows import Row
from results.dashboard import overview
from results.dashboard.groups import agreement_by_own_columns
from results.dashboard.levels import levels, people_by_level
from results.dashboard.outliers import unusual_raters
from results.dashboard.panels import Drawing, Page, Panel, Picked, Section, SectionPart, Tab
from results.dashboard.tables import (
    FacetTable,
    Tables,
    of_crowds,
    of_raters,
    panels_of,
    people_pairs,
    with_cautions,
)
from results.reading.bounds import defined
from results.reading.rows import CROWDS, is_pair, with_crowd
from tasktypes.facets import Facet

# So many raters and more are compared in a figure of their quality.
FEWEST_COMPARED = 5
# Pairs that are warned of one by one.
MOST_WARNINGS = 3


def section(page: Page) -> Section:
    """Agreement of all facets first, then facet by facet."""
    return Section(
        key="trust",
        title=_("Can the humans be trusted?"),
        lead=_(
            "How far people agree with each other, beside judges and simulated raters; the "
            "quality of each person’s answers; and whether agreement settles as answers come "
            "in."
        ),
        parts=[overview.agreement(page), *(_of_facet(page, facet) for facet in page.facets)],
        tab=Tab.PEOPLE,
    )


def _of_facet(page: Page, facet: Facet) -> SectionPart:
    panels, drawings = panels_of(TABLES, page, facet), _drawings(page, facet)
    return SectionPart(f"trust-{facet.name}", facet.title, panels, drawings, crowded=page.crowded)


def _by_system(page: Page, facet: Facet) -> list[Panel]:
    picked = page.pick(facet.name, {alpha_of(facet.distance)}, by=["system"])
    picked = picked.where(lambda row: not is_pair(row) or with_crowd(row))
    if len({row.group["system"] for row in picked.rows}) < 2 and "system" not in page.choice.group:
        return []
    title = _("Krippendorff’s α by system")
    return page.panel(f"among-systems-{facet.name}", title, picked, page.by_key("system"))


def _controls(page: Page, facet: Facet) -> list[Panel]:
    """People together beside judges; the round is the only part that controls have."""
    by_round = {"round": page.choice.round} if page.choice.round else {}
    metrics = page.metrics(facet.name, Table.CONTROLS)
    rows = page.rows_of(facet.name).where(metrics, page.parties, group=by_round)
    title = _(
        "Right answers to control questions, whose answer was known. They enter no other number"
    )
    shown = Picked(rows, whole=bool(page.choice.group) and not by_round)
    key = f"{Table.CONTROLS}-{facet.name}"
    panels = page.panel(key, title, shown, page.by_party())
    return [replace(panel, tab=Tab.QUALITY) for panel in [*panels, *_by_criterion(page, facet)]]


def _by_criterion(page: Page, facet: Facet) -> list[Panel]:
    """The same criterion by criterion: a control is right where all of them are."""
    metrics = page.metrics(facet.name, Table.CONTROLS)
    rows = page.rows_of(facet.name).where(metrics, page.parties, by=[CRITERION])
    titles = {each.name: each.title for each in page.all_facets}
    layout = replace(
        page.by_key(CRITERION), line_title=lambda name: titles.get(name, name), counted=True
    )
    title = _("Right answers to control questions by criterion")
    key = f"{Table.CONTROLS}-criteria-{facet.name}"
    return page.panel(key, title, Picked(rows, bool(page.choice.group)), layout)


def _quality(page: Page, facet: Facet) -> list[Panel]:
    """Every person, then every judge; who departs from the others is flagged."""
    rows = page.pick_whole(facet.name, page.metrics(facet.name, Table.QUALITY)).rows
    people = [row for row in of_raters(page, rows) if row.raters not in page.parties]
    return FacetTable(
        Table.QUALITY,
        _("Quality of every rater’s answers"),
        of_raters,
        lambda page: replace(page.by_party(), flags=unusual_raters(people)),
        whole=True,
        tab=Tab.QUALITY,
    )(page, facet)


def _copied(_page: Page, rows: Sequence[Row]) -> list[str]:
    """One warning for each pair, or how many pairs there are."""
    if len(rows) > MOST_WARNINGS:
        pairs = _(
            "%(n)d pairs of people gave the same answers to all questions they share: copied?"
        )
        return [pairs % {"n": len(rows)}]
    words = _("%(first)s and %(second)s gave the same %(n)d answers: copied?")
    return [
        words % {"first": first, "second": second, "n": row.estimate.n_units}
        for row in rows
        for first, _between, second in [row.raters.partition(BETWEEN)]
    ]


TABLES: tuple[Tables, ...] = (
    FacetTable(
        Table.COPIES,
        gettext_lazy("People who gave the same answers"),
        words=_copied,
        whole=True,
        warning=True,
    ),
    FacetTable(
        Table.AMONG,
        gettext_lazy("Agreement among raters of one kind"),
        of_crowds,
        words=with_cautions,
    ),
    _by_system,
    agreement_by_own_columns,
    FacetTable(
        Table.BETWEEN,
        gettext_lazy("Agreement of every two people"),
        people_pairs,
        key="people",
    ),
    FacetTable(
        Table.CORRELATION,
        gettext_lazy("Correlation of every two people"),
        people_by_level,
        levels,
        with_cautions,
        key="people-correlation",
    ),
    FacetTable(
        Table.VARIANCE,
        gettext_lazy("Where ratings differ: share of the variance"),
        of_crowds,
        lambda page: page.by_key(COMPONENT),
        by=[COMPONENT],
    ),
    FacetTable(
        Table.DECISION,
        gettext_lazy("How many raters a text needs: reliability of their mean"),
        of_crowds,
        lambda page: page.by_key(RATERS_PER_UNIT),
        by=[RATERS_PER_UNIT],
    ),
    FacetTable(
        Table.SEVERITY,
        gettext_lazy("Severity of each person, in points of the scale"),
        of_raters,
        whole=True,
        tab=Tab.QUALITY,
    ),
    _quality,
    _controls,
)


def _drawings(page: Page, facet: Facet) -> list[Drawing]:
    """Figures of agreement, only where at least two raters have answered."""
    alpha = alpha_of(facet.distance)
    compared = page.rows_of(facet.name).where(alpha, group={})
    crowds = [row for row in compared if row.raters in CROWDS and defined(row.estimate)]
    drawings = []
    if any(row.estimate.n_raters for row in compared):
        everyone = page.drawing("heat", facet)
        beside = any(page.has_judge(row) and defined(row.estimate) for row in compared)
        drawings.append(replace(everyone, tabs=[Tab.JUDGES] if beside else []))
    if crowds:
        people = page.drawing("heat", facet, crowd=crowds[0].raters)
        drawings.append(replace(people, everywhere=False))
        if page.comes_in:
            drawings.append(page.drawing("time", facet))
    quality = [
        row for row in page.rows_of(facet.name) if Table.QUALITY in metric(row.metric).tables
    ]
    if len({row.raters for row in quality}) >= FEWEST_COMPARED:
        workers = page.drawing("workers", facet)
        drawings.append(replace(workers, tabs=[Tab.QUALITY], everywhere=False))
    return drawings
