"""Titles of figures, and descriptions of them for those who do not see them."""

from django.utils.translation import gettext as _

from results.figures.plots import Nothing, Plot
from results.reading.titles import party_title
from results.tables.grids import Cell, Grid

# With more numbers than this the text refers to the table instead.
MOST_TOLD = 40


def figure_title(kind: str, facet: str, judge: str = "", crowd: str = "") -> str:
    """The title of a figure of that kind; empty where there is no such kind. facet: its title."""
    about = {"facet": facet, "judge": judge, "crowd": party_title(crowd).lower()}
    titles = {
        "heat": _("Which people agree with whom") if crowd else _("Who agrees with whom"),
        "time": _("Agreement as answers come in"),
        "against": _("%(judge)s against %(crowd)s") % about,
        "systems": _("By system, with 95 % intervals"),
        "spread": _("Distribution of scores"),
        "correlations": _("How each judge correlates with people"),
        "differences": _("Which systems differ"),
        "wins": _("Who wins against whom"),
        "workers": _("Who departs from the others"),
        "ceiling": _("Agreement of judges with people, beside people’s own"),
        "calibration": _("Do a judge’s scores mean what they say?"),
    }
    named = f": {judge}" if judge and kind in ("systems", "spread") else ""
    return f"{titles[kind]}{named}" if kind in titles else ""


def figure_text(kind: str, facet: str, judge: str = "", crowd: str = "") -> str:
    """What such a figure shows, in a sentence."""
    about = {"facet": facet, "judge": judge, "crowd": party_title(crowd).lower()}
    texts = {
        "heat": (
            _("%(facet)s: Krippendorff’s α of every two of %(crowd)s, as a heat map.")
            if crowd
            else _("%(facet)s: Krippendorff’s α of every two raters, as a heat map.")
        ),
        "time": _("%(facet)s: α of all answers given until a point in time."),
        "against": _(
            "%(facet)s: answers of %(judge)s against those of %(crowd)s to the same questions."
        ),
        "systems": _("%(facet)s by system and rater, as points with 95 %% intervals."),
        "spread": _("%(facet)s: quartiles of each system’s scores, or shares of each answer."),
        "correlations": _("%(facet)s: correlation of each judge with people, at each level."),
        "differences": _("%(facet)s: the mean of the system in a row minus that in a column."),
        "wins": _(
            "%(facet)s: how often the system in a row won against the one in a column, a tie "
            "counting half."
        ),
        "workers": _("%(facet)s: each rater’s agreement with the others, by number of answers."),
        "ceiling": _(
            "%(facet)s: people’s agreement with each other beside each judge’s with them."
        ),
        "calibration": _("%(facet)s: people’s share of yes, by the judge’s score."),
    }
    return texts.get(kind, "") % about


def described(text: str, plot: Plot) -> str:
    """The sentence with the numbers of the figure, or with where they are; or with the reason why
    nothing is drawn."""
    if isinstance(plot, Nothing):
        return f"{text} {plot.reason}".strip()
    grid = plot.grid()
    if len(grid.lines) * len(grid.heads) > MOST_TOLD:
        return f"{text} {_('Its numbers are in the table linked below it.')}"
    return f"{text} {plot.measure}: {_told(grid)}."


def _told(grid: Grid) -> str:
    """Line by line, each cell under the name of its column."""
    lines = []
    for line in grid.lines:
        cells = [
            f"{head} {_said(cell)}"
            for head, cell in zip(grid.heads, line.cells, strict=True)
            if cell is not None
        ]
        lines.append(": ".join(filter(None, [line.title, ", ".join(cells)])))
    return "; ".join(lines)


def _said(cell: Cell) -> str:
    if cell.undefined:
        return f"({cell.undefined})"
    about = ", ".join(filter(None, [cell.interval, cell.n]))
    return f"{cell.value} ({about})" if about else cell.value
