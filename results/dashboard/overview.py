"""Tables with every criterion of a study: agreement, the systems' figures, and the judges'."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from estimates.catalogue import Table, alpha_of, first_headline
from estimates.catalogue.judges import PEARSON, SPEARMAN
from estimates.data.groups import SYSTEM
from estimates.data.parties import HUMANS
from estimates.data.rows import PER_ITEM, POOLED, SCORE_FACET, Row
from results.dashboard.panels import Page, Panel, Picked, SectionPart
from results.reading.bounds import for_these_raters
from results.reading.rows import is_pair, with_crowd
from results.reading.titles import key_title, metric_title, party_title
from results.tables.grids import Layout

# Correlations of single texts, the more robust one first.
CORRELATIONS = (SPEARMAN, PEARSON)


def agreement(page: Page) -> SectionPart:
    """α of each criterion in its own distance, of people and of each judge with them."""
    rows: list[Row] = []
    whole = False
    for facet in page.all_facets:
        picked = page.pick(facet.name, {alpha_of(facet.distance)})
        named = [row.raters for row in picked.rows if not is_pair(row) or with_crowd(row)]
        rows += page.in_order(picked.rows, sorted(set(named), key=_crowds_first))
        whole = whole or (picked.whole and bool(picked.rows))
    layout = Layout(
        line=lambda row: row.facet,
        column=lambda row: row.raters,
        line_title=lambda name: _titles(page).get(name, name),
        column_title=party_title,
        corner=_("Criterion"),
        counted=True,
    )
    title = _("Krippendorff’s α by criterion, each in its own distance")
    return _part(page, "trust", title, Picked(rows, whole), layout)


def systems(page: Page) -> SectionPart:
    """The first headline figure of each criterion by system, as people answered: what these raters
    say. Few raters say next to nothing of others, which a table of means cannot put right."""
    rows: list[Row] = []
    whole = False
    for facet in page.all_facets:
        picked = page.pick(facet.name, page.metrics(facet.name, Table.SYSTEMS), by=[SYSTEM])
        own = [row for row in picked.rows if row.raters == HUMANS and row.aggregation == PER_ITEM]
        first = first_headline({row.metric for row in own})
        rows += [
            replace(row, estimate=for_these_raters(row.estimate))
            for row in own
            if row.metric == first
        ]
        whole = whole or (picked.whole and bool(own))
    rows.sort(key=lambda row: row.group[SYSTEM])
    titles = dict.fromkeys(metric_title(row.metric) for row in rows)
    title = _("%(metrics)s of people’s answers by system, with 95 %% intervals for these raters")
    layout = _by_criterion(page, lambda row: row.group[SYSTEM], key_title(SYSTEM))
    first, *others = titles or [""]
    title %= {"metrics": " and ".join([first, *(name.lower() for name in others)])}
    return _part(page, "all-systems", title, Picked(rows, whole), layout)


def judges(page: Page) -> SectionPart:
    """Correlation of each judge with people, criterion by criterion, over single texts."""
    rows, found = _correlated(page)
    layout = _by_criterion(page, lambda row: row.second, key_title("judge"))
    title = _("%(metric)s of each judge with people by criterion, over single texts") % {
        "metric": metric_title(found)
    }
    return _part(page, "all-judges", title, rows, layout)


def _correlated(page: Page) -> tuple[Picked, str]:
    """The rows of the first correlation that there is, and its name."""
    for name in CORRELATIONS:
        picked = [
            page.pick(facet.name, {name}, by)
            for facet in page.all_facets
            for by in ((), (SCORE_FACET,))  # a judge's scores may be in a facet of their own
        ]
        rows = [
            row
            for each in picked
            for row in each.rows
            if row.first == HUMANS and row.aggregation == POOLED and page.has_judge(row)
        ]
        if rows:
            return Picked(rows, any(each.whole for each in picked)), name
    return Picked([]), SPEARMAN


def _by_criterion(page: Page, line: Callable[[Row], str], corner: str) -> Layout:
    return Layout(
        line=line,
        column=lambda row: row.facet,
        column_title=lambda name: _titles(page).get(name, name),
        corner=corner,
        counted=True,
    )


def _titles(page: Page) -> dict[str, str]:
    return {facet.name: facet.title for facet in page.all_facets}


def _part(page: Page, key: str, title: str, picked: Picked, layout: Layout) -> SectionPart:
    """Nothing where the study asks about one criterion: that has tables of its own."""
    several = len(page.all_facets) > 1 and len({row.facet for row in picked.rows}) > 1
    panels: Sequence[Panel] = page.panel(key, title, picked, layout) if several else []
    return SectionPart(f"{key}-criteria", _("All criteria"), panels)


def _crowds_first(name: str) -> tuple[bool, bool, str]:
    return "~" in name, not name.startswith(HUMANS), name
