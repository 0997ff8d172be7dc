"""Can the humans be trusted? Their agreement, and what each worker's answers are worth."""

from dataclasses import replace

from django.utils.translation import gettext as _

from results.dashboard.panels import (
    CROWDS,
    Drawing,
    Page,
    Panel,
    Part,
    Picked,
    Section,
    is_pair,
    with_crowd,
)
from results.data.parties import HUMANS
from results.data.rows import Row
from results.tables.grids import Layout
from results.tables.wording import party_title
from tasktypes.contract import Facet

QUALITY = (
    "control_accuracy",
    "agreement_with_others",
    "dawid_skene_accuracy",
    "worker_precision",
    "straight_lining",
    "median_seconds",
)
AMONG = ("raw_agreement", "fleiss_kappa", "gwet_ac1", "gwet_ac2", "kendall_w", "entropy")
ALPHA = "krippendorff_alpha_"


def section(page: Page) -> Section:
    """Agreement of all facets first, then facet by facet."""
    parts = [_overview(page), *(_of_facet(page, facet) for facet in page.facets)]
    return Section(
        key="trust",
        title=_("Can the humans be trusted?"),
        lead=_(
            "How far people agree among themselves, beside judges and simulated raters; what each "
            "person’s answers are worth; and whether agreement settles as answers come in."
        ),
        parts=[part for part in parts if part.panels or part.drawings or part.silence],
    )


def _overview(page: Page) -> Part:
    """One figure per facet: α in the facet's own distance."""
    rows: list[Row] = []
    whole = False
    for facet in page.facets:
        picked = page.pick(facet.name, {f"{ALPHA}{facet.distance}"})
        named = [row.raters for row in picked.rows if not is_pair(row) or with_crowd(row)]
        rows += page.in_order(picked.rows, sorted(set(named), key=_crowds_first))
        whole = whole or (picked.whole and bool(picked.rows))
    titles = {facet.name: facet.title for facet in page.facets}
    layout = Layout(
        line=lambda row: row.facet,
        column=lambda row: row.raters,
        line_title=lambda name: titles.get(name, name),
        column_title=party_title,
        corner=_("Criterion"),
    )
    title = _("Krippendorff’s α by criterion, each in its own distance")
    panels = []
    if len(page.facets) > 1 and rows:
        panels = [Panel("trust", layout.grid(rows, title, page.url), whole=whole)]
    return Part("trust-all", _("All criteria"), panels)


def _crowds_first(name: str) -> tuple[bool, bool, str]:
    return "~" in name, not name.startswith(HUMANS), name


def _of_facet(page: Page, facet: Facet) -> Part:
    panels = [
        *_among(page, facet),
        *_by_system(page, facet),
        *_quality(page, facet),
        *_controls(page, facet),
    ]
    drawings = _drawings(page, facet)
    return Part(f"trust-{facet.name}", facet.title, panels, drawings, crowded=page.crowded)


def _metrics(page: Page, facet: Facet) -> list[str]:
    """The facet's own distance first."""
    present = dict.fromkeys(row.metric for row in page.all_rows(facet.name))
    alphas = [name for name in present if name.startswith(ALPHA)]
    alphas.sort(key=lambda name: name != f"{ALPHA}{facet.distance}")
    return [*alphas, *(name for name in AMONG if name in present)]


def _among(page: Page, facet: Facet) -> list[Panel]:
    picked = page.pick(facet.name, set(_metrics(page, facet)))
    rows = page.in_order(picked.rows, CROWDS)
    layout = replace(page.by_party(), columns=_metrics(page, facet))
    has_entropy = any(row.metric == "entropy" for row in rows)
    words = [_("Entropy of choices is disagreement: 0 where everybody chose the same.")]
    title = _("Agreement among raters of one kind")
    shown = Picked(rows, picked.whole)
    return page.panel(f"among-{facet.name}", title, shown, layout, words if has_entropy else ())


def _by_system(page: Page, facet: Facet) -> list[Panel]:
    picked = page.pick(facet.name, {f"{ALPHA}{facet.distance}"}, by=["system"])
    picked = picked.where(lambda row: not is_pair(row) or with_crowd(row))
    title = _("Krippendorff’s α by system")
    return page.panel(f"among-systems-{facet.name}", title, picked, page.by_key("system"))


def _quality(page: Page, facet: Facet) -> list[Panel]:
    """Every person by name, then every judge."""
    rows = [
        row
        for row in page.all_rows(facet.name)
        if row.metric in QUALITY and not row.group and row.raters not in CROWDS
    ]
    rows.sort(key=lambda row: (row.raters in page.parties, row.raters))
    if not rows:
        return []
    layout = replace(page.by_party(), columns=QUALITY, counted=False)
    grid = layout.grid(rows, _("Quality of every rater’s answers"), page.url)
    return [Panel(f"quality-{facet.name}", grid, whole=bool(page.choice.group))]


def _controls(page: Page, facet: Facet) -> list[Panel]:
    """People together beside judges; the round is the only part that controls have."""
    by_round = {"round": page.choice.round} if page.choice.round else {}
    rows = [
        row
        for row in page.all_rows(facet.name)
        if row.metric == "control_accuracy" and row.group == by_round and row.raters in page.parties
    ]
    if not rows:
        return []
    title = _(
        "Right answers to control questions, whose answer was known. They enter no other number"
    )
    grid = page.by_party().grid(rows, title, page.url)
    return [Panel(f"controls-{facet.name}", grid, whole=bool(page.choice.group) and not by_round)]


def _drawings(page: Page, facet: Facet) -> list[Drawing]:
    """Only where somebody can agree with somebody."""
    alpha = f"{ALPHA}{facet.distance}"
    compared = [row for row in page.all_rows(facet.name) if row.metric == alpha and not row.group]
    kinds = []
    if any(row.estimate.n_raters for row in compared):
        kinds.append("heat")
    if any(row.raters in CROWDS and row.estimate.value is not None for row in compared):
        kinds.append("time")
    return [page.drawing(kind, facet) for kind in kinds]
