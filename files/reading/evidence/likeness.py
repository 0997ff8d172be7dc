"""Whether columns hold values of one kind."""

from files.reading.evidence.profiles import Content, Profile


def alike(one: Profile, other: Profile) -> bool:
    """Whether two columns hold labels of one kind."""
    if one.content is other.content is Content.NUMBERS:
        return True
    if one.content is not other.content and min(one.numeric, other.numeric) < 0.9:
        return False
    first, second = ({v.casefold() for v in p.said} for p in (one, other))
    if one.numeric > 0.9 and other.numeric > 0.9:
        # Of ratings not all points need occur.
        low, high = _ends(one)
        lower, higher = _ends(other)
        return min(high, higher) - max(low, lower) >= 0.5 * min(high - low, higher - lower) and (
            max(high, higher) - min(low, lower) <= 2 * max(1, high - low, higher - lower)
        )
    return len(first & second) >= 0.5 * max(1, min(len(first), len(second)))


def share_scale(one: Profile, other: Profile) -> bool:
    """Whether two columns hold numbers between the same ends, or mostly the same words."""
    if min(one.numeric, other.numeric) < 0.9:
        return max(one.numeric, other.numeric) < 0.9 and alike(one, other)
    (low, high), (lower, higher) = _ends(one), _ends(other)
    slack = 0.1 * max(high - low, higher - lower)
    return high > low and abs(low - lower) <= slack and abs(high - higher) <= slack


def _ends(profile: Profile) -> tuple[float, float]:
    return min(profile.numbers, default=0.0), max(profile.numbers, default=0.0)
