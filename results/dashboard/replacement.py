"""Whether judges can replace people: judges against people, biases, failures and savings."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement import Estimate
from results.dashboard.failures import judge_calls
from results.dashboard.panels import (
    CROWDS,
    Drawing,
    Page,
    Panel,
    Part,
    Section,
    Tab,
    is_pair,
    raters_of,
    with_crowd,
)
from results.dashboard.tables import (
    FacetTable,
    Tables,
    humans_first,
    means_of_parties,
    named_pairs,
    panels_of,
    with_cautions,
    with_crowds,
)
from results.data.groups import EVIDENCE, SYSTEM
from results.data.parties import judge_in
from results.data.rows import SCORE_FACET, UNITS, Row
from results.metrics.catalogue import (
    ALT_GAP,
    ALT_WINNING_RATE,
    CONTROL_ACCURACY,
    Table,
    alpha_of,
)
from results.tables.grids import Cell, Grid, Layout, Line
from results.tables.titles import (
    interval_text,
    key_title,
    metric_title,
    number_text,
    party_title,
)
from tasktypes.facets import Facet

# Of systems first: the level that measures of generated text are compared by.
LEVELS = {
    "system": gettext_lazy("systems"),
    "summary": gettext_lazy("within sources"),
    "pooled": gettext_lazy("samples"),
    "per_item": gettext_lazy("within units"),
}
# From this winning rate on a judge may replace a person (Calderon, Reichart and Dror 2025).
PASSED = 0.5


def section(page: Page) -> Section:
    """The facets, then the calls that failed."""
    return Section(
        key="replacement",
        title=_("Can the judges replace them?"),
        lead=_(
            "Every judge beside people: agreement, correlation, right answers, biases and failures."
        ),
        parts=[*(_of_facet(page, facet) for facet in page.facets), _failures(page)],
        tab=Tab.JUDGES,
    )


def _of_facet(page: Page, facet: Facet) -> Part:
    if not any(_has_judge(row, page) for row in page.all_rows(facet.name)):
        silence = _("No judge has answered this question.")
        return Part(f"replacement-{facet.name}", facet.title, silence=silence)
    panels = panels_of(TABLES, page, facet)
    return Part(f"replacement-{facet.name}", facet.title, panels, _drawings(page, facet))


def _has_judge(row: Row, page: Page) -> bool:
    judge = judge_in(row.raters.rpartition("~")[2], page.report.versions)
    return bool(judge) and row.metric != CONTROL_ACCURACY


def _by_level(_page: Page, rows: Sequence[Row]) -> list[Row]:
    """Pairs, over systems first."""
    pairs = [row for row in rows if is_pair(row)]
    defined = {row.aggregation for row in pairs if row.estimate.value is not None}
    levels = sorted(LEVELS, key=lambda level: level not in defined)
    return sorted(pairs, key=lambda row: (*humans_first(row), levels.index(row.aggregation)))


def _levels(page: Page) -> Layout:
    """A row per pair, a column per metric and level."""
    return Layout(
        line=raters_of,
        column=lambda row: f"{row.aggregation} {row.metric}",
        line_title=party_title,
        column_title=_level_title,
        corner=_("Who"),
        notes=page.note,
    )


def _level_title(name: str) -> str:
    level, metric = name.split()
    return f"{metric_title(metric)}, {LEVELS[level]}"


def _replacing(page: Page, facet: Facet) -> list[Panel]:
    title = _("Alternative annotator test, ε = %(epsilon)g") % {"epsilon": page.study.epsilon}
    return FacetTable(Table.REPLACING, title, words=_verdicts, verdict=True)(page, facet)


def _verdicts(page: Page, rows: Sequence[Row]) -> list[str]:
    gaps = {row.raters: row.estimate for row in rows if row.metric == ALT_GAP}
    return [
        verdict(row, gaps.get(row.raters), page.study.epsilon)
        for row in rows
        if row.metric == ALT_WINNING_RATE
    ]


def verdict(row: Row, gap: Estimate | None, epsilon: float) -> str:
    """What the winning rate means, and where it is low, whether the units suffice to say so."""
    crowd, _tilde, judge = row.raters.partition("~")
    about = {"judge": judge, "crowd": party_title(crowd).lower(), "epsilon": f"{epsilon:g}"}
    about["people"] = str(row.estimate.n_raters)
    if row.estimate.value is None:
        about["reason"] = row.estimate.undefined or ""
        return _("%(judge)s and %(crowd)s: the test is inconclusive (%(reason)s).") % about
    about["rate"] = f"{row.estimate.value:.0%}".replace("%", " %")
    about["lead"] = _lead(gap)
    if row.estimate.value >= PASSED:
        words = _(
            "%(judge)s may replace one of the %(crowd)s here: it beats %(rate)s of the "
            "%(people)s compared, given ε = %(epsilon)s."
        )
    elif gap is not None and gap.low is not None and gap.low > epsilon:
        words = _(
            "%(judge)s may not replace one of the %(crowd)s here: it beats %(rate)s of the "
            "%(people)s compared, and their lead over it%(lead)s is above ε = %(epsilon)s."
        )
    else:
        words = _(
            "Not shown that %(judge)s may replace one of the %(crowd)s here (too few units to "
            "tell): it beats %(rate)s of the %(people)s compared, at least half are needed, and "
            "their lead over it%(lead)s may be below ε = %(epsilon)s."
        )
    return words % about


def _lead(gap: Estimate | None) -> str:
    """The lead of people with its interval, in brackets."""
    if gap is None or gap.value is None:
        return ""
    interval = interval_text(gap)
    return f" ({number_text(gap.value)}{', ' if interval else ''}{interval})"


TABLES: tuple[Tables, ...] = (
    FacetTable(
        Table.BETWEEN,
        gettext_lazy("Agreement of each judge with the consensus of people"),
        with_crowds,
        words=with_cautions,
    ),
    FacetTable(
        Table.BETWEEN,
        gettext_lazy("Agreement of judges with each other and with each person"),
        named_pairs,
        key="named",
    ),
    FacetTable(
        Table.CORRELATION,
        gettext_lazy(
            "Correlation with people: of systems’ means, within sources and over single texts"
        ),
        _by_level,
        _levels,
        with_cautions,
        across=True,
    ),
    FacetTable(
        Table.SCORES,
        gettext_lazy("Means over items, with standard deviation and 95 % interval"),
        means_of_parties,
    ),
    FacetTable(
        Table.LIMITS,
        gettext_lazy("Each judge minus people, text by text: bias and limits of agreement"),
        with_crowds,
    ),
    _replacing,
    FacetTable(Table.AGAIN, gettext_lazy("Does a judge give the same answer when asked again?")),
    FacetTable(Table.BIASES, gettext_lazy("Bias probes"), across=True),
    FacetTable(
        Table.FAMILIES,
        gettext_lazy("Scores far above people’s, by family of the system"),
        layout=lambda page: page.by_key("family"),
        by=["family"],
    ),
    FacetTable(
        Table.BETWEEN,
        gettext_lazy("Agreement with people on the units that all judges answered"),
        with_crowds,
        by=[UNITS],
        key="common-between",
    ),
    FacetTable(
        Table.CORRELATION,
        gettext_lazy("Correlation with people on the units that all judges answered"),
        _by_level,
        _levels,
        with_cautions,
        by=[UNITS],
        across=True,
        key="common-correlation",
    ),
    FacetTable(
        Table.SCORES,
        gettext_lazy("Means over items on the units that all judges answered"),
        means_of_parties,
        by=[UNITS],
        key="common-scores",
    ),
    FacetTable(
        Table.MEASURES,
        gettext_lazy("Measures on the units that all judges answered"),
        means_of_parties,
        by=[UNITS],
        key="common-measures",
    ),
    FacetTable(
        Table.BIASES,
        gettext_lazy("Bias probes on the units that all judges answered"),
        by=[UNITS],
        across=True,
        key="common-biases",
    ),
    FacetTable(
        Table.UNANSWERED,
        gettext_lazy("Units that a judge was asked about in vain"),
        tab=Tab.QUALITY,
    ),
    FacetTable(
        Table.UNANSWERED,
        gettext_lazy("The same by system"),
        layout=lambda page: page.by_key(SYSTEM),
        by=[SYSTEM],
        key="unanswered-systems",
        tab=Tab.QUALITY,
    ),
    FacetTable(
        Table.UNANSWERED,
        gettext_lazy("The same by who chose the evidence"),
        layout=lambda page: page.by_key(EVIDENCE),
        by=[EVIDENCE],
        key="unanswered-evidence",
        tab=Tab.QUALITY,
    ),
    FacetTable(
        Table.SAVINGS,
        gettext_lazy("People’s and the judge’s answers combined (prediction-powered)"),
        words=with_cautions,
    ),
)


def _drawings(page: Page, facet: Facet) -> list[Drawing]:
    """Correlations of all judges, then each in its newest version against people, where both
    answered this question; simulated raters where there are no people."""
    drawings = [replace(drawing, everywhere=False) for drawing in _correlations(page, facet)]
    compared = {
        row.raters
        for row in page.all_rows(facet.name)
        if with_crowd(row) and not row.group and row.metric == alpha_of(facet.distance)
        if row.estimate.n_units
    }
    for judge in page.judges:
        crowd = next((name for name in CROWDS if f"{name}~{judge}" in compared), None)
        if facet.ranks:
            continue
        if crowd is not None:
            drawings.append(page.drawing("against", facet, judge=judge, crowd=crowd))
        drawings += _across(page, facet, judge)
    return drawings


def _correlations(page: Page, facet: Facet) -> list[Drawing]:
    """One figure, where some judge is correlated with people."""
    metrics = page.metrics(facet.name, Table.CORRELATION)
    values = [
        row.estimate.value
        for row in page.all_rows(facet.name)
        if row.metric in metrics and with_crowd(row) and row.group.keys() <= {SCORE_FACET}
    ]
    defined = any(value is not None for value in values)
    return [page.drawing("correlations", facet)] if defined else []


def _across(page: Page, facet: Facet, judge: str) -> list[Drawing]:
    """A judge's numbers in other facets against people's answers in this one."""
    return [
        page.drawing("against", facet, judge=judge, crowd=crowd, **{SCORE_FACET: other.name})
        for other in page.all_facets
        if facet.name in other.compared_with
        if any(
            row.raters == judge and row.estimate.value is not None
            for row in page.all_rows(other.name)
        )
        for crowd in _answering(page, facet)[:1]
    ]


def _answering(page: Page, facet: Facet) -> list[str]:
    """The crowds that answered, people first."""
    present = {row.raters for row in page.all_rows(facet.name) if row.estimate.n_ratings}
    return [name for name in CROWDS if name in present]


def _failures(page: Page) -> Part:
    """Calls of every judge by how they ended: context for reading its numbers."""
    calls = judge_calls(page.study)
    statuses = list(dict.fromkeys(status for counts in calls.values() for status in counts))
    if not calls:
        return Part("replacement-calls", "")
    lines = [
        Line(name, [Cell.count(counts.get(status, 0)) for status in statuses])
        for name, counts in calls.items()
    ]
    title = _("Current calls of each judge by outcome. Failed calls enter no figure")
    grid = Grid([str(status.label) for status in statuses], lines, title, key_title("judge"))
    return Part("replacement-calls", _("Failures"), [Panel("calls", grid, tab=Tab.QUALITY)])
