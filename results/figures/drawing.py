"""How each kind of plot is drawn."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Any

from django.conf import settings

from results.figures.looks import KINDS, look_of
from results.figures.plots import Boxes, Cloud, Curve, Matrix, Nothing, Plot, Points, Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# A shape and a colour per party, told apart with most forms of colour blindness.
SHAPES = ("o", "s", "D", "^", "v", "P")
WIDTH, ROW, FRAME = 5.2, 0.3, 1.1
SQUARE = 4.6
# Columns of a heat map that have room beside a page's text; what each one more needs, in inches.
MOST_WRITTEN, FIELD = 9, 0.34
# Shades of a heat map on either side of its middle: of more than fifty together the legend would
# become a picture within the SVG.
STEPS = 24
# Letters of a title over a heat map, beside the names of its rows.
TITLE = 48


@dataclass(frozen=True)
class Theme:
    """Colours of a figure; its background is that of the page. shades_up, shades_down: of a heat
    map, from its middle to the most and to the least."""

    ink: str
    line: str
    parties: tuple[str, ...]
    shades_up: tuple[str, ...]
    shades_down: tuple[str, ...]


def read_themes(css: str) -> dict[str, Theme]:
    """The colours that the pages' style sheet names, which has the dark ones in a media query."""
    themes = {}
    for name, part in zip(("light", "dark"), css.split("@media"), strict=False):
        colours = dict(re.findall(r"--([\w-]+): (#\w{6});", part))
        middle = colours["paper-raised"]
        themes[name] = Theme(
            ink=colours["figure-ink"],
            line=colours["figure-line"],
            parties=tuple(colours[f"figure-{at}"] for at in range(1, KINDS + 1)),
            shades_up=shades(middle, colours["figure-most"]),
            shades_down=shades(middle, colours["figure-least"]),
        )
    return themes


def shades(middle: str, end: str) -> tuple[str, ...]:
    """From one colour almost to another, in equal steps."""
    first, last = (
        tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5)) for colour in (middle, end)
    )
    steps = [(at + 0.5) / STEPS for at in range(STEPS)]
    mixed = [
        [round(a + (b - a) * step) for a, b in zip(first, last, strict=True)] for step in steps
    ]
    return tuple("#{:02x}{:02x}{:02x}".format(*colour) for colour in mixed)


THEMES = read_themes((settings.BASE_DIR / "static" / "css" / "tokens.css").read_text())
# Of files that leave the page.
PAPER = THEMES["light"]


def figure_of(plot: Plot, theme: Theme) -> "Figure":
    """The plot as a figure of matplotlib."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=_size(plot), layout="constrained")
    axes = figure.add_subplot()
    for kind, draw in DRAWN.items():
        if isinstance(plot, kind):
            draw(axes, plot, theme)
    _dress(axes, plot, theme)
    return figure


def _size(plot: Plot) -> tuple[float, float]:
    if isinstance(plot, Points):
        return WIDTH, FRAME + ROW * len(plot.categories) * len(plot.series)
    if isinstance(plot, Boxes):
        return WIDTH, FRAME + ROW * len(plot.boxes)
    if isinstance(plot, Matrix):
        side = max(0, len(plot.columns) - MOST_WRITTEN) * FIELD
        return WIDTH + side, FRAME + 0.35 + max(1.2, min(SQUARE + side, 0.42 * len(plot.rows)))
    return WIDTH, 0.6 if isinstance(plot, Nothing) else 3.4


def _points(axes: "Axes", plot: Points, theme: Theme) -> None:
    for at, series in enumerate(plot.series):
        _series(axes, plot, series, at, theme)
    axes.set_yticks(range(len(plot.categories)), plot.categories)
    axes.set_ylim(len(plot.categories) - 0.5, -0.5)  # the first category at the top
    axes.set_xlabel(plot.measure)
    _end_axis(axes, plot.ends, plot.numbers())
    axes.grid(axis="x", color=theme.line, linewidth=0.8)


def _end_axis(axes: "Axes", ends: tuple[float, float], values: Sequence[float]) -> None:
    """No farther than the ends of the scale, unless a value lies beyond. Marks at an end are drawn
    whole."""
    low, high = axes.get_xlim()
    axes.set_xlim(max(low, min(ends[0], *values)), min(high, max(ends[1], *values)))
    for line in axes.lines:
        line.set_clip_on(False)


def _series(axes: "Axes", plot: Points, series: Series, at: int, theme: Theme) -> None:
    """One party: a dot per category, and a line from the lower to the upper bound."""
    step = 0.8 / len(plot.series)
    colour = _colour(theme, at)
    label: str | None = series.name
    for row, point in enumerate(series.points):
        if point is None or point.value is None:
            continue
        y = row - 0.4 + step * (at + 0.5)
        if point.low is not None and point.high is not None:
            axes.plot([point.low, point.high], [y, y], color=colour, linewidth=1.6)
        mark = {**_mark(at), "markersize": 6, "linestyle": "none"}
        axes.plot([point.value], [y], color=colour, label=label, **mark)
        label = None


def _curve(axes: "Axes", plot: Curve, theme: Theme) -> None:
    """Points joined by lines: steps would hide the points."""
    for at, series in enumerate(plot.series):
        points = [
            (time, point.value)
            for time, point in zip(plot.times, series.points, strict=True)
            if point is not None and point.value is not None
        ]
        marks = {**_mark(at), "markersize": 4}
        times: Any = [time for time, _ in points]  # matplotlib takes datetimes, its types do not
        values = [value for _, value in points]
        axes.plot(times, values, color=_colour(theme, at), label=series.name, **marks)
    axes.set_ylabel(plot.measure)
    axes.grid(axis="y", color=theme.line, linewidth=0.8)
    axes.figure.autofmt_xdate(rotation=25)


def _cloud(axes: "Axes", plot: Cloud, theme: Theme) -> None:
    """Larger where the same pair comes up more often: all points of a size are one line without a
    line, whose mark SVG holds once."""
    if not plot.own_scales:
        low, high = min(*plot.x, *plot.y), max(*plot.x, *plot.y)
        axes.plot([low, high], [low, high], color=theme.line, linewidth=1.2, zorder=1)
    mark: dict[str, Any] = {"marker": "o", "linestyle": "none", "markeredgewidth": 0, "alpha": 0.55}
    for n in sorted(set(plot.times), reverse=True):
        at = [place for place, times in enumerate(plot.times) if times == n]
        x, y = ([of[place] for place in at] for of in (plot.x, plot.y))
        size = (14.0 + 10.0 * (n - 1) ** 0.5) ** 0.5
        axes.plot(x, y, color=_colour(theme, 0), markersize=size, **mark)
    across, up = plot.titles
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.set_title(plot.note, fontsize=9, loc="left", color=theme.ink)


def _boxes(axes: "Axes", plot: Boxes, theme: Theme) -> None:
    """The whole range as a line, the middle half as a bar, the median as a mark."""
    parties = list(dict.fromkeys(box.party for box in plot.boxes))
    for row, box in enumerate(plot.boxes):
        least, lower, median, upper, most = box.fences
        at = parties.index(box.party)
        colour = _colour(theme, at)
        axes.plot([least, most], [row, row], color=colour, linewidth=1)
        axes.barh(row, upper - lower, left=lower, height=0.5, color=colour, alpha=0.35)
        mark = {**_mark(at), "markersize": 5, "linestyle": "none"}
        axes.plot([median], [row], color=colour, **mark)
    axes.set_yticks(range(len(plot.boxes)), [box.title for box in plot.boxes])
    axes.set_ylim(len(plot.boxes) - 0.5, -0.5)
    axes.set_xlabel(plot.measure)
    _end_axis(axes, plot.ends, [end for box in plot.boxes for end in box.fences])
    axes.grid(axis="x", color=theme.line, linewidth=0.8)


def _matrix(axes: "Axes", plot: Matrix, theme: Theme) -> None:
    """From one colour over the page's to another, with the number where there is room."""
    from matplotlib.colors import ListedColormap

    down = theme.shades_down[::-1] if plot.low < plot.middle else ()
    colours = ListedColormap([*down, *theme.shades_up])
    values = [
        [float("nan") if cell is None or cell.value is None else cell.value for cell in of]
        for of in plot.cells
    ]
    # A mesh rather than an image: SVG holds rectangles, no embedded picture.
    mesh = axes.pcolormesh(values, cmap=colours, vmin=plot.low, vmax=plot.high, edgecolors="none")
    _mark_missing(axes, plot, theme)
    small = 9 if len(plot.rows) <= MOST_WRITTEN else 8
    axes.set_xticks([at + 0.5 for at in range(len(plot.columns))], plot.columns, fontsize=small)
    axes.set_yticks([at + 0.5 for at in range(len(plot.rows))], plot.rows, fontsize=small)
    axes.tick_params(axis="x", labelrotation=40 if len(plot.columns) <= MOST_WRITTEN else 90)
    axes.set_ylim(len(plot.rows), 0)
    axes.set_title(
        fill(", ".join(filter(None, [plot.measure, plot.note])), TITLE),
        fontsize=9,
        loc="left",
        color=theme.ink,
    )
    _write(axes, plot, theme)
    bar = axes.figure.colorbar(mesh, ax=axes, shrink=0.8)
    bar.ax.tick_params(colors=theme.ink, length=0)
    outline: Any = bar.outline
    outline.set_visible(False)


def _mark_missing(axes: "Axes", plot: Matrix, theme: Theme) -> None:
    """A dot where there is no number: the middle of the colours is nearly that of the page."""
    missing = [
        (column + 0.5, row + 0.5)
        for row, of in enumerate(plot.cells)
        for column, cell in enumerate(of)
        if cell is None or cell.value is None
    ]
    if missing:
        x, y = zip(*missing, strict=True)
        mark: dict[str, Any] = {"marker": ".", "markersize": 3, "linestyle": "none"}
        axes.plot(x, y, color=theme.line, **mark)


def _write(axes: "Axes", plot: Matrix, theme: Theme) -> None:
    for row in range(len(plot.rows)):
        for column in range(len(plot.columns)):
            if text := plot.text(row, column):
                centre: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 7}
                axes.text(column + 0.5, row + 0.5, text, color=theme.ink, **centre)


def _nothing(axes: "Axes", plot: Nothing, theme: Theme) -> None:
    axes.text(0, 0.5, plot.reason, color=theme.ink, wrap=True, transform=axes.transAxes)
    axes.set_xticks([])
    axes.set_yticks([])


def _colour(theme: Theme, at: int) -> str:
    return theme.parties[look_of(at).ink]


def _mark(at: int) -> dict[str, Any]:
    look = look_of(at)
    return {"marker": SHAPES[look.shape], **({"fillstyle": "none"} if look.hollow else {})}


def _dress(axes: "Axes", plot: Plot, theme: Theme) -> None:
    axes.tick_params(colors=theme.ink, length=0)
    axes.xaxis.label.set_color(theme.ink)
    axes.yaxis.label.set_color(theme.ink)
    axes.set_axisbelow(True)
    for side in axes.spines.values():
        side.set_visible(False)
    if isinstance(plot, Points | Curve):
        legend: Any = axes.legend(
            loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False, borderaxespad=0.2
        )
        for text in legend.get_texts():
            text.set_color(theme.ink)


DRAWN: dict[type, Callable[..., None]] = {
    Points: _points,
    Curve: _curve,
    Cloud: _cloud,
    Boxes: _boxes,
    Matrix: _matrix,
    Nothing: _nothing,
}
