"""What the results page shows: the rows of a report, laid out as tables."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from annotation.models import Block, Rater, Study
from results.caching import Report
from results.choosing import Choice, headline, shown_parties
from results.plots import plot_of
from results.rows import Row
from results.wording import (
    interval_text,
    key_title,
    metric_title,
    number_text,
    party_title,
)
from tasktypes.contract import Facet

SPLITS = ("system", "evidence_source", "label")
AVERAGED = ("precision", "recall", "f1", "mean")


@dataclass(frozen=True)
class Cell:
    """One number of a table, with the units behind it; or why there is none."""

    value: str = ""
    sd: str = ""
    interval: str = ""
    undefined: str = ""
    url: str = ""


@dataclass(frozen=True)
class Line:
    """One row of a table: whom or what it is about, and its cells (None: nothing to say).

    silence: the one reason why none of the cells has a number.
    """

    title: str
    cells: Sequence[Cell | None]
    simulated: bool = False
    note: str = ""
    silence: str = ""
    units: int | None = None
    ratings: int | None = None


@dataclass(frozen=True)
class Grid:
    """A table."""

    heads: Sequence[str]
    lines: Sequence[Line]
    title: str = ""


@dataclass(frozen=True)
class FacetSection:
    """All that is shown of one facet."""

    name: str
    title: str
    agreement: Grid
    scores: Grid
    splits: Sequence[Grid]
    controls: Grid
    headline: str
    figure_query: str


def sections_of(
    study: Study, blocks: Iterable[Block], report: Report, choice: Choice
) -> list[FacetSection]:
    """One section per facet, in the order of the blocks."""
    kind = Rater.Kind.SIMULATED
    simulated = frozenset(study.raters.filter(kind=kind).values_list("name", flat=True))
    return [
        _Facet(study, report, facet, choice, simulated).section()
        for block in blocks
        for facet in block.facets
    ]


@dataclass(frozen=True)
class _Facet:
    """The rows of one facet, and how they become tables."""

    study: Study
    report: Report
    facet: Facet
    choice: Choice
    simulated: frozenset[str]

    @property
    def name(self) -> str:
        return self.facet.name

    def section(self) -> FacetSection:
        return FacetSection(
            name=self.name,
            title=self.facet.title,
            agreement=self._agreement(),
            scores=self._scores(),
            splits=[grid for key in SPLITS if (grid := self._split(key)).lines],
            controls=self._controls(),
            headline=headline(self.report, self.name),
            figure_query=self._figure_query(),
        )

    def _figure_query(self) -> str:
        """What the figure is asked for by; empty where there is nothing to draw."""
        if plot_of(self.report, self.name, self.choice) is None:
            return ""
        return urlencode({"facet": self.name, **self.choice.group})

    def _rows(self, group: Mapping[str, str] | None = None) -> list[Row]:
        wanted = self.choice.group if group is None else group
        return [row for row in self.report.rows if row.facet == self.name and row.group == wanted]

    def _agreement(self) -> Grid:
        """Everyone among themselves, then every judge with the others."""
        wanted = self._agreement_metrics()
        rows = [row for row in self._rows() if row.metric in wanted]
        if not rows:  # a part of the study where nobody could be compared
            rows = [row for row in self._rows({}) if row.metric in wanted]
            rows = [row for row in rows if row.estimate.undefined]
        return self._grid(rows)

    def _agreement_metrics(self) -> tuple[str, ...]:
        """The facet's own distance first. On a scale hardly anybody gives the same number."""
        own = f"krippendorff_alpha_{self.facet.distance}"
        others = {"set": ("krippendorff_alpha_masi",), "number": ("krippendorff_alpha_ordinal",)}
        same = () if self.facet.kind == "number" else ("raw_agreement",)
        return (own, *others.get(self.facet.kind, ()), *same)

    def _scores(self) -> Grid:
        """People and machines side by side; single people only on their own page."""
        parties = shown_parties(self.report)
        rows = [
            row for row in self._rows() if row.aggregation == "per_item" and row.raters in parties
        ]
        return self._grid(rows)

    def _split(self, key: str) -> Grid:
        """The headline figure by the names of one key, one column per party."""
        metric, chosen = headline(self.report, self.name), self.choice.group
        rows = [
            row
            for row in self.report.rows
            if row.facet == self.name
            and row.metric == metric
            and row.group.keys() == {*chosen, key}
            and chosen.items() <= row.group.items()
            and key not in chosen
        ]
        present = {row.raters for row in rows}
        parties = [name for name in shown_parties(self.report) if name in present]
        found = {(row.group[key], row.raters): row for row in rows if row.raters in parties}
        lines = [
            Line(name, [self._cell(found.get((name, party)), sd=False) for party in parties])
            for name in dict.fromkeys(name for name, _ in found)
        ]
        heads = [key_title(key), *map(party_title, parties)]
        return Grid(heads, lines, f"{metric_title(metric)}: {key_title(key).lower()}")

    def _controls(self) -> Grid:
        rows = [row for row in self._rows({}) if row.metric == "control_accuracy"]
        return self._grid(rows)

    def _grid(self, rows: Sequence[Row]) -> Grid:
        """One line per party, one column per metric."""
        metrics = list(dict.fromkeys(row.metric for row in rows))
        names = dict.fromkeys(row.raters for row in rows)
        lines = [self._line(name, [r for r in rows if r.raters == name], metrics) for name in names]
        return Grid([metric_title(metric) for metric in metrics], lines)

    def _line(self, name: str, rows: Sequence[Row], metrics: Sequence[str]) -> Line:
        found = {row.metric: row for row in rows}
        reasons = {row.estimate.undefined for row in rows}
        first = rows[0].estimate
        return Line(
            title=party_title(name),
            cells=[self._cell(found.get(metric)) for metric in metrics],
            simulated=name in self.simulated,
            note=self._note(name, rows),
            silence=(reasons.pop() or "") if len(reasons) == 1 else "",
            units=first.n_units,
            ratings=first.n_ratings,
        )

    def _note(self, name: str, rows: Sequence[Row]) -> str:
        """How several people became one, or which version of a judge this is."""
        consensus = next((row.consensus for row in rows), None)
        version = self.report.versions.get(name)
        return consensus or (f"@{version}" if version else "")

    def _cell(self, row: Row | None, *, sd: bool = True) -> Cell | None:
        if row is None:
            return None
        estimate = row.estimate
        if estimate.value is None:
            return Cell(undefined=estimate.undefined or "")
        spread = estimate.sd if sd and row.metric in AVERAGED else None
        return Cell(
            value=number_text(estimate.value),
            sd="" if spread is None else number_text(spread, estimate.value),
            interval=interval_text(estimate),
            url=self._url(row),
        )

    def _url(self, row: Row) -> str:
        """The units behind the number."""
        asked = {"facet": row.facet, "raters": row.raters, **row.group}
        if row.metric == "control_accuracy":
            asked["controls"] = "1"
        return f"{reverse('results:units', args=[self.study.slug])}?{urlencode(asked)}"
