"""A simulated crowd for the signs: careful people of different speed, taste and habits, and robots.

What is assumed of careful people, so that a figure measured here says something only as far as it
holds: seconds are lognormal around reading at 238 words a minute and 6 s to think, with a spread
between people (`PACE`) and within a person. They place each text on five points with a common part,
a severity of their own and noise. One in ten pastes into two of five answers, one in twenty writes
by dictation, one in ten gives a reason of the same words in a quarter of the answers, and people
differ widely in how often they leave the page.
"""

from collections import Counter
from collections.abc import Iterator
from math import exp
from random import Random

from desk.worker_records.signs import Given, signs

WORDS = [f"w{number}" for number in range(900)]
PACE, WITHIN = 0.4, 0.6  # standard deviations of log seconds: of people, of a person's answers
CAREFUL, QUESTIONS, TEXTS = 40, 60, 150


ROBOTS = ("fast", "constant", "random", "pasting")


def crowd(draw: Random, *, robots: tuple[str, ...] = (), pace: float = PACE) -> list[Given]:
    """The answers of careful people (0, 1, …) and then of one robot of each kind."""
    truth = [min(max(draw.gauss(0.6, 1.2), -2), 2) for _ in range(TEXTS)]
    length = [draw.randint(25, 140) for _ in range(TEXTS)]
    rows: list[Given] = []
    for person in range(CAREFUL):
        rows += _careful(draw, person, pace, truth, length)
    for at, kind in enumerate(robots):
        rows += _robot(draw, CAREFUL + at, kind, truth, length)
    return rows


def _careful(
    draw: Random, person: int, spread: float, truth: list[float], length: list[int]
) -> Iterator[Given]:
    pace, severity = draw.gauss(0, spread), draw.gauss(0, 0.5)
    pastes, dictates, recurs = (draw.random() < share for share in (0.1, 0.05, 0.1))
    leaves, stock = draw.betavariate(0.7, 3), _words(draw, 10)
    for question in draw.sample(range(TEXTS), QUESTIONS):
        words = length[question]
        typed = stock if recurs and draw.random() < 0.25 else _words(draw, draw.randint(3, 20))
        yield Given(
            person=person,
            block=1,
            question=question,
            answer=_point(truth[question] + severity + draw.gauss(0, 0.8)),
            seconds=(60 * words / 238 + 6) * exp(pace + draw.gauss(0, WITHIN)),
            shown=((question, words),),
            texts=(typed,),
            counts={
                "pastes": int(pastes and draw.random() < 0.4),
                "blurs": int(draw.random() < leaves),
                "keystrokes": 0 if dictates else int(len(typed) * draw.uniform(0.5, 1.3)),
                "edits": draw.randint(0, 4),
                "bursts": draw.randint(1, 4),
            },
        )


def _words(draw: Random, n: int) -> str:
    return " ".join(draw.choices(WORDS, k=n))


def _point(value: float) -> str:
    return str(min(max(round(3 + value), 1), 5))


def _robot(
    draw: Random, person: int, kind: str, truth: list[float], length: list[int]
) -> Iterator[Given]:
    """fast: 0.5 to 1 s, random answers; constant: one answer at a careful person's speed; random:
    random answers at that speed; pasting: right answers at that speed, one of four texts of a
    model pasted, the page left."""
    stock = [_words(draw, 18) for _ in range(4)]
    for question in draw.sample(range(TEXTS), QUESTIONS):
        careful = (60 * length[question] / 238 + 6) * exp(draw.gauss(0, WITHIN))
        pasted = kind == "pasting"
        text = draw.choice(stock) if pasted or kind == "fast" else ""
        point = draw.choice("12345")
        yield Given(
            person=person,
            block=1,
            question=question,
            answer="4" if kind == "constant" else _point(truth[question]) if pasted else point,
            seconds=draw.uniform(0.5, 1) if kind == "fast" else careful,
            shown=((question, length[question]),),
            texts=(text,) if text else (),
            counts={
                "pastes": int(pasted),
                "blurs": int(pasted),
                "keystrokes": 0,
                "edits": 0,
                "bursts": 0,
            },
        )


def shown(crowds: int, pace: float = PACE) -> dict[str, Counter[str]]:
    """Careful people, and each robot, of so many crowds -> sign -> of 100, how many show it; `any`:
    one at least."""
    found = {name: Counter[str]() for name in ("careful", *ROBOTS)}
    for seed in range(crowds):
        signs_of = signs(crowd(Random(seed), robots=ROBOTS, pace=pace))
        for person in range(CAREFUL + len(ROBOTS)):
            who = "careful" if person < CAREFUL else ROBOTS[person - CAREFUL]
            names = {sign.name for sign in signs_of.get(person, ())}
            found[who].update([*names, "any"] if names else [])
    people = {who: crowds * (CAREFUL if who == "careful" else 1) for who in found}
    return {
        who: Counter({name: 100 * n / people[who] for name, n in each.items()})
        for who, each in found.items()
    }
