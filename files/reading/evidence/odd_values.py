"""What values of a column cannot be: no points of a scale, or no own ones."""

from files.columns.cells import MOST_POINTS
from files.columns.names import words_of
from files.columns.words import QUALITIES
from files.reading.evidence.profiles import Content, Profile

# A scale from 0 to 10 may be used evenly.
_MOST_ON_SCALE = 11


def chooses(profile: Profile) -> bool:
    """Whether cells name the first or the second of a pair."""
    said = {value.casefold() for value in profile.said}
    rest = said - {"a", "b"}
    letters = [value for value in rest if len(value) == 1 and value.isalpha()]
    return {"a", "b"} <= said and len(rest) < 3 and not letters


def name_criteria(profile: Profile) -> bool:
    """Whether cells say what was asked, and not what was answered."""
    told = sum(bool(words_of(value) & QUALITIES) for value in profile.said)
    is_plain = profile.numeric < 0.5 and profile.longest <= 30
    return is_plain and len(profile.said) > 1 and 2 * told >= len(profile.said)


def is_beyond(profile: Profile) -> bool:
    """Whether numbers are beyond every scale, or written as ids are."""
    if profile.numeric < 0.9 or len(profile.said) < 5:
        return False
    whole = [value for value in [*profile.said][:500] if value.isdigit()]
    ids = sum(value[0] == "0" and len(value) > 1 for value in whole)
    most = max(MOST_POINTS, 0.3 * profile.filled)
    return ids > 2 or (len(profile.said) > most and any(int(value) > 100 for value in whole))


def counts_places(profile: Profile) -> bool:
    """Whether numbers count from 0 or 1, over and over: what came when."""
    numbers = sorted(profile.numbers)
    first = numbers[:1] in ([0], [1])
    counted = first and numbers == [numbers[0] + n for n in range(len(numbers))]
    return counted and len(numbers) > _MOST_ON_SCALE and is_in_step(profile)


def is_in_step(profile: Profile) -> bool:
    """Whether each of several values stands there equally often."""
    values = profile.values
    kinds = (Content.LABELS, Content.CODES, Content.NUMBERS, Content.DATES)
    times = {*values.values()}
    return (
        profile.content in kinds
        and len(values) > 2
        and times == {profile.filled // len(values)}
        and times != {1}
        and profile.share_filled > 0.9
    )
