"""The plots of a page, by the parameters in its figures' addresses."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from estimates.data.database import rater_records
from estimates.data.groups import belonging
from estimates.data.parties import divide
from estimates.data.rows import SCORE_FACET
from estimates.report.cache import Report
from estimates.report.newest import narrow_ratings, newest_ratings
from results.figures.across import across_facets
from results.figures.captions import figure_text, figure_title
from results.figures.from_ratings import Material, against_people, heat_map, spread
from results.figures.from_rows import correlations, differences, systems_plot, wins, workers
from results.figures.from_scorecard import calibration, ceiling
from results.figures.over_time import agreement_over_time
from results.figures.plots import Plot
from results.tables.choice import PageFilter
from results.tables.grids import Grid
from tasktypes.facets import Facet

FROM_RATINGS: Mapping[str, Callable[[Material, str, str], Plot]] = {
    "heat": heat_map,
    "against": against_people,
    "spread": spread,
}
FROM_ROWS: Mapping[str, Callable[[Report, Facet, PageFilter], Plot]] = {
    "correlations": correlations,
    "differences": differences,
    "wins": wins,
    "workers": workers,
    "ceiling": ceiling,
    "calibration": calibration,
}
SYSTEMS, TIME = "systems", "time"


class Plotter:
    """Makes the plots of one page: the ratings of a facet are read once for all. names: what some
    raters are called instead of by their own."""

    def __init__(
        self, report: Report, choice: PageFilter, names: Mapping[str, str] | None = None
    ) -> None:
        self.report = report
        self._names = names or {}
        self.choice = choice
        blocks = list(report.study.blocks.all())
        self._facets = {facet.name: facet for block in blocks for facet in block.facets}
        self._materials: dict[str, Material | None] = {}

    def plot(self, parameters: Mapping[str, str]) -> Plot | None:
        """The plot; None where there is no such facet or kind of figure, or where the ratings of
        a large study are still being counted."""
        facet, kind = self._facets.get(parameters.get("facet", "")), parameters.get("kind", SYSTEMS)
        if facet is None or kind not in (SYSTEMS, TIME, *FROM_RATINGS, *FROM_ROWS):
            return None
        if kind == SYSTEMS:
            return systems_plot(self.report, facet, self.choice, parameters.get("judge", ""))
        if kind in FROM_ROWS:
            return FROM_ROWS[kind](self.report, facet, self.choice)
        return self._from_ratings(kind, facet, parameters)

    def _from_ratings(self, kind: str, facet: Facet, parameters: Mapping[str, str]) -> Plot | None:
        material = self._material(facet)
        if material is None:
            return None
        if kind == TIME:
            return agreement_over_time(self.report.study, material, self.choice.options)
        judge, crowd = parameters.get("judge", ""), parameters.get("crowd", "")
        if parameters.get(SCORE_FACET):
            return self._across(material, parameters[SCORE_FACET], judge, crowd)
        return FROM_RATINGS[kind](material, judge, crowd)

    def _across(self, people: Material, name: str, judge: str, crowd: str) -> Plot | None:
        facet = self._facets.get(name)
        scores = None if facet is None else self._material(facet)
        return None if scores is None else across_facets(people, scores, judge, crowd)

    def _material(self, facet: Facet) -> Material | None:
        if facet.name not in self._materials:
            self._materials[facet.name] = self._read(facet)
        return self._materials[facet.name]

    def words(self, parameters: Mapping[str, str]) -> tuple[str, str]:
        """Title and text of that figure."""
        facet, kind = self._facets.get(parameters.get("facet", "")), parameters.get("kind", SYSTEMS)
        about = (
            "" if facet is None else facet.title,
            parameters.get("judge", ""),
            parameters.get("crowd", ""),
        )
        return figure_title(kind, *about), figure_text(kind, *about)

    def grid(self, plot: Plot, parameters: Mapping[str, str]) -> Grid:
        """The table of a figure's numbers, under the figure's title."""
        grid, (title, _text) = plot.grid(), self.words(parameters)
        facet = self._facets.get(parameters.get("facet", ""))
        named = [title, "" if facet is None else facet.title, grid.title]
        return replace(grid, title=", ".join(dict.fromkeys(filter(None, named))))

    def _read(self, facet: Facet) -> Material | None:
        study = self.report.study
        newest = newest_ratings(study, facet)
        if newest is None:
            return None
        ratings = narrow_ratings(study, newest.ratings, self.choice.options)
        ratings = ratings.take(belonging(ratings, self.choice.group))
        active = np.unique(ratings.rater).tolist()
        raters = [
            rater._replace(name=self._names.get(rater.name, rater.name))
            for rater in rater_records(study, pk__in=active)
        ]
        return Material(ratings, divide(raters), {rater.pk: rater for rater in raters})
