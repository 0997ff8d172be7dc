"""Figures with two axes: numbers over time, and pairs of numbers."""

from collections.abc import Sequence
from math import sqrt

from django.utils import timezone
from django.utils.translation import gettext as _

from results.figures.layout.axes import Axis, number_axis, time_axis
from results.figures.layout.shapes import (
    BELOW,
    EDGE,
    WIDTH,
    Layout,
    Shape,
    axis_across,
    axis_up,
    legend_of,
    marks_of,
    styled,
)
from results.figures.plots import Cloud, Curve

# Where both figures begin, below the title of the vertical axis, and end.
TOP, LOW, SQUARE = 22.0, 190.0, 310.0
# Half the width of a point, and how it grows with the pairs that it stands for.
POINT, GROWTH = 2.8, 0.7


def layout_curve(plot: Curve) -> Layout:
    """Points joined by lines: steps would hide the points."""
    up = number_axis(plot.numbers(), LOW, TOP)
    rows, numbers, left = axis_up(up, plot.measure)
    across = time_axis(plot.times, left, WIDTH - EDGE)
    title = _("Answers until (%(zone)s)") % {"zone": timezone.get_current_timezone_name()}
    _columns, times = axis_across(across, title, TOP, LOW)
    shapes = [rows]
    for party, series in enumerate(plot.series):
        places = [
            (across.at(time.timestamp()), up.at(point.value))
            for time, point in zip(plot.times, series.points, strict=True)
            if point is not None and point.value is not None
        ]
        if places:
            line = "M" + "L".join(f"{x} {y}" for x, y in places)
            shapes += [Shape(styled("line", party), line), marks_of(party, places)]
    legend = legend_of([series.name for series in plot.series])
    return Layout(LOW + BELOW, shapes, [*numbers, *times], legend)


def layout_cloud(plot: Cloud) -> Layout:
    """A point per distinct pair, larger where it comes up more often, and the line of equals on a
    scale that both share."""
    both = [*plot.x, *plot.y]
    title_across, title_up = plot.titles
    up = number_axis(plot.y if plot.own_scales else both, SQUARE, TOP)
    rows, numbers, left = axis_up(up, title_up)
    across = number_axis(plot.x if plot.own_scales else both, left, WIDTH - EDGE)
    columns, more = axis_across(across, title_across, TOP, SQUARE)
    equals = [] if plot.own_scales else [_equals(both, across, up)]
    points = [
        Shape("plot__point", _circle(across.at(x), up.at(y), times))
        for x, y, times in zip(plot.x, plot.y, plot.times, strict=True)
    ]
    shapes = [rows, columns, *equals, *points]
    return Layout(SQUARE + BELOW, shapes, [*numbers, *more], note=plot.note)


def _equals(values: Sequence[float], across: Axis, up: Axis) -> Shape:
    low, high = min(values), max(values)
    line = f"M{across.at(low)} {up.at(low)}L{across.at(high)} {up.at(high)}"
    return Shape("plot__equals", line)


def _circle(x: float, y: float, times: int) -> str:
    r = round(sqrt(POINT**2 + GROWTH * POINT * sqrt(times - 1)), 1)
    return f"M{x} {y}m-{r} 0a{r} {r} 0 1 0 {2 * r:g} 0a{r} {r} 0 1 0-{2 * r:g} 0z"
