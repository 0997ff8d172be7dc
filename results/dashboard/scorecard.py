"""Tables of a judge's scorecard: what it lets pass, its gap to people, and where it is worse."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement import Estimate
from estimates.catalogue import Table
from estimates.catalogue.scorecard import AGREEMENT_WITH_PEOPLE, CONFUSION, OBSERVED, PREDICTED
from estimates.data.groups import LABEL, OTHER_JUDGE, SYSTEM
from estimates.data.parties import HUMANS, judge_in
from estimates.data.rows import SCORE_FACET, Row
from estimates.scorecard.probabilities import BIN
from estimates.scorecard.rates import JUDGE, PEOPLE
from estimates.scorecard.slices import KEYS
from results.dashboard.panels import Drawing, Page, Panel, Picked
from results.dashboard.tables import FacetTable, Tables, by_system_and_party, notes
from results.reading.rows import with_crowd
from results.reading.titles import key_title, party_title
from results.tables.grids import Cell, Grid, GridLine, Layout
from tasktypes.facets import Facet

CALIBRATION_CURVE = (PREDICTED, OBSERVED)


def _newest(page: Page, rows: Sequence[Row]) -> list[Row]:
    """Judges beside people, in their newest versions."""
    return [row for row in rows if with_crowd(row) and row.second in page.report.versions]


def _versions(page: Page, rows: Sequence[Row]) -> list[Row]:
    """Judges with older versions, oldest first."""
    newest = page.report.versions
    beside = [row for row in rows if with_crowd(row)]
    older = {judge_in(row.second, newest) for row in beside if row.second not in newest}
    several = [row for row in beside if judge_in(row.second, newest) in older]
    return sorted(several, key=lambda row: _version(page, row))


def _version(page: Page, row: Row) -> tuple[str, int]:
    name = judge_in(row.second, page.report.versions)
    number = row.second.removeprefix(f"{name}@")
    return name, page.report.versions[name] if number == name else int(number)


def _pairs(page: Page, rows: Sequence[Row]) -> list[Row]:
    """Two judges in their newest versions."""
    return [row for row in _newest(page, rows) if row.group[OTHER_JUDGE] in page.report.versions]


def _by_pair(_page: Page) -> Layout:
    return Layout(
        line=lambda row: f"{row.second} – {row.group[OTHER_JUDGE]}",
        corner=_("Judges"),
        counted=True,
    )


def _systems(page: Page, rows: Sequence[Row]) -> list[Row]:
    return sorted(_newest(page, rows), key=lambda row: (row.group[SYSTEM], row.raters))


def _labels(page: Page, facet: Facet) -> list[Panel]:
    """The rates of every label of more than two. No list of units goes by people's labels."""
    metrics = page.metrics(facet.name, Table.SCORECARD)
    picked = page.pick_whole(facet.name, metrics, [LABEL])
    rows = _newest(page, sorted(picked.rows, key=lambda row: metrics.index(row.metric)))
    rows.sort(key=lambda row: row.second)
    layout = Layout(
        line=lambda row: f"{row.group[LABEL]}, {party_title(row.raters)}", corner=_("Label")
    )
    title = _("Rates of every label: texts to which people give it, and texts to which they do not")
    return _unlinked(f"scorecard-labels-{facet.name}", title, replace(picked, rows=rows), layout)


def _unlinked(
    key: str, title: str, picked: Picked, layout: Layout, words: Sequence[str] = ()
) -> list[Panel]:
    """A table whose numbers lead to no list of units."""
    if not picked.rows:
        return []
    return [Panel(key, layout.grid(picked.rows, title, lambda _row: ""), words, picked.whole)]


def _confusions(page: Page, facet: Facet) -> list[Panel]:
    """A table per judge: people's labels down, the judge's across; counts with their share."""
    picked = page.pick_whole(facet.name, [CONFUSION], [PEOPLE, JUDGE])
    by_pair: dict[str, list[Row]] = {}
    for row in _newest(page, picked.rows):
        by_pair.setdefault(row.raters, []).append(row)
    return [
        Panel(f"confusion-{at}-{facet.name}", _confusion(facet, pair, rows), (), picked.whole)
        for at, (pair, rows) in enumerate(by_pair.items())
    ]


def _confusion(facet: Facet, pair: str, rows: Sequence[Row]) -> Grid:
    names = {row.group[key] for row in rows for key in (PEOPLE, JUDGE)}
    labels = [name for name in facet.labels if name in names]
    labels += sorted(names - {*labels}, key=_in_order)
    counts = {(row.group[PEOPLE], row.group[JUDGE]): row for row in rows}
    lines = [
        GridLine(name, [_count(counts.get((name, other)), rows[0]) for other in labels])
        for name in labels
    ]
    title = _("%(pair)s: people’s answer (down) and the judge’s (across), counts and shares")
    return Grid(labels, lines, title % {"pair": party_title(pair)}, corner=_("People"))


def _in_order(name: str) -> tuple[float, str]:
    """Points by their size, then labels by name."""
    try:
        return float(name), name
    except ValueError:
        return float("inf"), name


def _count(row: Row | None, like: Row) -> Cell:
    """The count with its share of all that are compared."""
    count = Estimate(value=0.0) if row is None else row.estimate
    value, total = float(count), like.estimate.n_units or 0
    share = f"{value / total:.0%}".replace("%", " %") if total else ""
    return Cell(value=f"{value:g} ({share})", exact=count)


def _slices(page: Page, facet: Facet) -> list[Panel]:
    """Parts where a judge is nearer to people, or farther from them, than elsewhere."""
    metrics = page.metrics(facet.name, Table.SCORECARD_SLICES)
    rows = [row for key in KEYS for row in page.pick_whole(facet.name, metrics, [key]).rows]
    rows = sorted(_newest(page, rows), key=lambda row: (row.second, metrics.index(row.metric)))
    layout = Layout(line=_slice_title, corner=_("Part"))
    title = _("Where a judge agrees more, or less, with people than elsewhere")
    picked = Picked(rows, whole=bool(page.choice.group))
    key = f"{Table.SCORECARD_SLICES}-{facet.name}"
    return _unlinked(key, title, picked, layout, notes(page, rows))


def _slice_title(row: Row) -> str:
    (key, name), *_rest = row.group.items()
    return f"{row.second}: {key_title(key)} {name}"


def _curve(page: Page, facet: Facet) -> list[Panel]:
    """People's share of yes by the judge's score."""
    rows = [
        row
        for by in ([BIN], [BIN, SCORE_FACET])
        for row in page.pick_whole(facet.name, CALIBRATION_CURVE, by).rows
    ]
    layout = Layout(line=lambda row: f"{row.second}: {row.group[BIN]}", corner=_("Score"))
    title = _("Calibration curve: people’s share of yes by the judge’s score")
    picked = Picked(_newest(page, rows), whole=bool(page.choice.group))
    return _unlinked(f"scorecard-curve-{facet.name}", title, picked, layout)


def drawings(page: Page, facet: Facet) -> list[Drawing]:
    """People's own agreement beside each judge's, and the calibration of scores."""
    metrics = {row.metric for row in page.rows_of(facet.name) if row.raters.startswith(HUMANS)}
    kinds = {"ceiling": AGREEMENT_WITH_PEOPLE, "calibration": OBSERVED}
    shown = [kind for kind, metric in kinds.items() if metric in metrics]
    return [page.drawing(kind, facet) for kind in shown]


def _by_judge(page: Page) -> Layout:
    """Every figure is over other units, and says so itself."""
    return replace(page.by_party(), counted=False)


TABLES: tuple[Tables, ...] = (
    FacetTable(
        Table.SCORECARD,
        gettext_lazy("Scorecard: what each judge lets pass, and its gap to people’s own agreement"),
        _newest,
        _by_judge,
    ),
    FacetTable(
        Table.SCORECARD_OVERALL,
        gettext_lazy("Each judge over all labels at once"),
        _newest,
        across=True,
    ),
    _labels,
    _confusions,
    FacetTable(
        Table.SCORECARD,
        gettext_lazy("Scorecard by system"),
        _systems,
        by_system_and_party,
        by=[SYSTEM],
        key="scorecard-systems",
    ),
    FacetTable(
        Table.SCORECARD_PAIRS,
        gettext_lazy("Judges side by side, on the units that both answered"),
        _pairs,
        _by_pair,
        by=[OTHER_JUDGE],
    ),
    _slices,
    FacetTable(
        Table.SCORECARD,
        gettext_lazy("The versions of a judge, oldest first"),
        _versions,
        _by_judge,
        key="scorecard-versions",
        whole=True,
    ),
    FacetTable(
        Table.SCORECARD_CALIBRATION,
        gettext_lazy("Do a judge’s probabilities mean what they say?"),
        _newest,
        across=True,
    ),
    _curve,
)
