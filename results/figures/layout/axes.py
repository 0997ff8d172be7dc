"""Axes of the figures on a page: the numbers and times written on them, and the room names take."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import ceil, floor, inf, log10
from unicodedata import east_asian_width

from django.utils import timezone
from django.utils.formats import date_format

# Width of a letter of text of size 1, more than most fonts need, and of the widest in short names.
LETTER, WIDE_LETTER, SPARE = 0.6, 1.0, 0.4
MOST_TICKS, MOST_TIMES = 6, 4
MARGIN = 0.04
MINUTE, HOUR, DAY = 60, 3_600, 86_400
# Distances between the times on an axis, in seconds; whole hours and days are round in UTC.
PERIODS = (
    *(MINUTE * n for n in (1, 2, 5, 10, 15, 30)),
    *(HOUR * n for n in (1, 2, 3, 6, 12)),
    *(DAY * n for n in (1, 2, 7, 14, 28, 91, 182, 364, 1_820)),
)


@dataclass(frozen=True)
class Axis:
    """Places along one direction of a figure: value -> position, and what is written there."""

    low: float
    high: float
    start: float
    end: float
    ticks: Sequence[tuple[float, str]]

    def at(self, value: float) -> float:
        """Where the value lies, to a tenth of a unit."""
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)


def number_axis(
    values: Sequence[float], start: float, end: float, ends: tuple[float, float] = (-inf, inf)
) -> Axis:
    """From a little below the least value to a little above the most, with round numbers; not
    beyond the ends of the scale, unless a value lies there. Of one whole number, that number."""
    low, high = _widened(min(values), max(values))
    low, high = max(low, min(ends[0], *values)), min(high, max(ends[1], *values))
    step = _round_step((high - low) / MOST_TICKS)
    digits = max(0, -floor(log10(step)))
    numbers = [n * step for n in range(ceil(low / step), floor(high / step) + 1)]
    if len(set(values)) == 1 and float(values[0]).is_integer():
        numbers, digits = [values[0]], 0
    ticks = [(number, _number(number, digits)) for number in numbers]
    return Axis(low, high, start, end, ticks)


def time_axis(times: Sequence[datetime], start: float, end: float) -> Axis:
    """From the first to the last time, with round times."""
    seconds = [time.timestamp() for time in times]
    low, high = _widened(min(seconds), max(seconds))
    period = next(
        (length for length in PERIODS if (high - low) / length <= MOST_TIMES), PERIODS[-1]
    )
    at = [n * period for n in range(ceil(low / period), floor(high / period) + 1)]
    ticks = [(float(second), _time(second, period, high - low)) for second in at]
    return Axis(low, high, start, end, ticks)


def text_width(text: str, size: float) -> float:
    """The width of the text: an upper bound for most fonts."""
    wide = sum(east_asian_width(letter) in "WF" for letter in text)
    return size * (LETTER * (len(text) - wide) + WIDE_LETTER * wide + SPARE)


def cut_text(text: str, size: float, room: float) -> str:
    """The text, with an ellipsis for what does not fit into the room."""
    if text_width(text, size) <= room:
        return text
    kept = text
    while kept and text_width(f"{kept}…", size) > room:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


def _widened(low: float, high: float) -> tuple[float, float]:
    margin = MARGIN * (high - low) or max(abs(high), 1.0) / 10
    return low - margin, high + margin


def _round_step(least: float) -> float:
    """1, 2 or 5 times a power of ten, no less than that."""
    power = 10.0 ** floor(log10(least))
    return next(n * power for n in (1, 2, 5, 10) if n * power >= least * (1 - 1e-9))


def _number(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    return (text[1:] if not float(text) and text[0] == "-" else text).replace("-", "−")


def _time(second: float, period: float, span: float) -> str:
    time = timezone.localtime(datetime.fromtimestamp(second, tz=UTC))
    if period >= DAY:
        return date_format(time, "j M" if span < 300 * DAY else "M Y")
    return date_format(time, "H:i" if span < DAY else "j M, H:i")
