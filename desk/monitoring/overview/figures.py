"""Small figures of the overview as shapes of an SVG, whose colours are classes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from desk.monitoring.overview.control_rate import ControlStep
from desk.monitoring.overview.progress import RoundProgress

WIDTH, HEIGHT = 240, 56
# Between two bars, as a share of the room of one.
GAP = 0.25
# Of a bar that stands for something, so that it can be seen.
LOWEST = 2


@dataclass(frozen=True)
class Bar:
    """A bar of a small figure. path: as in SVG; title: what it stands for."""

    path: str
    title: str


def bars(heights: Sequence[float], titles: Iterable[str]) -> list[Bar]:
    """Bars side by side over the whole width, the highest as high as the figure; nothing is drawn
    for 0."""
    most = max(heights, default=0)
    room = WIDTH / max(1, len(heights))
    drawn = []
    for at, (height, title) in enumerate(zip(heights, titles, strict=True)):
        if height:
            up = max(LOWEST, HEIGHT * height / most)
            left, right = at * room + room * GAP / 2, (at + 1) * room - room * GAP / 2
            path = f"M{left:.1f} {HEIGHT}V{HEIGHT - up:.1f}H{right:.1f}V{HEIGHT}Z"
            drawn.append(Bar(path, title))
    return drawn


@dataclass(frozen=True)
class ShareLine:
    """Shares over time: a line from 0 at the bottom to 1 at the top, with a mark at each step."""

    path: str
    marks: list[Bar]


def line(steps: Sequence[ControlStep]) -> ShareLine:
    """The shares of controls that were right, step by step."""
    between = WIDTH / max(1, len(steps) - 1)
    margin = 4
    places = []
    for at, step in enumerate(steps):
        x = min(WIDTH - margin, max(margin, at * between))
        y = margin + (HEIGHT - 2 * margin) * (1 - (step.score.share or 0))
        places.append((x, y, f"{step.until:%Y-%m-%d %H:%M}: {step.score.right}/{step.score.met}"))
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y, _ in places)
    marks = [Bar(f"M{x - 3:.1f} {y:.1f}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0Z", t) for x, y, t in places]
    return ShareLine(f"M{path}", marks)


@dataclass(frozen=True)
class Column:
    """Units with so many counted answers, in a histogram. percent: of the fullest column."""

    answers: int
    units: int
    bar: Bar | None


def histogram(progress: RoundProgress) -> list[Column]:
    """How many units of a round have 0, 1, … counted answers, without gaps."""
    most = max(progress.by_answers, default=0)
    wanted = -(-progress.wanted // progress.units) if progress.units else 0
    counts = [progress.by_answers.get(n, 0) for n in range(max(most, wanted) + 1)]
    drawn = iter(bars(counts, [f"{n}" for n in counts]))
    return [
        Column(answers, units, next(drawn) if units else None)
        for answers, units in enumerate(counts)
    ]
