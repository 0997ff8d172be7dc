"""The parts of a figure on a page: paths and texts, placed in the units of its view box."""

from collections.abc import Sequence
from dataclasses import dataclass

from results.figures.layout.axes import Axis, cut_text, text_width
from results.figures.looks import look_of

WIDTH, FONT = 400, 14.0
# Room for the names of rows at most, for half a number beside the axis, and between two texts.
NAMES, EDGE, GAP = 185.0, 22.0, 6.0
# From the end of an axis to the numbers, to its title, and to the end of the figure.
TICKS, TITLE, BELOW = 17.0, 35.0, 43.0
# Figures up to these widths have room beside others, or in a column of the page; else they take
# the whole page.
SIZES = {"narrow": WIDTH, "wide": 700.0}
# The middle of a line of text, above its foot.
MIDDLE = 0.35
# The shape of each party, drawn from its middle; as in files, so that none needs its colour.
MARKS = (
    "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z",
    "m-3.2-3.2h6.4v6.4h-6.4z",
    "m0-4.5l4.5 4.5l-4.5 4.5l-4.5-4.5z",
    "m0-4l4.2 7.2h-8.4z",
    "m0 4l4.2-7.2h-8.4z",
    "m-1.4-4.2h2.8v2.8h2.8v2.8h-2.8v2.8h-2.8v-2.8h-2.8v-2.8h2.8z",
)


@dataclass(frozen=True)
class Shape:
    """A path. style: its classes in `figure.css`; opacity: of a shade of a colour."""

    style: str
    path: str
    opacity: str = ""


@dataclass(frozen=True)
class Label:
    """A text. whole: all of it where it had to be cut; upwards: written from below."""

    style: str
    x: float
    y: float
    text: str
    whole: str = ""
    size: float | None = None
    upwards: bool = False


@dataclass(frozen=True)
class Key:
    """A party in the legend, with its mark."""

    name: str
    mark: Shape


@dataclass(frozen=True)
class Layout:
    """Where everything of a figure stands. note: what is said above it."""

    height: float
    shapes: Sequence[Shape]
    labels: Sequence[Label]
    legend: Sequence[Key] = ()
    note: str = ""
    width: float = WIDTH
    font: float = FONT

    @property
    def size(self) -> str:
        """How much room it needs to be read: the end of a class in `figure.css`."""
        return next((name for name, most in SIZES.items() if self.width <= most), "whole")


def label_of(
    style: str,
    place: tuple[float, float],
    text: str,
    room: float,
    *,
    size: float = FONT,
    upwards: bool = False,
) -> Label:
    """The text in that room, cut where it needs more."""
    shown = cut_text(text, size, room)
    x, y = place
    return Label(
        style,
        _tenth(x),
        _tenth(y),
        shown,
        whole="" if shown == text else text,
        size=None if size == FONT else size,
        upwards=upwards,
    )


def marks_of(party: int, places: Sequence[tuple[float, float]]) -> Shape:
    """The marks of one party as one path."""
    look = look_of(party)
    path = "".join(f"M{_tenth(x)} {_tenth(y)}{MARKS[look.shape]}" for x, y in places)
    hollow = " plot__mark--hollow" if look.hollow else ""
    return Shape(styled("mark", party) + hollow, path)


def legend_of(names: Sequence[str]) -> list[Key]:
    """The parties in their order."""
    return [Key(name, marks_of(party, [(0, 0)])) for party, name in enumerate(names)]


def styled(kind: str, party: int) -> str:
    """The classes of a party's line, mark or area."""
    return f"plot__{kind} plot__party--{look_of(party).ink + 1}"


def row_names(names: Sequence[str], top: float, height: float) -> tuple[float, list[Label]]:
    """The names before rows of that height, and where the rows begin."""
    size = min(FONT, height - 1)
    room = min(NAMES, max((text_width(name, size) for name in names), default=0))
    first = top + height / 2 + size * MIDDLE
    labels = [
        label_of("plot__before", (room, first + height * at), name, room, size=size)
        for at, name in enumerate(names)
    ]
    return max(room + GAP, EDGE), labels


def axis_across(axis: Axis, title: str, top: float, bottom: float) -> tuple[Shape, list[Label]]:
    """Lines and numbers of a horizontal axis; numbers that would touch others are left out."""
    lines, labels, free = "", [], 0.0
    for value, text in axis.ticks:
        x, half = axis.at(value), text_width(text, FONT) / 2
        lines += f"M{x} {_tenth(top)}V{_tenth(bottom)}"
        if x - half >= free and x + half <= WIDTH:
            labels.append(Label("plot__middle", x, _tenth(bottom + TICKS), text))
            free = x + half + GAP
    middle = (axis.start + axis.end) / 2
    room = 2 * min(middle, WIDTH - middle)
    named = label_of("plot__middle", (middle, bottom + TITLE), title, room)
    return Shape("plot__grid", lines), [*labels, named]


def axis_up(axis: Axis, title: str) -> tuple[Shape, list[Label], float]:
    """Lines and numbers of a vertical axis under its title, and where the rest begins."""
    left = max(text_width(text, FONT) for _value, text in axis.ticks)
    lines, labels = "", [label_of("plot__text", (0, FONT), title, WIDTH)]
    for value, text in axis.ticks:
        y = axis.at(value)
        lines += f"M{_tenth(left + GAP)} {y}H{WIDTH}"
        labels.append(Label("plot__before", _tenth(left), _tenth(y + FONT * MIDDLE), text))
    return Shape("plot__grid", lines), labels, left + GAP


def _tenth(length: float) -> float:
    return round(length, 1)
