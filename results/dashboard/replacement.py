"""Can the judges replace them? Every judge against people, its biases, failures and savings."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from results.dashboard.failures import judge_calls
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
from results.data.parties import HUMANS, judge_in
from results.data.rows import Row
from results.tables.grids import Cell, Grid, Layout, Line
from results.tables.wording import key_title, metric_title, party_title
from tasktypes.contract import Facet

ALPHA = "krippendorff_alpha_"
BETWEEN = ("raw_agreement", "cohen_kappa", "cohen_kappa_linear", "cohen_kappa_quadratic",
           "gwet_ac1", "gwet_ac2")  # fmt: skip
CORRELATIONS = ("pearson", "spearman", "kendall_tau_b")
LEVELS = ("pooled", "per_item", "summary", "system")
SCORES = ("precision", "recall", "f1", "mean")
REPLACEMENT = ("alt_winning_rate", "alt_advantage_probability")
BIASES = ("ego_centric_share", "ego_centric_difference", "length_slope", "position_share",
          "position_consistency")  # fmt: skip
SAVINGS = ("mean_ppi", "mean_ppi_equivalent", "mean_ppi_saved", "share_ppi",
           "share_ppi_equivalent", "share_ppi_saved")  # fmt: skip
RUN_TO_RUN = "run_to_run_"
# From this winning rate on a judge may replace a person (Calderon, Reichart and Dror 2025).
PASSED = 0.5


def section(page: Page) -> Section:
    """Facet by facet, then what failed."""
    parts = [*(_of_facet(page, facet) for facet in page.facets), _failures(page)]
    return Section(
        key="replacement",
        title=_("Can the judges replace them?"),
        lead=_(
            "Every judge beside people: agreement, correlation, right answers, biases and failures."
        ),
        parts=[part for part in parts if part.panels or part.drawings or part.silence],
    )


def _of_facet(page: Page, facet: Facet) -> Part:
    if not any(_has_judge(row, page) for row in page.all_rows(facet.name)):
        silence = _("No judge has answered this question.")
        return Part(f"replacement-{facet.name}", facet.title, silence=silence)
    panels = [
        *_agreement(page, facet),
        *_named_pairs(page, facet),
        *_correlations(page, facet),
        *_scores(page, facet),
        *_replacement(page, facet),
        *_run_to_run(page, facet),
        *_biases(page, facet),
        *_savings(page, facet),
    ]
    return Part(f"replacement-{facet.name}", facet.title, panels, _drawings(page, facet))


def _has_judge(row: Row, page: Page) -> bool:
    judge = judge_in(row.raters.rpartition("~")[2], page.report.versions)
    return bool(judge) and row.metric != "control_accuracy"


def _of_pairs(page: Page, facet: Facet) -> Picked:
    alphas = {row.metric for row in page.all_rows(facet.name) if row.metric.startswith(ALPHA)}
    ordered = [f"{ALPHA}{facet.distance}", *sorted(alphas), *BETWEEN]
    picked = page.pick(facet.name, {*alphas, *BETWEEN}).where(is_pair)
    rows = sorted(picked.rows, key=lambda row: ordered.index(row.metric))
    return Picked(sorted(rows, key=_humans_first), picked.whole)


def _humans_first(row: Row) -> tuple[bool, str]:
    return not row.raters.startswith(HUMANS), row.raters


def _agreement(page: Page, facet: Facet) -> list[Panel]:
    picked = _of_pairs(page, facet).where(with_crowd)
    title = _("Agreement of each judge with what people said together")
    return page.panel(f"between-{facet.name}", title, picked, page.by_party())


def _named_pairs(page: Page, facet: Facet) -> list[Panel]:
    picked = _of_pairs(page, facet).where(lambda row: not with_crowd(row))
    title = _("Agreement of every two named raters")
    return page.panel(f"named-{facet.name}", title, picked, page.by_party())


def _correlations(page: Page, facet: Facet) -> list[Panel]:
    picked = page.pick(facet.name, set(CORRELATIONS)).where(is_pair)
    rows = sorted(picked.rows, key=_level_first)
    layout = Layout(
        line=lambda row: row.raters,
        column=lambda row: f"{row.aggregation} {row.metric}",
        line_title=party_title,
        column_title=_level_title,
        corner=_("Who"),
        counted=True,
        notes=page.note,
    )
    title = _("Correlation with people, over single texts, within sources and of systems’ means")
    return page.panel(f"correlation-{facet.name}", title, Picked(rows, picked.whole), layout)


def _level_first(row: Row) -> tuple[bool, str, int, int]:
    return (*_humans_first(row), LEVELS.index(row.aggregation), CORRELATIONS.index(row.metric))


def _level_title(name: str) -> str:
    level, metric = name.split()
    levels = {
        "pooled": _("samples"),
        "per_item": _("within units"),
        "summary": _("within sources"),
        "system": _("systems"),
    }
    return f"{metric_title(metric)}, {levels[level]}"


def _scores(page: Page, facet: Facet) -> list[Panel]:
    """People and machines side by side; single people have theirs under the first question."""
    picked = page.pick(facet.name, set(SCORES))
    rows = [row for row in picked.rows if row.aggregation == "per_item"]
    shown = Picked(page.in_order(rows, page.parties), picked.whole)
    title = _("Means over items, with standard deviation and 95 % interval")
    return page.panel(f"scores-{facet.name}", title, shown, page.by_party(sd=True))


def _replacement(page: Page, facet: Facet) -> list[Panel]:
    picked = page.pick(facet.name, set(REPLACEMENT))
    epsilon = page.study.epsilon
    title = _("Alternative annotator test, ε = %(epsilon)g") % {"epsilon": epsilon}
    words = [_verdict(row, epsilon) for row in picked.rows if row.metric == REPLACEMENT[0]]
    return page.panel(f"replacing-{facet.name}", title, picked, page.by_party(), words)


def _verdict(row: Row, epsilon: float) -> str:
    """What the winning rate means."""
    crowd, _tilde, judge = row.raters.partition("~")
    about = {"judge": judge, "crowd": party_title(crowd).lower(), "epsilon": epsilon}
    if row.estimate.value is None:
        about["reason"] = row.estimate.undefined or ""
        return _("%(judge)s and %(crowd)s: the test says nothing (%(reason)s).") % about
    about["rate"] = f"{row.estimate.value:.0%}".replace("%", " %")
    if row.estimate.value >= PASSED:
        return (
            _(
                "%(judge)s may stand in for one of the %(crowd)s here: it wins over %(rate)s of "
                "them, when its lower cost is worth %(epsilon)g."
            )
            % about
        )
    return (
        _(
            "%(judge)s may not stand in for one of the %(crowd)s here: it wins over %(rate)s of "
            "them, and would have to over half."
        )
        % about
    )


def _run_to_run(page: Page, facet: Facet) -> list[Panel]:
    """Judges that were asked the same several times."""
    metrics = {row.metric for row in page.all_rows(facet.name)}
    picked = page.pick(facet.name, {one for one in metrics if one.startswith(RUN_TO_RUN)})
    title = _("Does a judge say the same when it is asked again?")
    return page.panel(f"again-{facet.name}", title, picked, page.by_party())


def _biases(page: Page, facet: Facet) -> list[Panel]:
    picked = page.pick(facet.name, set(BIASES))
    title = _("Probes for biases")
    panels = page.panel(f"biases-{facet.name}", title, picked, page.by_party(), _bias_words(picked))
    families = page.pick(facet.name, {"ego_centric_share"}, by=["family"])
    layout = page.by_key("family")
    title = _("Scores far above people’s, by family of the system")
    return panels + page.panel(f"families-{facet.name}", title, families, layout)


def _bias_words(picked: Picked) -> Sequence[str]:
    found = {row.metric for row in picked.rows}
    said = {
        "ego_centric_share": _(
            "Far above: two points of five or more over the mean of people for the same text. "
            "A judge that favours its own family has more of them there."
        ),
        "length_slope": _("Above 0, a judge gives longer texts more than people do."),
        "position_share": _(
            "Without a bias for a place, the first one shown is preferred by half."
        ),
    }
    return [words for metric, words in said.items() if metric in found]


def _savings(page: Page, facet: Facet) -> list[Panel]:
    picked = page.pick(facet.name, set(SAVINGS))
    title = _("What people’s answers and the judge’s say together (prediction-powered)")
    words = [
        _(
            "How many sources with human answers alone would make an interval as narrow, and how "
            "many more that is. Right where the sources that people answered were drawn at random."
        )
    ]
    layout = page.by_party()
    return page.panel(f"savings-{facet.name}", title, picked, layout, words)


def _drawings(page: Page, facet: Facet) -> list[Drawing]:
    """Every judge's newest version against people, where both have answered this very question;
    simulated raters where there are no people."""
    compared = {
        row.raters
        for row in page.all_rows(facet.name)
        if with_crowd(row) and not row.group and row.metric.startswith(ALPHA)
        if row.estimate.n_units
    }
    found = []
    for judge in page.judges:
        crowd = next((one for one in CROWDS if f"{one}~{judge}" in compared), None)
        if crowd is None or facet.ranks:
            continue
        found.append(page.drawing("against", facet, judge=judge, crowd=crowd))
    return found


def _failures(page: Page) -> Part:
    """Calls of every judge by how they ended, beside which its numbers are to be read."""
    calls = judge_calls(page.study)
    statuses = list(dict.fromkeys(status for counts in calls.values() for status in counts))
    if not calls:
        return Part("replacement-calls", "")
    lines = [
        Line(name, [Cell.count(counts.get(status, 0)) for status in statuses])
        for name, counts in calls.items()
    ]
    title = _("Calls of each judge by how they ended, now. What failed is no answer and no number")
    grid = Grid([str(status.label) for status in statuses], lines, title, key_title("judge"))
    return Part("replacement-calls", _("Failures"), [Panel("calls", grid)])
