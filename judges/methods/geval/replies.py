"""Read a score from a reply, or from the probabilities of its tokens."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tasktypes.machines.scores import Score, Scoring

_NUMBER = r"[-+]?\d+(?:\.\d+)?"
_SCORE = re.compile(rf"(?P<score>{_NUMBER})(?:\s*(?:/|out of)\s*(?P<end>{_NUMBER}))?", re.I | re.A)
# Characters that may surround the score.
_WRAPPING = " \t\r\n*_`\"'.()[]"
# Words that may stand before the score, besides the name of the criterion and with it.
_LABELS = ("score", "rating")


class Unreadable(ValueError):
    """A reply that names no point of the scale, and why."""


def read_score(text: str, scoring: Scoring) -> Score:
    """The score that a reply names: alone, after the name of the criterion, `score` or `rating`,
    and before the end of the scale, as in `4/5`.

    Unreadable for everything else: two numbers, a number in prose, one beyond the scale, or one
    between the points of a scale that is not continuous.
    """
    bare = _bare(text, scoring)
    if not bare:
        raise Unreadable("the reply is empty")
    return _named(bare, scoring) if scoring.ends is None else _number(bare, scoring)


def _bare(text: str, scoring: Scoring) -> str:
    """The reply without what may surround the score and stand before it."""
    bare = text.strip(_WRAPPING)
    before, colon, after = bare.rpartition(":")
    is_label = before.strip(_WRAPPING).lower() in _labels(scoring.criterion.lower())
    return after.strip(_WRAPPING) if colon and is_label else bare


def _labels(criterion: str) -> tuple[str, ...]:
    return (criterion, *_LABELS, *(f"{criterion} {label}" for label in _LABELS))


def _named(bare: str, scoring: Scoring) -> Score:
    for point in scoring.points:
        if point.written.lower() == bare.lower():
            return point.value
    raise Unreadable(f"{bare[:80]!r} is none of the points")


def _number(bare: str, scoring: Scoring) -> float:
    assert scoring.ends is not None
    match = _SCORE.fullmatch(bare)
    if match is None:
        raise Unreadable(f"{bare[:80]!r} is not just a number")
    number, (low, high) = float(match["score"]), scoring.ends
    if match["end"] and float(match["end"]) != high:
        raise Unreadable(f"{bare[:80]!r} is of another scale than from {low:g} to {high:g}")
    if not low <= number <= high:
        raise Unreadable(f"{number:g} is not on the scale from {low:g} to {high:g}")
    if not scoring.continuous and number not in [point.value for point in scoring.points]:
        raise Unreadable(f"{number:g} is between the points of the scale")
    return number


def weigh(text: str, logprobs: Sequence[Mapping[str, Any]], scoring: Scoring) -> float:
    """The mean of the points, weighted by their probability at the token that writes the score of a
    reply.

    text: the reply, which has to be a score and nothing else (`read_score`). logprobs: one entry
    per token of it, {"token", "logprob", "top": [[token, logprob], …]} with natural logarithms.
    Several spellings of one point (with a space before it) add up. Unreadable where the points
    are names, where the score is not one token, or where a token may have been the beginning of
    another point. Liu et al. (2023), G-Eval, equation 1.
    """
    values = _values(scoring)
    score = float(read_score(text, scoring))
    if not logprobs:
        raise Unreadable("the endpoint gave no logprobs")
    match = _SCORE.fullmatch(_bare(text, scoring))
    tokens = _before_end(logprobs) if match and match["end"] else logprobs
    return _mean(_writing(score, tokens, values).get("top", ()), values)


def _before_end(logprobs: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """The tokens before the end of the scale, as in `4/5`. An end token such as `</s>` begins with
    another character."""
    starts = [entry["token"].strip().lower().startswith(("/", "out")) for entry in logprobs]
    return logprobs[: max((at for at, is_start in enumerate(starts) if is_start), default=None)]


def _writing(
    score: float, logprobs: Sequence[Mapping[str, Any]], values: Mapping[str, float]
) -> Mapping[str, Any]:
    """The entry of the one token that writes the score. In a reply that is a score alone, only
    wrapping or an end token can follow it."""
    names = [entry["token"].strip(_WRAPPING) for entry in logprobs]
    at = max((at for at, name in enumerate(names) if name in values), default=None)
    if at is None:
        raise Unreadable("no token of the reply is a point of the scale")
    before = logprobs[at - 1]["token"] if at else ""
    if values[names[at]] != score or before[-1:].isdigit() or before[-1:] in ("+", "-"):
        raise Unreadable(f"{score:g} is written in several tokens, and has no probability")
    return logprobs[at]


def _values(scoring: Scoring) -> dict[str, float]:
    if scoring.ends is None:
        raise Unreadable(f"{scoring.criterion}: its points are names, and have no mean")
    if scoring.continuous:
        raise Unreadable(f"{scoring.criterion}: a continuous scale has no points to weigh")
    return {p.written: p.value for p in scoring.points if not isinstance(p.value, str)}


def _mean(top: Iterable[Sequence[Any]], values: Mapping[str, float]) -> float:
    mass: dict[str, float] = {}
    for token, logprob in top:
        name = token.strip(_WRAPPING)
        if name in values and logprob is not None:
            mass[name] = mass.get(name, 0.0) + math.exp(logprob)
    _check_whole(mass, values)
    whole = math.fsum(mass.values())
    if not whole:
        raise Unreadable("the endpoint gave no probability of any point")
    return math.fsum(values[name] * share for name, share in mass.items()) / whole


def _check_whole(mass: Mapping[str, float], values: Mapping[str, float]) -> None:
    """Refuse a token with which a longer point may begin: where digits are tokens, the
    probability of `1` includes that of `10`. If the longer point is a token itself, they are not.
    """
    for name in mass:
        longer = [other for other in values if other != name and other.startswith(name)]
        if any(other not in mass for other in longer):
            raise Unreadable(f"the token {name} may be the beginning of {' or '.join(longer)}")
