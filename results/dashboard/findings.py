"""What the study found, system by system: scores, ranks, tests, and scores on other scales."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from estimates.catalogue import Table, metric, place_of
from estimates.catalogue.scores import MEAN
from estimates.catalogue.systems import SHARED_SOURCES
from estimates.data.published import AGGREGATION as PUBLISHED
from estimates.data.rows import PER_ITEM, Row
from estimates.metrics.evidence import FACET as EVIDENCE
from estimates.metrics.systems.differences import OTHER
from results.dashboard import overview
from results.dashboard.groups import OTHER_KEYS, detection_by_condition, headlines_by_group
from results.dashboard.panels import Drawing, Page, Panel, Picked, Section, SectionPart, Tab
from results.dashboard.scales import calibrated, party_and_metric
from results.dashboard.tables import (
    FacetTable,
    Tables,
    by_system_and_party,
    means_of_parties,
    notes,
    of_parties,
    panels_of,
    system_and_party,
)
from results.reading.rows import CROWDS
from results.reading.titles import group_text, key_title, metric_title, party_title
from results.tables.grids import Layout
from tasktypes.facets import Facet
from tasktypes.pages.choices import Text

ATTRIBUTION = "attribution"
# What is drawn of every two systems: comparisons say the same as differences of their wins.
SQUARES = ((Table.HEADS, "wins"), (Table.PAIRS, "differences"))


def section(page: Page) -> Section:
    """The facets, then the evidence, then figures that others published."""
    facets = (_of_facet(page, facet) for facet in page.facets)
    parts = [overview.systems(page), *facets, _evidence(page), _published(page)]
    return Section(
        key="findings",
        title=_("What did the study find?"),
        lead=_("Systems compared, as people see them and as judges do."),
        parts=parts,
        tab=Tab.SYSTEMS,
    )


def _of_facet(page: Page, facet: Facet) -> SectionPart:
    panels = panels_of(TABLES, page, facet)
    reason = "" if panels else _missing_reason(page, facet)
    return SectionPart(
        f"findings-{facet.name}", facet.title, panels, _drawings(page, facet), reason
    )


def _missing_reason(page: Page, facet: Facet) -> str:
    """Why there is neither a table nor a figure. Judges alone do not give rows of every kind."""
    if any(row.estimate.n_ratings for row in page.rows_of(facet.name)):
        return ""
    if page.judges:
        return _("No figures: people have not answered this question.")
    return _("No figures: this question has no answers.")


def _side_by_side(page: Page, facet: Facet) -> list[Panel]:
    """A table by system for each metric, headline metrics first."""
    names = page.metrics(facet.name, Table.SYSTEMS)
    names.sort(key=lambda name: (not metric(name).headline, place_of(name)))
    return [panel for name in names for panel in _by_system(page, facet, name)]


def _by_system(page: Page, facet: Facet, name: str) -> list[Panel]:
    metrics = (name, *metric(name).beside)
    picked = page.pick(facet.name, metrics, by=["system"])
    rows = sorted(picked.rows, key=lambda row: (row.group["system"], metrics.index(row.metric)))
    rows = means_of_parties(page, rows)
    if all(row.metric != name for row in rows):
        return []
    layout = replace(page.by_key("system"), sd=True)
    if len(metrics) > 1:
        layout = replace(
            layout,
            column=lambda row: f"{row.raters}|{row.metric}",
            column_title=party_and_metric,
        )
    titled = metric_title(name, facet)
    title = _("%(metric)s by system, with 95 %% interval") % {"metric": titled}
    shown, key = Picked(rows, picked.whole), f"{Table.SYSTEMS}-{name}-{facet.name}"
    return page.panel(key, title, shown, layout, notes(page, rows))


def _systems_and_parties(page: Page, rows: Sequence[Row]) -> list[Row]:
    return sorted(means_of_parties(page, rows), key=system_and_party)


def _attribution(page: Page, facet: Facet) -> list[Panel]:
    """The means again, over only those texts whose citations could be recovered."""
    filtered = page.pick(facet.name, {MEAN}, by=["system", ATTRIBUTION])
    if not filtered.rows:
        return []
    # Of one part, or of the whole study, but never one of each.
    pick = page.pick_whole if filtered.whole else page.pick
    plain = pick(facet.name, {MEAN}, by=["system"])
    everyone = [
        row for row in plain.rows if row.raters in {narrowed.raters for narrowed in filtered.rows}
    ]
    rows = [*everyone, *filtered.rows]
    shown = page.in_order(rows, page.parties)
    layout = Layout(
        line=lambda row: row.group["system"],
        column=lambda row: f"{row.group.get(ATTRIBUTION, '')}|{row.raters}",
        column_title=_attribution_title,
        corner=key_title("system"),
    )
    title = _("Means with and without texts whose citations could not be recovered")
    words = [_("Filtered by each rater’s own recovery: all citations of a unit, or an F1 of 0.9.")]
    picked = Picked(shown, filtered.whole)
    return page.panel(f"attribution-{facet.name}", title, picked, layout, words)


def _attribution_title(name: str) -> str:
    which, _bar, party = name.partition("|")
    return f"{party_title(party)}, {which or _('all')}"


def _pairs_of_systems(_page: Page) -> Layout:
    """A row per pair of systems, a column per party and metric."""
    return Layout(
        line=lambda row: f"{row.group['system']} – {row.group[OTHER]}, {party_title(row.raters)}",
        corner=_("Systems"),
        counted=True,
    )


def _parties_first(page: Page, rows: Sequence[Row]) -> list[Row]:
    first = of_parties(page, rows)
    return first + [row for row in rows if row.raters not in page.parties]


def _of_pairs(table: Table, title: Text) -> FacetTable:
    by = ["system", OTHER]
    return FacetTable(table, title, _parties_first, _pairs_of_systems, by=by)


PAIRS = _of_pairs(
    Table.PAIRS, gettext_lazy("Which systems differ: first minus second on the same sources")
)


def _on_other_sources(page: Page, facet: Facet) -> bool:
    """Whether some systems were not rated on the same sources as the others."""
    return bool(page.rows_of(facet.name).where(SHARED_SOURCES, page.parties))


def _paired_first(page: Page, facet: Facet) -> list[Panel]:
    """Differences on the same sources come before means that are over different ones."""
    if not _on_other_sources(page, facet):
        return []
    words = [
        _(
            "The systems were not all rated on the same sources, so that their means compare "
            "different texts. These differences are over the sources that both were rated on."
        )
    ]
    first = replace(PAIRS, words=lambda page, rows: [*words, *notes(page, rows)])
    return first(page, facet)


def _paired_last(page: Page, facet: Facet) -> list[Panel]:
    return [] if _on_other_sources(page, facet) else PAIRS(page, facet)


TABLES: tuple[Tables, ...] = (
    _paired_first,
    FacetTable(
        Table.TOGETHER,
        gettext_lazy("Means over items, with standard deviation and 95 % interval"),
        means_of_parties,
    ),
    _side_by_side,
    _of_pairs(
        Table.HEADS,
        gettext_lazy("Who won against whom: comparisons of two systems with each other"),
    ),
    FacetTable(
        Table.MEASURES,
        gettext_lazy("Measures of this kind of question"),
        means_of_parties,
    ),
    FacetTable(
        Table.MEASURES,
        gettext_lazy("The same by system, with 95 % interval"),
        _systems_and_parties,
        by_system_and_party,
        by=["system"],
        key="measures-systems",
    ),
    detection_by_condition,
    headlines_by_group,
    _attribution,
    FacetTable(Table.OMNIBUS, gettext_lazy("Do the systems differ at all?"), of_parties),
    _paired_last,
    _of_pairs(
        Table.EFFECTS,
        gettext_lazy("How large the differences are: effect sizes of the same pairs"),
    ),
    _of_pairs(
        Table.UNPAIRED,
        gettext_lazy("Systems that share no source: first minus second on different inputs"),
    ),
    FacetTable(
        Table.PLACES,
        gettext_lazy("Significance clusters of systems, and the places that each may have"),
        _systems_and_parties,
        by_system_and_party,
        by=["system"],
    ),
    _of_pairs(
        Table.POWERED,
        gettext_lazy(
            "Differences from people’s and a judge’s answers combined (prediction-powered)"
        ),
    ),
    calibrated,
)


def _drawings(page: Page, facet: Facet) -> list[Drawing]:
    """Scales of their own need figures of their own: no axis has several of them."""
    kinds = []
    rows = page.rows_of(facet.name)
    scored = [row for row in rows if row.aggregation == PER_ITEM]
    headlines = [row for row in scored if metric(row.metric).headline]
    if any(row.estimate.value is not None for row in headlines):
        kinds.append("systems")
    if any(row.estimate.n_ratings for row in rows.where(group={})):
        kinds.append("spread")
    apart = page.judges if facet.own_scale and len(page.judges) > 1 else []
    drawings = [
        page.drawing(kind, facet, **({"judge": judge} if judge else {}))
        for kind in kinds
        for judge in apart or [""]
        if not judge or any(row.raters == judge for row in headlines)
    ]
    kind = next((kind for table, kind in SQUARES if _has_pairs(page, facet, table)), "")
    return [*drawings, replace(page.drawing(kind, facet), everywhere=False)] if kind else drawings


def _has_pairs(page: Page, facet: Facet, table: Table) -> bool:
    pairs = page.pick(facet.name, page.metrics(facet.name, table), by=["system", OTHER])
    return any(row.raters in CROWDS and row.estimate.value is not None for row in pairs.rows)


def _evidence(page: Page) -> SectionPart:
    """Selected evidence scored against human chains; it does not come from raters' answers."""
    metrics = page.metrics(EVIDENCE, Table.EVIDENCE)
    picked = page.pick(EVIDENCE, metrics)
    panels = page.panel(
        "evidence", _("Selected evidence vs human evidence chains"), picked, page.by_party()
    )
    layout = Layout(
        line=lambda row: f"{row.group['evidence_source']}, {row.raters}",
        corner=key_title("evidence_source"),
    )
    title, by_source = _("By who chose the evidence"), page.pick(EVIDENCE, metrics, OTHER_KEYS[:1])
    panels += page.panel("evidence-sources", title, by_source, layout)
    return SectionPart("findings-evidence", _("Evidence"), panels)


def _published(page: Page) -> SectionPart:
    """Figures imported without the answers behind them."""
    rows = [row for row in page.rows_of("") if row.aggregation == PUBLISHED]
    layout = Layout(
        line=lambda row: ", ".join(filter(None, [party_title(row.raters), group_text(row.group)])),
        corner=_("Comparison"),
    )
    title = _("Published by others; the answers behind these figures are not available here")
    panels = page.panel("published", title, Picked(rows), layout)
    return SectionPart("findings-published", _("Published figures"), panels)
