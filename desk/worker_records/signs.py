"""Reasons to look at somebody's work: signs of answers without reading, each against the crowd.

None proves anything, and nothing follows from one: a reviewer sees them with how often careful
people show them (`FALSE_ALARMS`), and decides. They are pure: `given` reads the answers.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import log10
from statistics import median
from typing import NamedTuple

from agreement import reading_rate, relative_speed, resemblance, run_p_value, shingles

LEAST_OTHERS = 4  # other people, to say what is usual
LEAST_TIMED = 10  # answers of one kind with a time
LEAST_IN_ROW = 20  # answers of one kind, to look for a straight line
LEAST_RECORDED = 10  # answers with paradata
LEAST_TEXTS = 5  # own texts of LONG words or more
LONG = 8
LEAST_NEW = 20  # words that the person had not met before
FASTEST = 600  # words a minute: twice what most adults reach at most (Brysbaert 2019)
RESEMBLES = 0.8
TYPED = 5  # characters for one press of a key: suggestions and dictation write more than one
COMMON = 20  # answers that others gave most
ALIKE_PAIRS = 100  # so many earlier own texts are compared

# Of 100 careful people, how many show a sign: tests/desk/worker_records/test_false_alarms.py
# measures them (`make test-slow`).
FALSE_ALARMS: Mapping[str, float] = {
    "fast": 4.2,
    "unread": 0.2,
    "straight": 0.1,
    "repeated": 4.7,
    "pasted": 0.7,
    "left": 0.6,
    "untyped": 5.5,
}

Shingles = frozenset[tuple[str, ...]]


class Given(NamedTuple):
    """One answer. shown: what had to be read for it, as (text, words); seconds: with the page in
    view, None where no browser counted; texts: in own words; counts: paradata, where recorded."""

    person: int
    block: int
    question: int
    answer: str
    seconds: float | None = None
    shown: tuple[tuple[Hashable, int], ...] = ()
    texts: tuple[str, ...] = ()
    counts: Mapping[str, int] | None = None


@dataclass(frozen=True)
class Sign:
    """A sign that somebody shows. block: the kind of question, None for all. value: what the sign
    measures, of so many answers; usual: the median of the others; as_far: the share of the others
    who are as far out."""

    name: str
    block: int | None
    value: float
    answers: int
    usual: float | None
    as_far: float | None


class _Measured(NamedTuple):
    """value: what is shown; level: what is compared with the threshold and with others."""

    value: float
    level: float
    answers: int


Measure = Callable[[Mapping[int, Sequence[Given]]], dict[int, _Measured]]


@dataclass(frozen=True)
class _Kind:
    """beyond: how many times as far out as usual it must be besides."""

    name: str
    threshold: float
    measure: Measure
    per_block: bool = True
    beyond: float = 0.0


def signs(given: Iterable[Given]) -> dict[int, list[Sign]]:
    """Person -> the signs shown, of everybody with one; answers in the order of answering."""
    by_block: dict[int, dict[int, list[Given]]] = defaultdict(lambda: defaultdict(list))
    of_all: dict[int, list[Given]] = defaultdict(list)
    for each in given:
        by_block[each.block][each.person].append(each)
        of_all[each.person].append(each)
    found: dict[int, list[Sign]] = defaultdict(list)
    for kind in KINDS:
        parts = list(by_block.items()) if kind.per_block else [(None, of_all)]
        for block, people in parts:
            measured = kind.measure(people)
            for person, sign in _beyond(kind, block, measured):
                found[person].append(sign)
    return dict(found)


def _beyond(
    kind: _Kind, block: int | None, measured: Mapping[int, _Measured]
) -> Iterable[tuple[int, Sign]]:
    levels = sorted(each.level for each in measured.values())
    values = sorted(each.value for each in measured.values())
    for person, (value, level, answers) in measured.items():
        if level < kind.threshold:
            continue
        others = len(levels) - 1
        usual = _median_without(values, value)
        if kind.beyond and usual is not None and value < kind.beyond * usual:
            continue
        as_far = (len(levels) - bisect_left(levels, level) - 1) / others if others else None
        yield person, Sign(kind.name, block, value, answers, usual, as_far)


def _median_without(ordered: Sequence[float], one: float) -> float | None:
    """The median of all but one of these sorted numbers; None below LEAST_OTHERS."""
    n, at = len(ordered) - 1, bisect_left(ordered, one)
    if n < LEAST_OTHERS:
        return None
    low, high = (n - 1) // 2, n // 2
    return (ordered[low + (low >= at)] + ordered[high + (high >= at)]) / 2


def _fast(people: Mapping[int, Sequence[Given]]) -> dict[int, _Measured]:
    """How many times as fast as the crowd, whose members count alike however much they did."""
    timed = {
        person: own
        for person, rows in people.items()
        if len(own := [row.seconds for row in rows if row.seconds]) >= LEAST_TIMED
    }
    medians = {person: median(own) for person, own in timed.items()}
    ordered = sorted(medians.values())
    found = {}
    for person, own in timed.items():
        usual = _median_without(ordered, medians[person])
        if usual is not None:
            speed = relative_speed(own, [usual] * len(own))
            found[person] = _Measured(speed, speed, len(own))
    return found


def _unread(people: Mapping[int, Sequence[Given]]) -> dict[int, _Measured]:
    """The share of answers in whose time nobody reads the words that were new to the person."""
    found = {}
    for person, rows in people.items():
        met: set[Hashable] = set()
        fast = n = 0
        for row in rows:
            new = sum(words for text, words in row.shown if text not in met)
            met.update(text for text, _ in row.shown)
            if row.seconds and new >= LEAST_NEW:
                n += 1
                fast += reading_rate(new, row.seconds) > FASTEST
        if n >= LEAST_TIMED:
            found[person] = _Measured(fast / n, fast / n, n)
    return found


def _straight(people: Mapping[int, Sequence[Given]]) -> dict[int, _Measured]:
    """The longest run of one answer; its level is how unlikely the answers of the others to the
    same questions make it, as -log10 of the probability."""
    overall = Counter(row.answer for rows in people.values() for row in rows)
    at: dict[int, Counter[str]] = defaultdict(Counter)
    for rows in people.values():
        for row in rows:
            at[row.question][row.answer] += 1
    found = {}
    for person, rows in people.items():
        if len(rows) < LEAST_IN_ROW or len(people) <= LEAST_OTHERS:
            continue
        longest = max(sum(1 for _ in same) for _, same in groupby(row.answer for row in rows))
        rest = overall - Counter(row.answer for row in rows)
        total = max(rest.total(), 1)
        usual = {name: n / total for name, n in rest.most_common(COMMON)}
        chances = [_chances(at[row.question], row.answer, usual) for row in rows]
        p = run_p_value(longest, chances)
        found[person] = _Measured(longest, -log10(max(p, 1e-12)), len(rows))
    return found


def _chances(given: Counter[str], own: str, usual: Mapping[str, float]) -> dict[str, float]:
    """What another person answers to a question: as the others did, who count with two answers
    drawn from all that others gave. So a question that few answered says little."""
    others = given.total() - 1
    return {
        name: (given[name] - (name == own) + 2 * usual.get(name, 0.0)) / (others + 2)
        for name in given.keys() | usual.keys()
    }


def _repeated(people: Mapping[int, Sequence[Given]]) -> dict[int, _Measured]:
    """The share of texts that (nearly) equal an earlier own one, or another person's: equal
    anywhere, nearly equal to the same question."""
    written = {
        person: [(row.question, made) for row in rows for made in _long_texts(row)]
        for person, rows in people.items()
    }
    anywhere: dict[Shingles, set[int]] = defaultdict(set)
    asked: dict[int, list[tuple[int, Shingles]]] = defaultdict(list)
    for person, texts in written.items():
        for question, made in texts:
            anywhere[made].add(person)
            asked[question].append((person, made))
    found = {}
    for person, texts in written.items():
        if len(texts) < LEAST_TEXTS:
            continue
        earlier: list[Shingles] = []
        again = 0
        for question, made in texts:
            theirs = [other for who, other in asked[question] if who != person]
            again += len(anywhere[made]) > 1 or _any_resembles(
                made, earlier[-ALIKE_PAIRS:] + theirs[:ALIKE_PAIRS]
            )
            earlier.append(made)
        share = again / len(texts)
        found[person] = _Measured(share, share if again >= 3 else 0.0, len(texts))
    return found


def _long_texts(row: Given) -> list[Shingles]:
    least = LONG - 2  # shingles of three words that a text of LONG words has, if none recurs
    return [made for made in map(shingles, row.texts) if len(made) >= least]


def _any_resembles(one: Shingles, others: Iterable[Shingles]) -> bool:
    return any(
        RESEMBLES * len(other) <= len(one) <= len(other) / RESEMBLES
        and resemblance(one, other) >= RESEMBLES
        for other in others
    )


def _counted(
    people: Mapping[int, Sequence[Given]], shows: Callable[[Given, Mapping[str, int]], bool | None]
) -> dict[int, _Measured]:
    """The share of answers with paradata that show something; None: it cannot be said of one."""
    found = {}
    for person, rows in people.items():
        each = [shows(row, row.counts) for row in rows if row.counts is not None]
        told = [one for one in each if one is not None]
        if len(told) >= LEAST_RECORDED:
            share = sum(told) / len(told)
            found[person] = _Measured(share, share, len(told))
    return found


def _untyped(row: Given, counts: Mapping[str, int]) -> bool | None:
    """Whether a text came about without the keys that it takes, and was not pasted."""
    written = sum(map(len, row.texts))
    if not any(_long_texts(row)):
        return None
    return not counts["pastes"] and counts["keystrokes"] * TYPED < written


KINDS = (
    _Kind("fast", 2.0, _fast),
    _Kind("unread", 0.5, _unread, per_block=False),
    _Kind("straight", 4.0, _straight),
    _Kind("repeated", 0.3, _repeated, per_block=False),
    _Kind(
        "pasted",
        0.5,
        lambda people: _counted(people, lambda _row, counts: counts["pastes"] > 0),
        per_block=False,
        beyond=2.0,
    ),
    _Kind(
        "left",
        0.8,
        lambda people: _counted(people, lambda _row, counts: counts["blurs"] > 0),
        per_block=False,
        beyond=2.0,
    ),
    _Kind("untyped", 0.5, lambda people: _counted(people, _untyped), per_block=False),
)
