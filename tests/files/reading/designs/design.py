"""A random human evaluation: its sources, systems, raters, criteria, scale and answers."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tests.files.reading.designs.vocabulary import Vocabulary


class Judged(NamedTuple):
    """One answer. system: of a pair both, in the order shown, and the value the better one."""

    source: str
    system: str | tuple[str, str]
    rater: str
    criterion: str
    value: str


@dataclass(frozen=True)
class Scale:
    """The words or numbers that a rater chooses from, from low to high."""

    name: str
    values: tuple[str, ...]


SCALES = (
    Scale("1-5", ("1", "2", "3", "4", "5")),
    Scale("1-7", tuple("1234567")),
    Scale("1-4", tuple("1234")),
    Scale("1-3", tuple("123")),
    Scale("0-1", ("0", "1")),
    Scale("0-10", tuple(str(n) for n in range(11))),
    Scale("0-100", tuple(str(n) for n in range(101))),
    Scale("halves", ("1.0", "1.5", "2.0", "2.5", "3.0", "3.5", "4.0", "4.5", "5.0")),
    Scale("yes", ("no", "yes")),
    Scale("YN", ("N", "Y")),
    Scale(
        "agree",
        ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
    ),
    Scale("poor", ("very poor", "poor", "fair", "good", "very good")),
    Scale("numbered", ("1 - not at all", "2 - somewhat", "3 - mostly", "4 - fully")),
    Scale("colon", ("0: No, many errors", "1: Partly", "2: Yes, no errors")),
    Scale("schlecht", ("schlecht", "mittel", "gut")),
)
COMMON_SCALES = SCALES[:10]


@dataclass(frozen=True)
class Design:
    """answers: (source, system or pair of systems, rater, criterion) -> a value of the scale; of a
    pair a system, or `tie`. one_system: there is one output of a source, and nothing names it."""

    seed: int
    odd: bool
    names: Vocabulary
    rng: random.Random
    sources: list[str]
    systems: list[str]
    raters: list[str]
    criteria: list[str]
    scale: Scale
    texts: Mapping[tuple[str, str], str]
    documents: Mapping[str, str]
    answers: Mapping[tuple[str, str | tuple[str, str], str, str], str]
    one_system: bool = False

    def judged(self) -> Iterator[Judged]:
        """Every answer."""
        for (source, system, rater, criterion), value in self.answers.items():
            yield Judged(source, system, rater, criterion, value)

    def outputs(self) -> list[tuple[str, str]]:
        """Every output by source and system."""
        return [(source, system) for source in self.sources for system in self.systems]


def drawn(seed: int, *, odd: bool, pairs: bool = False) -> Design:
    """A design of that seed; with odd names and scales, or with customary ones."""
    rng = random.Random(seed)
    names = Vocabulary(rng, odd)
    one_system = not pairs and rng.random() < 0.25
    sources = _source_keys(rng, rng.randint(8, 30))
    systems = [""] if one_system else names.systems(rng.randint(2, 5))
    raters = names.raters(rng.randint(2, 6))
    criteria = names.criteria(rng.choice((1, 1, 2, 3, 4)))
    scale = rng.choice(SCALES if odd else COMMON_SCALES)
    texts = {(s, y): names.words(5, 25) for s in sources for y in systems}
    documents = {s: names.words(12, 60) for s in sources}
    places: list[tuple[str, str | tuple[str, str]]] = (
        _pairs(rng, sources, systems) if pairs else [(s, y) for s in sources for y in systems]
    )
    answers = _answers(rng, places, raters, criteria, None if pairs else scale)
    return Design(
        seed, odd, names, rng, sources, systems, raters, criteria, scale,
        texts, documents, answers, one_system,
    )  # fmt: skip


def _source_keys(rng: random.Random, number: int) -> list[str]:
    form = rng.choice(("{:d}", "doc{:d}", "d-{:04d}", "{:05d}", "Q{:d}", "cnn/{:x}"))
    return [form.format(n) for n in rng.sample(range(1, 4000), number)]


def _pairs(
    rng: random.Random, sources: list[str], systems: list[str]
) -> list[tuple[str, str | tuple[str, str]]]:
    """Two systems of each source, in random order, once or twice."""
    found: list[tuple[str, str | tuple[str, str]]] = []
    for source in sources:
        chosen = {tuple(sorted(rng.sample(systems, 2))) for _ in range(rng.choice((1, 2)))}
        for pair in sorted(chosen):
            first, second = rng.sample(pair, 2)
            found.append((source, (first, second)))
    return found


def _answers(
    rng: random.Random,
    places: list[tuple[str, str | tuple[str, str]]],
    raters: list[str],
    criteria: list[str],
    scale: Scale | None,
) -> dict[tuple[str, str | tuple[str, str], str, str], str]:
    """Raters that mostly agree. Each place is rated by all, or by some of them; some answers are
    missing where not all rate all."""
    every = rng.random() < 0.5
    overlap = len(raters) if every else rng.randint(2, len(raters))
    missing = 0.0 if every else rng.choice((0.0, 0.0, 0.05, 0.15))
    answers = {}
    for source, system in places:
        quality = rng.random()
        for rater in rng.sample(raters, overlap):
            for criterion in criteria:
                if rng.random() >= missing:
                    value = _value(rng, quality, system, scale)
                    answers[source, system, rater, criterion] = value
    return answers


def _value(
    rng: random.Random, quality: float, system: str | tuple[str, str], scale: Scale | None
) -> str:
    if scale is None:
        better = system[0] if quality + rng.gauss(0, 0.3) < 0.5 else system[1]
        return "tie" if rng.random() < 0.12 else better
    place = (quality + rng.gauss(0, 0.2)) * len(scale.values)
    return scale.values[min(max(int(place), 0), len(scale.values) - 1)]
