"""What did the study find? Systems compared: scores, ranks, tests, and scores on other scales."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from results.dashboard.panels import OTHER, Drawing, Page, Panel, Part, Picked, Section
from results.dashboard.scales import CALIBRATED, calibrated, party_and_metric
from results.data.published import AGGREGATION as PUBLISHED
from results.data.rows import PER_ITEM, Row
from results.tables.choice import HEADLINES
from results.tables.grids import Layout
from results.tables.wording import group_text, key_title, metric_title, party_title
from tasktypes.contract import Facet

# A table of its own each; what else there is by system shares one.
SIDE_BY_SIDE = ("f1", "precision", "recall", "mean", "share", "win_share", "mean_rank",
                "transparent_share")  # fmt: skip
# What stands beside a metric in the same table.
BESIDE = {"mean": ("mean", "median")}
# Said elsewhere, or no score of a system.
ELSEWHERE = {*CALIBRATED[1:], "lower_quartile", "median", "upper_quartile", "kendall_tau_b"}
OMNIBUS = ("friedman_chi_square", "friedman_p", "kendall_w")
PAIRWISE = ("mean_difference", "wilcoxon_p_holm", "nemenyi_p")
DIFFERENCES = ("difference_ppi", "difference_ppi_saved")
OTHER_KEYS = ("evidence_source", "label", "condition")
EVIDENCE = ("retrieval_precision", "retrieval_recall", "retrieval_f1", "evidence_size")
ATTRIBUTION = "attribution"


def section(page: Page) -> Section:
    """Facet by facet, then the evidence, then figures that others published."""
    parts = [*(_of_facet(page, facet) for facet in page.facets), _evidence(page), _published(page)]
    return Section(
        key="findings",
        title=_("What did the study find?"),
        lead=_("Systems compared, as people see them and as judges do."),
        parts=[part for part in parts if part.panels or part.drawings or part.silence],
    )


def _of_facet(page: Page, facet: Facet) -> Part:
    panels = [
        *_whole(page, facet),
        *(panel for metric in SIDE_BY_SIDE for panel in _side_by_side(page, facet, metric)),
        *_measures(page, facet),
        *_other_keys(page, facet),
        *_attribution(page, facet),
        *_omnibus(page, facet),
        *_pairwise(page, facet),
        *_differences(page, facet),
        *calibrated(page, facet),
    ]
    silence = "" if panels else _silence(page, facet)
    return Part(f"findings-{facet.name}", facet.title, panels, _drawings(page, facet), silence)


def _silence(page: Page, facet: Facet) -> str:
    """Why there is neither a table nor a figure; what judges say alone is no row of every kind."""
    if any(row.estimate.n_ratings for row in page.all_rows(facet.name)):
        return ""
    if page.judges:
        return _("No numbers: people have not answered this question.")
    return _("No numbers: nobody has answered this question.")


def _scores_of(page: Page, facet: Facet, by: Sequence[str] = ()) -> Picked:
    """Every score of parties, in the order of the report."""
    rows = page.pick(facet.name, by=by)
    return _of_parties(page, rows.where(lambda row: row.metric not in ELSEWHERE))


def _of_parties(page: Page, picked: Picked) -> Picked:
    rows = [row for row in picked.rows if row.aggregation == PER_ITEM]
    return Picked(page.in_order(rows, page.parties), picked.whole)


def _whole(page: Page, facet: Facet) -> list[Panel]:
    """All systems together."""
    title = _("Means over items, with standard deviation and 95 % interval")
    known = {*SIDE_BY_SIDE, "median"}
    picked = _of_parties(page, page.pick(facet.name, known))
    return page.panel(f"together-{facet.name}", title, picked, page.by_party(sd=True))


def _side_by_side(page: Page, facet: Facet, metric: str) -> list[Panel]:
    metrics = BESIDE.get(metric, (metric,))
    picked = _of_parties(page, page.pick(facet.name, set(metrics), by=["system"]))
    if not _has(picked, metric):
        return []
    rows = sorted(picked.rows, key=lambda row: metrics.index(row.metric))
    rows = page.in_order(sorted(rows, key=lambda row: row.group["system"]), page.parties)
    title = _("%(metric)s by system, with 95 %% interval") % {"metric": metric_title(metric)}
    words = [_("Lower is better.")] if metric == "mean_rank" else []
    layout = replace(page.by_key("system"), sd=True, sized=True)
    if len(metrics) > 1:
        layout = replace(
            layout,
            column=lambda row: f"{row.raters}|{row.metric}",
            column_title=party_and_metric,
        )
    shown = Picked(rows, picked.whole)
    return page.panel(f"systems-{metric}-{facet.name}", title, shown, layout, words)


def _measures(page: Page, facet: Facet) -> list[Panel]:
    """What the task type measures, such as the scores of FinGrAct and VITAL."""
    known = {*SIDE_BY_SIDE}
    by_system = _scores_of(page, facet, ["system"]).where(lambda row: row.metric not in known)
    overall = _scores_of(page, facet).where(lambda row: row.metric not in known)
    whole = page.panel(
        f"measures-{facet.name}",
        _("Measures of this kind of question"),
        overall,
        page.by_party(sd=True),
    )
    layout = Layout(
        line=_system_and_party,
        column=lambda row: row.metric,
        column_title=metric_title,
        corner=key_title("system"),
    )
    rows = sorted(by_system.rows, key=_system_and_party)
    picked = Picked(rows, by_system.whole)
    title = _("The same by system, with 95 % interval")
    return whole + page.panel(f"measures-systems-{facet.name}", title, picked, layout)


def _system_and_party(row: Row) -> str:
    return f"{row.group['system']}, {party_title(row.raters)}"


def _other_keys(page: Page, facet: Facet) -> list[Panel]:
    """The headline figure by evidence source, verdict and condition."""
    panels = []
    for key in OTHER_KEYS:
        picked = _scores_of(page, facet, [key])
        metric = next((one for one in HEADLINES if _has(picked, one)), "")
        shown = picked.where(lambda row, metric=metric: row.metric == metric)  # type: ignore[misc]
        title = f"{metric_title(metric)}: {key_title(key).lower()}"
        panels += page.panel(f"by-{key}-{facet.name}", title, shown, page.by_key(key))
    return panels


def _has(picked: Picked, metric: str) -> bool:
    return any(row.metric == metric for row in picked.rows)


def _attribution(page: Page, facet: Facet) -> list[Panel]:
    """Helpful is not yet attributable: the means again over texts whose citations were found."""
    filtered = page.pick(facet.name, {"mean"}, by=["system", ATTRIBUTION])
    if not filtered.rows:
        return []
    # Of one part, or of the whole study, but never one of each.
    pick = page.pick_whole if filtered.whole else page.pick
    plain = pick(facet.name, {"mean"}, by=["system"])
    everyone = [row for row in plain.rows if row.raters in {one.raters for one in filtered.rows}]
    rows = [*everyone, *filtered.rows]
    shown = page.in_order(rows, page.parties)
    layout = Layout(
        line=lambda row: row.group["system"],
        column=lambda row: f"{row.group.get(ATTRIBUTION, '')}|{row.raters}",
        column_title=_attribution_title,
        corner=key_title("system"),
    )
    title = _("Means with and without texts whose citations could not be recovered")
    words = [_("The party’s own recovery decides: all citations of a unit, or an F1 of 0.9.")]
    picked = Picked(shown, filtered.whole)
    return page.panel(f"attribution-{facet.name}", title, picked, layout, words)


def _attribution_title(name: str) -> str:
    which, _bar, party = name.partition("|")
    return f"{party_title(party)}, {which or _('all')}"


def _omnibus(page: Page, facet: Facet) -> list[Panel]:
    picked = page.pick(facet.name, set(OMNIBUS))
    rows = page.in_order(picked.rows, page.parties)
    title = _("Do the systems differ at all?")
    shown = Picked(rows, picked.whole)
    return page.panel(f"friedman-{facet.name}", title, shown, page.by_party())


def _pairs_of_systems(
    page: Page, facet: Facet, metrics: Sequence[str], title: str, words: Sequence[str] = ()
) -> list[Panel]:
    """Two systems downwards; metrics of each party beside each other."""
    picked = page.pick(facet.name, set(metrics), by=["system", OTHER])
    order = {metric: at for at, metric in enumerate(metrics)}
    rows = sorted(picked.rows, key=lambda row: order[row.metric])
    layout = Layout(
        line=lambda row: f"{row.group['system']} – {row.group[OTHER]}, {party_title(row.raters)}",
        column=lambda row: row.metric,
        column_title=metric_title,
        corner=_("Systems"),
    )
    shown = Picked(_with_named_last(page, rows), picked.whole)
    return page.panel(f"{metrics[0]}-{facet.name}", title, shown, layout, words)


def _with_named_last(page: Page, rows: Sequence[Row]) -> list[Row]:
    first = page.in_order(rows, page.parties)
    return first + [row for row in rows if row.raters not in page.parties]


def _pairwise(page: Page, facet: Facet) -> list[Panel]:
    title = _("Which systems differ: first minus second on the same sources")
    words = [_("p values are corrected for all pairs, after Holm and after Nemenyi.")]
    return _pairs_of_systems(page, facet, PAIRWISE, title, words)


def _differences(page: Page, facet: Facet) -> list[Panel]:
    title = _("The same differences from people’s and a judge’s answers together")
    return _pairs_of_systems(page, facet, DIFFERENCES, title)


def _drawings(page: Page, facet: Facet) -> list[Drawing]:
    kinds = []
    scored = [row for row in page.all_rows(facet.name) if row.aggregation == PER_ITEM]
    if any(row.metric in HEADLINES and row.estimate.value is not None for row in scored):
        kinds.append("systems")
    if any(row.estimate.n_ratings for row in page.all_rows(facet.name) if not row.group):
        kinds.append("spread")
    return [page.drawing(kind, facet) for kind in kinds]


def _evidence(page: Page) -> Part:
    """Selected evidence against human chains: no rater's answer."""
    picked = page.pick("evidence", set(EVIDENCE))
    panels = page.panel("evidence", _("Selected against human chains"), picked, page.by_party())
    by_source = page.pick("evidence", set(EVIDENCE), by=["evidence_source"])
    layout = Layout(
        line=lambda row: f"{row.group['evidence_source']}, {row.raters}",
        column=lambda row: row.metric,
        column_title=metric_title,
        corner=key_title("evidence_source"),
    )
    title = _("The same by who chose it")
    panels += page.panel("evidence-sources", title, by_source, layout)
    return Part("findings-evidence", _("Evidence"), panels)


def _published(page: Page) -> Part:
    """Figures imported without the answers behind them."""
    rows = [row for row in page.all_rows("") if row.aggregation == PUBLISHED]
    layout = Layout(
        line=lambda row: ", ".join(filter(None, [party_title(row.raters), group_text(row.group)])),
        column=lambda row: row.metric,
        column_title=metric_title,
        corner=_("Who and what"),
    )
    title = _("Published by others; the answers behind these figures are not here")
    panels = page.panel("published", title, Picked(rows), layout)
    return Part("findings-published", _("Published figures"), panels)
