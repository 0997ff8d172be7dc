"""A heat map: a field per row and column, in shades of two colours."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from results.figures.layout.axes import text_width
from results.figures.layout.shapes import (
    FONT,
    GAP,
    MIDDLE,
    TICKS,
    WIDTH,
    Label,
    Layout,
    Shape,
    label_of,
    row_names,
)
from results.figures.plots import Matrix

# Shades of a colour, room for names above columns, and how high a row may be.
SHADES, HEADS, LOWEST, HIGHEST = 24, 90.0, 11.0, 26.0
# Numbers are written into fields of that width or more, in letters of that size.
ROOMY, NUMBER, SMALLEST = 26.0, 9.0, 5.0
# The legend: its length and height.
LENGTH, STRIP = 144.0, 8.0
MISSING = "m-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0z"


class Field(NamedTuple):
    """One field by its upper corner before all others; None where there is no number."""

    x: float
    y: float
    value: float | None


def layout_matrix(plot: Matrix) -> Layout:
    """Rows as in the table; numbers are written into the fields while there is room."""
    left, _names = row_names(plot.rows, 0, HIGHEST)
    width = max((WIDTH - left) / len(plot.columns), _widest(plot))
    height = min(HIGHEST, max(LOWEST, width))
    top, heads = _heads(plot.columns, left, width)
    _left, names = row_names(plot.rows, top, height)
    fields = [
        Field(left + width * column, top + height * row, None if cell is None else cell.value)
        for row, cells in enumerate(plot.cells)
        for column, cell in enumerate(cells)
    ]
    bottom = top + height * len(plot.rows) + 2 * GAP
    scale, ends = _scale(plot, left, bottom)
    labels = [*names, *heads, *_numbers(plot, left, top, (width, height)), *ends]
    shapes = [*_shades(plot, fields, width, height), *_missing(fields, width, height), *scale]
    note = ", ".join(filter(None, [plot.measure, plot.note]))
    whole = max(WIDTH, round(left + width * len(plot.columns), 1))
    return Layout(bottom + STRIP + TICKS + GAP, shapes, labels, note=note, width=whole)


def _widest(plot: Matrix) -> float:
    """The width at which every number can be written into its field."""
    texts = [plot.text(row, at) for row in range(len(plot.rows)) for at in range(len(plot.columns))]
    return max([ROOMY, *(text_width(text, NUMBER) for text in texts)])


def _heads(names: Sequence[str], left: float, width: float) -> tuple[float, list[Label]]:
    """The names above the columns, upwards where one has no room; and where the rows begin."""
    widest = max(text_width(name, FONT) for name in names)
    middles = [left + width * (at + 0.5) for at in range(len(names))]
    if widest <= width - GAP:
        top = FONT + GAP
        named = zip(middles, names, strict=True)
        return top, [label_of("plot__middle", (x, FONT), name, width) for x, name in named]
    size = max(SMALLEST, min(FONT, width - 1))
    room = min(HEADS, widest * size / FONT)
    labels = [
        label_of("plot__text", (x + size * MIDDLE, room), name, room, size=size, upwards=True)
        for x, name in zip(middles, names, strict=True)
    ]
    return room + GAP, labels


def _shades(plot: Matrix, fields: Sequence[Field], width: float, height: float) -> list[Shape]:
    """The fields of each shade as one path."""
    paths: dict[tuple[str, int], str] = defaultdict(str)
    for field in fields:
        if field.value is not None:
            paths[_shade(plot, field.value)] += _rectangle(field.x, field.y, width, height)
    return [_shape(shade, path) for shade, path in sorted(paths.items())]


def _shade(plot: Matrix, value: float) -> tuple[str, int]:
    """Which of the two colours, and which of its shades."""
    colour, end = ("most", plot.high) if value >= plot.middle else ("least", plot.low)
    share = (value - plot.middle) / (end - plot.middle)
    return colour, min(SHADES - 1, int(share * SHADES))


def _shape(shade: tuple[str, int], path: str) -> Shape:
    colour, step = shade
    return Shape(f"plot__{colour}", path, f"{(step + 0.5) / SHADES:.2f}")


def _missing(fields: Sequence[Field], width: float, height: float) -> list[Shape]:
    """A dot where there is no number: the middle of the colours is nearly that of the page."""
    dots = [
        f"M{field.x + width / 2:.1f} {field.y + height / 2:.1f}{MISSING}"
        for field in fields
        if field.value is None
    ]
    return [Shape("plot__missing", "".join(dots))] if dots else []


def _numbers(plot: Matrix, left: float, top: float, size: tuple[float, float]) -> list[Label]:
    """The number of each field, in its middle."""
    width, height = size
    return [
        label_of(
            "plot__middle",
            (left + width * (column + 0.5), top + height * (row + 0.5) + NUMBER * MIDDLE),
            text,
            width,
            size=NUMBER,
        )
        for row in range(len(plot.rows))
        for column in range(len(plot.columns))
        if (text := plot.text(row, column))
    ]


def _scale(plot: Matrix, left: float, top: float) -> tuple[list[Shape], list[Label]]:
    """The legend: every shade from the least to the most, with the ends and the middle."""
    least = [("least", step) for step in reversed(range(SHADES))] if plot.low < plot.middle else []
    shades = [*least, *(("most", step) for step in range(SHADES))]
    width = LENGTH / len(shades)
    strip = [
        _shape(shade, _rectangle(left + width * at, top, width, STRIP))
        for at, shade in enumerate(shades)
    ]
    ends = [plot.low, (plot.low + plot.high) / 2, plot.high]
    labels = [
        label_of(
            "plot__middle",
            (left + LENGTH * at / 2, top + STRIP + TICKS),
            f"{end:.3g}".replace("-", "−"),
            LENGTH,
        )
        for at, end in enumerate(ends)
    ]
    return strip, labels


def _rectangle(x: float, y: float, width: float, height: float) -> str:
    return f"M{x:.1f} {y:.1f}h{width:.2f}v{height:.2f}h-{width:.2f}z"
