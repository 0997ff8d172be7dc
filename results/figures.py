"""Figures as SVG: text as outlines and no style sheet, so that any page may show them."""

import io
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from results.plots import Plot, Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# A shape and a colour per party, told apart with most forms of colour blindness.
SHAPES = ("o", "s", "D", "^", "v", "P")
WIDTH, ROW, FRAME = 5.2, 0.3, 1.1


@dataclass(frozen=True)
class Theme:
    """Colours of a figure; its background is that of the page."""

    ink: str
    line: str
    parties: tuple[str, ...]


THEMES = {
    "light": Theme(
        "#1f2328", "#dcd8ce", ("#1d5c63", "#96620a", "#7b3f8c", "#b3451d", "#3b5bb5", "#5c6b1f")
    ),
    "dark": Theme(
        "#e8e6e1", "#3f444b", ("#7fc4c4", "#e5bd6c", "#cf9be0", "#f0956f", "#9db4ff", "#bccb78")
    ),
}


def draw(plot: Plot, theme: Theme) -> bytes:
    """The plot as an SVG file: the same plot gives the same bytes."""
    from matplotlib.figure import Figure

    _set_up()
    rows = len(plot.categories) * len(plot.series)
    figure = Figure(figsize=(WIDTH, FRAME + ROW * rows), layout="constrained")
    axes = figure.add_subplot()
    for at, series in enumerate(plot.series):
        _draw_series(axes, plot, series, at, theme)
    _dress(axes, plot, theme)
    out = io.BytesIO()
    figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    return _without_styles(out.getvalue().decode()).encode()


@cache
def _set_up() -> None:
    """Once per process: these settings are global, and requests run in threads."""
    import matplotlib as mpl

    mpl.rcParams.update(
        {
            "svg.fonttype": "path",
            "svg.hashsalt": "jurybox",
            "font.family": "DejaVu Sans",
            "font.size": 9,
        }
    )


def _draw_series(axes: "Axes", plot: Plot, series: Series, at: int, theme: Theme) -> None:
    """One party: a dot per category, and a line from the lower to the upper bound."""
    step = 0.8 / len(plot.series)
    colour = theme.parties[at % len(theme.parties)]
    drawn = False
    for row, point in enumerate(series.points):
        if point is None or point.value is None:
            continue
        y = row - 0.4 + step * (at + 0.5)
        if point.low is not None and point.high is not None:
            axes.plot([point.low, point.high], [y, y], color=colour, linewidth=1.6)
        axes.plot(
            *([point.value], [y]),
            marker=SHAPES[at % len(SHAPES)],
            color=colour,
            linestyle="none",
            markersize=6,
            label=None if drawn else series.name,
        )
        drawn = True


def _dress(axes: "Axes", plot: Plot, theme: Theme) -> None:
    axes.set_yticks(range(len(plot.categories)), plot.categories)
    axes.set_ylim(len(plot.categories) - 0.5, -0.5)  # the first category at the top
    axes.set_xlabel(plot.measure, color=theme.ink)
    axes.tick_params(colors=theme.ink, length=0)
    axes.grid(axis="x", color=theme.line, linewidth=0.8)
    axes.set_axisbelow(True)
    for side in axes.spines.values():
        side.set_visible(False)
    legend: Any = axes.legend(
        loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False, borderaxespad=0.2
    )
    for text in legend.get_texts():
        text.set_color(theme.ink)


def _without_styles(svg: str) -> str:
    """Styles as attributes: a content security policy without inline styles drops the former."""
    svg = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", svg, flags=re.DOTALL)
    svg = svg.replace("<svg ", '<svg stroke-linejoin="round" stroke-linecap="butt" ', 1)
    return re.sub(r' style="([^"]*)"', lambda found: _attributes(found.group(1)), svg)


def _attributes(style: str) -> str:
    pairs = (one.partition(":") for one in style.split(";") if one.strip())
    return "".join(f' {name.strip()}="{value.strip()}"' for name, _, value in pairs)
