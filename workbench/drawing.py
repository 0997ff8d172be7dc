"""Agreement by version as a line with intervals: where its parts stand in a drawing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from workbench.loop import Version

# In the drawing's own units.
STEP, LEFT, TOP, HEIGHT, BOTTOM = 72, 44, 12, 150, 30
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class Point:
    """A version: the middle of its mark, and the ends of its interval. sealed: of its look."""

    x: float
    y: float
    low: float | None
    high: float | None
    label: str
    sealed: bool = False


@dataclass(frozen=True)
class Line:
    """The figures of a facet by version, on development and by looks, and how people agree."""

    title: str
    points: Sequence[Point]
    looks: Sequence[Point]
    people: float | None
    ticks: Sequence[tuple[str, float]]
    width: float
    height: float

    @property
    def path(self) -> str:
        """Through the points of development."""
        return " ".join(f"{point.x:g},{point.y:g}" for point in self.points)

    @property
    def right(self) -> float:
        """Where the lines of the scale end."""
        return self.width - STEP / 4

    @property
    def text_y(self) -> float:
        """Where the names of versions stand."""
        return self.height - BOTTOM / 3


def line_of(versions: Sequence[Version], facet: str) -> Line | None:
    """The drawing of a facet; None where no version has a figure."""
    points, looks, people, title = [], [], None, ""
    for at, version in enumerate(versions):
        figure = next(each for each in version.figures if each.facet == facet)
        title, x, name = figure.title, LEFT + STEP * (at + 0.5), f"@{version.rater.version}"
        estimate = figure.estimate
        if estimate.value is not None:
            points.append(_point(x - 5, float(estimate), estimate.low, estimate.high, name))
            people = figure.people.value if figure.people.value is not None else people
        looked = _looked(version, facet)
        if looked:
            bounds = looked["low"], looked["high"]
            looks.append(_point(x + 5, looked["value"], *bounds, name, sealed=True))
    if not points and not looks:
        return None
    return Line(
        title=title,
        points=points,
        looks=looks,
        people=None if people is None else _y(people),
        ticks=[(f"{tick:g}", _y(tick)) for tick in TICKS],
        width=LEFT + STEP * max(len(versions), 3),
        height=TOP + HEIGHT + BOTTOM,
    )


def _looked(version: Version, facet: str) -> dict[str, Any] | None:
    figures = version.look.figures if version.look else []
    found = next((each for each in figures if each["facet"] == facet), None)
    return found if found and found["value"] is not None else None


def _point(
    x: float, value: float, low: float | None, high: float | None, label: str, **look: bool
) -> Point:
    ends = None if low is None else _y(low), None if high is None else _y(high)
    return Point(x, _y(value), *ends, label, **look)


def _y(value: float) -> float:
    return round(TOP + HEIGHT * (1 - value), 1)
