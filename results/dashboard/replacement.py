"""Whether judges can replace people: judges against people, biases, failures and savings."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from estimates.catalogue import Table, alpha_of
from estimates.catalogue.agreement import CONTROL_ACCURACY
from estimates.data.groups import EVIDENCE, SYSTEM
from estimates.data.parties import judge_in
from estimates.data.rows import SCORE_FACET, UNITS, Row
from results.dashboard import overview, scorecard
from results.dashboard.failures import judge_calls
from results.dashboard.levels import judges_by_level, levels
from results.dashboard.panels import Drawing, Page, Panel, Section, SectionPart, Tab
from results.dashboard.tables import (
    FacetTable,
    Tables,
    means_of_parties,
    named_pairs,
    panels_of,
    with_cautions,
    with_crowds,
)
from results.reading.bounds import defined
from results.reading.replacement import replacement_sentences
from results.reading.rows import CROWDS, FacetRows, with_crowd
from results.reading.titles import key_title
from results.tables.grids import Cell, Grid, GridLine
from tasktypes.facets import Facet


def section(page: Page) -> Section:
    """The facets, then the calls that failed."""
    return Section(
        key="replacement",
        title=_("Can the judges replace them?"),
        lead=_(
            "Every judge beside people: agreement, correlation, right answers, biases and failures."
        ),
        parts=[
            overview.judges(page),
            *(_of_facet(page, facet) for facet in page.facets),
            _failures(page),
        ],
        tab=Tab.JUDGES,
    )


def _of_facet(page: Page, facet: Facet) -> SectionPart:
    if not any(_has_judge(row, page) for row in page.rows_of(facet.name)):
        missing_reason = _("No judge has answered this question.")
        return SectionPart(f"replacement-{facet.name}", facet.title, missing_reason=missing_reason)
    panels = panels_of(TABLES, page, facet)
    return SectionPart(f"replacement-{facet.name}", facet.title, panels, _drawings(page, facet))


def _has_judge(row: Row, page: Page) -> bool:
    judge = judge_in(row.second, page.report.versions)
    return bool(judge) and row.metric != CONTROL_ACCURACY


def _replacing(page: Page, facet: Facet) -> list[Panel]:
    epsilon = page.report.epsilon

    def words(page: Page, _rows: Sequence[Row]) -> list[str]:
        return replacement_sentences(
            FacetRows(facet, page.rows_of(facet.name), page.report.versions), epsilon
        )

    title = _("Alternative annotator test, ε = %(epsilon)g") % {"epsilon": epsilon}
    return FacetTable(Table.REPLACING, title, words=words, verdict=True)(page, facet)


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
        judges_by_level,
        levels,
        with_cautions,
        across=True,
    ),
    FacetTable(
        Table.META_EVALUATION,
        gettext_lazy("Does a judge order systems and texts as people do?"),
        with_crowds,
        across=True,
    ),
    FacetTable(
        Table.SCORES,
        gettext_lazy("Judges beside people: means over items, with standard deviation"),
        means_of_parties,
    ),
    FacetTable(
        Table.LIMITS,
        gettext_lazy("Each judge minus people, text by text: bias and limits of agreement"),
        with_crowds,
    ),
    _replacing,
    *scorecard.TABLES,
    FacetTable(Table.AGAIN, gettext_lazy("Does a judge give the same answer when asked again?")),
    FacetTable(Table.DRIFT, gettext_lazy("Has a judge drifted since it was asked first?")),
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
        judges_by_level,
        levels,
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
        gettext_lazy("Units without an answer from the judge"),
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
    drawings += scorecard.drawings(page, facet)
    compared = {
        row.raters
        for row in page.rows_of(facet.name).where(alpha_of(facet.distance), group={})
        if with_crowd(row) and row.estimate.n_units
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
        for row in page.rows_of(facet.name).where(metrics)
        if with_crowd(row) and row.group.keys() <= {SCORE_FACET}
    ]
    defined = any(value is not None for value in values)
    return [page.drawing("correlations", facet)] if defined else []


def _across(page: Page, facet: Facet, judge: str) -> list[Drawing]:
    """A judge's numbers in other facets against people's answers in this one."""
    return [
        page.drawing("against", facet, judge=judge, crowd=crowd, **{SCORE_FACET: other.name})
        for other in page.all_facets
        if facet.name in other.compared_with
        if any(defined(row.estimate) for row in page.rows_of(other.name).where(raters=judge))
        for crowd in _answering(page, facet)[:1]
    ]


def _answering(page: Page, facet: Facet) -> list[str]:
    """The crowds that answered, people first."""
    present = {row.raters for row in page.rows_of(facet.name) if row.estimate.n_ratings}
    return [name for name in CROWDS if name in present]


def _failures(page: Page) -> SectionPart:
    """Calls of every judge by how they ended: context for reading its numbers."""
    calls = judge_calls(page.study)
    statuses = list(dict.fromkeys(status for counts in calls.values() for status in counts))
    if not calls:
        return SectionPart("replacement-calls", "")
    lines = [
        GridLine(name, [Cell.count(counts.get(status, 0)) for status in statuses])
        for name, counts in calls.items()
    ]
    title = _("Current calls of each judge by outcome. Failed calls enter no figure")
    grid = Grid([str(status.label) for status in statuses], lines, title, key_title("judge"))
    return SectionPart("replacement-calls", _("Failures"), [Panel("calls", grid, tab=Tab.QUALITY)])
