"""Means of several answers, which are nobody's."""

from files.columns.words import SUMMARIES
from files.reading.evidence.profiles import Profile
from files.reading.layouts.sketch import says

_MEANS = SUMMARIES - {"final", "gold", "truth", "groundtruth", "total", "gesamt"}
# Means of so many answers; of two, scales have the same points.
_OF = range(3, 10)


def are_means(name: str, profile: Profile) -> bool:
    """Whether a column may hold means: its name says so, or its numbers are thirds and the like."""
    if profile.numeric < 0.9:
        return False
    values = profile.numbers
    broken = [value for value in values if abs(value * 2 - round(value * 2)) > 0.001]
    if says(name, _MEANS) and any(value != int(value) for value in values):
        return True
    if len(broken) < 0.2 * len(values) or len(broken) < 3 or _has_tenths(broken):
        return False
    return any(all(abs(v - round(v * k) / k) <= 0.006 for v in values) for k in _OF)


def _has_tenths(values: list[float]) -> bool:
    return all(abs(value * 10 - round(value * 10)) < 0.001 for value in values)
