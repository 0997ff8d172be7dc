"""Figures with a row for each name: points with intervals, and distributions."""

from collections.abc import Sequence
from dataclasses import replace

from results.figures.layout.axes import Axis, number_axis
from results.figures.layout.shapes import (
    BELOW,
    EDGE,
    GAP,
    MIDDLE,
    WIDTH,
    Label,
    Layout,
    Shape,
    axis_across,
    label_of,
    legend_of,
    marks_of,
    row_names,
    styled,
)
from results.figures.plots import Box, Boxes, Points, Range, Ranges, Series

# Heights: of a party in a row and around them, of a row with one distribution, of half its bar.
PARTY, AROUND, ROW, HALF = 12.0, 8.0, 20.0, 5.0
# Letters of what stands in place of a mark.
SMALL = 13.0


def layout_points(plot: Points) -> Layout:
    """Categories downwards; in each a mark per party on a line from bound to bound."""
    height = PARTY * len(plot.series) + AROUND
    left, names = row_names(plot.categories, GAP, height)
    bottom = GAP + height * len(plot.categories)
    axis = number_axis(plot.numbers(), left, WIDTH - EDGE, plot.ends)
    grid, ticks = axis_across(axis, plot.measure, GAP, bottom)
    shapes = [grid]
    for party, series in enumerate(plot.series):
        first = GAP + AROUND / 2 + PARTY * (party + 0.5)
        rows = [first + height * at for at in range(len(plot.categories))]
        shapes += _intervals(series, party, axis, rows)
    legend = legend_of([series.name for series in plot.series])
    return Layout(bottom + BELOW, shapes, [*names, *ticks], legend)


def _intervals(series: Series, party: int, axis: Axis, rows: Sequence[float]) -> list[Shape]:
    """One party: its intervals as one path, its marks as another."""
    lines, places = "", []
    for point, y in zip(series.points, rows, strict=True):
        if point is None or point.value is None:
            continue
        places.append((axis.at(point.value), y))
        if point.low is not None and point.high is not None:
            lines += f"M{axis.at(point.low)} {y:.1f}H{axis.at(point.high)}"
    intervals = [Shape(styled("line", party), lines)] if lines else []
    return [*intervals, marks_of(party, places)]


def layout_boxes(plot: Boxes) -> Layout:
    """The whole range as a line, the middle half as a bar, the median as a mark."""
    left, names = row_names([box.title for box in plot.boxes], GAP, ROW)
    bottom = GAP + ROW * len(plot.boxes)
    fences = [end for box in plot.boxes for end in box.fences]
    axis = number_axis(fences, left, WIDTH - EDGE, plot.ends)
    grid, ticks = axis_across(axis, plot.measure, GAP, bottom)
    parties = list(dict.fromkeys(box.party for box in plot.boxes))
    shapes = [grid]
    for at, box in enumerate(plot.boxes):
        shapes += _box(box, parties.index(box.party), axis, GAP + ROW * (at + 0.5))
    return Layout(bottom + BELOW, shapes, [*names, *ticks])


def _box(box: Box, party: int, axis: Axis, y: float) -> list[Shape]:
    least, lower, median, upper, most = (axis.at(fence) for fence in box.fences)
    bar = f"M{lower} {y - HALF:.1f}H{upper}V{y + HALF:.1f}H{lower}z"
    return [
        Shape(styled("line", party), f"M{least} {y:.1f}H{most}"),
        Shape(styled("bar", party), bar),
        marks_of(party, [(median, y)]),
    ]


def layout_ranges(plot: Ranges) -> Layout:
    """A mark on a line from bound to bound; where there is no value, the reason in its place."""
    left, names = row_names([line.name for line in plot.lines], GAP, ROW)
    names = [
        replace(name, whole=line.whole) if line.whole != line.name else name
        for name, line in zip(names, plot.lines, strict=True)
    ]
    bottom = GAP + ROW * len(plot.lines)
    axis = number_axis(plot.numbers(), left, WIDTH - EDGE, plot.ends)
    grid, ticks = axis_across(axis, plot.measure, GAP, bottom)
    dashed = "".join(f"M{axis.at(mark)} {GAP}V{bottom:.1f}" for mark in plot.marks)
    shapes = [grid, Shape("plot__equals", dashed)] if dashed else [grid]
    for at, line in enumerate(plot.lines):
        y = GAP + ROW * (at + 0.5)
        if line.estimate is not None and line.estimate.value is not None:
            shapes += _range(line, axis, y)
        else:
            names.append(_reason(line, left, y))
    return Layout(bottom + BELOW, shapes, [*names, *ticks])


def _range(line: Range, axis: Axis, y: float) -> list[Shape]:
    of = line.estimate
    assert of is not None
    assert of.value is not None
    mark = marks_of(line.party, [(axis.at(of.value), y)])
    if of.low is None or of.high is None:
        return [mark]
    return [
        Shape(styled("line", line.party), f"M{axis.at(of.low)} {y:.1f}H{axis.at(of.high)}"),
        mark,
    ]


def _reason(line: Range, left: float, y: float) -> Label:
    reason = (line.estimate and line.estimate.undefined) or "no figure"
    return label_of("plot__reason", (left, y + SMALL * MIDDLE), reason, WIDTH - left, size=SMALL)
