"""How unusual it is to work so: fast, faster than reading, in straight lines, with equal texts."""

import re
from collections.abc import Mapping, Sequence
from math import isfinite

import numpy as np

FACTOR_CAP = 3.0
SHINGLE = 3
# Chinese and Japanese part no words: each of their characters is one.
_CHARACTERS = r"\u3040-\u30ff\u3400-\u9fff"
_WORD = re.compile(rf"[{_CHARACTERS}]|[^\W{_CHARACTERS}]+")


def relative_speed(seconds: Sequence[float], usual: Sequence[float]) -> float:
    """How many times as fast as usual somebody answered: the mean of usual / own seconds, each at
    most 3, so that a few answers at once do not decide.

    seconds: (n,) of the person's answers, in seconds > 0; usual: (n,) the median of other people's
    to the same kind of question, > 0. Returns a number in (0, 3]; 1 is usual. None missing.
    ValueError for no answers, unequal lengths, or seconds that are not positive numbers.

    Source: Leiner (2019), "Too Fast, too Straight, too Weird: Non-Reactive Indicators for
    Meaningless Data in Internet Surveys" (relative speed index); that speeders are told by a
    share of the usual time: Zhang and Conrad (2014), "Speeding in Web Surveys".
    """
    if not seconds or len(seconds) != len(usual):
        raise ValueError("as many usual seconds as own ones are needed, and one at least")
    if any(not isfinite(each) or each <= 0 for each in (*seconds, *usual)):
        raise ValueError("seconds must be positive numbers")
    factors = [min(of / own, FACTOR_CAP) for own, of in zip(seconds, usual, strict=True)]
    return sum(factors) / len(factors)


def reading_rate(words: int, seconds: float) -> float:
    """Words a minute at which so many words would have been read in so many seconds (> 0; else
    ValueError).

    Source for what is usual: Brysbaert (2019), "How many words do we read per minute?": 238 in
    silent reading of English non-fiction, most adults between 175 and 300.
    """
    if words < 0 or not seconds > 0:
        raise ValueError("words must not be negative, and seconds more than 0")
    return 60 * words / seconds


def run_p_value(longest: int, chances: Sequence[Mapping[str, float]]) -> float:
    """Probability that n independent answers hold a run of `longest` equal ones or more.

    chances: (n,) per question, in the order in which they were answered, answer -> probability.
    What is missing from 1 is answers that never begin or continue a run. So questions that
    everybody answers alike make a run likely, and it is no sign of anything.

    Returns a probability, 1 for `longest` of at most 1 (and n > 0), 0 for one over n. Computed
    exactly: by the answer last given and how often, question by question. ValueError for
    `longest` < 1, or chances that are negative or over 1 together.

    Source: long strings as a sign of careless answers, Huang, Curran, Keeney, Poposki and DeShon
    (2012), "Detecting and Deterring Insufficient Effort Responding to Surveys"; the
    distribution of a longest run, Schilling (1990), "The Longest Run of Heads".
    """
    if longest < 1:
        raise ValueError("a run has at least one answer")
    if any(min(each.values(), default=0) < 0 or sum(each.values()) > 1 + 1e-9 for each in chances):
        raise ValueError("chances must be probabilities of one answer each")
    if longest == 1 or longest > len(chances):
        return float(0 < longest <= len(chances))
    place = {name: at for at, name in enumerate({name: 0 for each in chances for name in each})}
    in_run = np.zeros((len(place), longest - 1))  # by the answer, and how often it came last
    other, reached = 1.0, 0.0
    for each in chances:
        p = np.zeros(len(place))
        p[[place[name] for name in each]] = list(each.values())
        so_far = in_run.sum(axis=1)
        total = so_far.sum() + other
        reached += float(p @ in_run[:, -1])
        moved = np.empty_like(in_run)
        moved[:, 1:] = p[:, None] * in_run[:, :-1]
        moved[:, 0] = p * (total - so_far)
        in_run, other = moved, max(0.0, 1 - float(p.sum())) * total
    return min(max(reached, 0.0), 1.0)


def shingles(text: str) -> frozenset[tuple[str, ...]]:
    """Every three words in sequence of a text, without case and marks; a shorter one is its words.

    Source: Broder (1997), "On the Resemblance and Containment of Documents".
    """
    words = _WORD.findall(text.casefold())
    if not words:
        return frozenset()
    size = min(SHINGLE, len(words))
    return frozenset(tuple(words[at : at + size]) for at in range(len(words) - size + 1))


def resemblance(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> float:
    """Jaccard's index of two texts' shingles: 1 for the same, 0 for nothing shared or no words.

    Source: Broder (1997), as above.
    """
    return len(one & other) / len(one | other) if one and other else 0.0
