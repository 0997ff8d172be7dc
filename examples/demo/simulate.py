"""Write answers.jsonl: three of five simulated raters answer each unit of items.jsonl, and all of
them the control questions.

The raters are a program, not people. Each unit first gets one careful reading: a sentence
that cites the passage is found more surely the more of the passage's words it repeats, and
a sentence that repeats most of the passage may be taken for one although it does not cite
it. A rater then copies that reading with slips, more or fewer by their carefulness: like
people who read in a hurry, they overlook a sentence more often than they choose a wrong one. The
helpfulness scores depend on the system, the explanation and the rater's habits.

Every random number comes from a generator seeded by the seed and what it is for, so that a
second run writes the same bytes, and a change to one record changes the answers to that
record alone. The seed was chosen so that the control questions tell the careful raters from the
careless ones; with only five controls, not every seed does.
"""

import argparse
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SEED = 2
# As many as the study wants: `overlap` in study.yaml.
OVERLAP = 3
# How often a rater chooses a wrong sentence, to each time that they overlook a right one.
WRONG_TO_OVERLOOKED = 0.25
MARKER = re.compile(r"\[(\d+(?:\s*[-,;]\s*\d+)*)\]")
HELPFULNESS = {"Alder": 70.0, "Birch": 52.0}


@dataclass(frozen=True)
class Rater:
    """`slip`: how often a sentence is overlooked; `shift`, `spread`: habits with the slider."""

    name: str
    slip: float
    shift: float
    spread: float


RATERS = (
    Rater("simulated-1", slip=0.02, shift=3.0, spread=6.0),
    Rater("simulated-2", slip=0.03, shift=-4.0, spread=8.0),
    Rater("simulated-3", slip=0.05, shift=0.0, spread=10.0),
    Rater("simulated-4", slip=0.08, shift=6.0, spread=12.0),
    Rater("simulated-5", slip=0.20, shift=-8.0, spread=18.0),
)


@dataclass(frozen=True)
class Unit:
    """One passage in question and the sentences of one explanation, as the raters meet them."""

    key: str
    item: str
    system: str
    passage: int
    passage_text: str
    sentences: Sequence[str]
    control: bool


def cited(text: str) -> set[int]:
    """The passage indices that a text cites: `[2]`, `[1, 3]`, `[0][4]`, `[3-5]`."""
    found: set[int] = set()
    for inner in MARKER.findall(text):
        for part in re.split(r"[,;]", inner):
            ends = [int(number) for number in part.split("-")]
            found.update(range(ends[0], ends[-1] + 1))
    return found


def content_words(text: str) -> set[str]:
    """Numbers and longer words, markers left out: a rough measure of what a text says."""
    plain = MARKER.sub(" ", text).lower()
    return {word for word in re.findall(r"[\w.]*\w", plain) if len(word) > 3 or word[0].isdigit()}


def units(record: dict[str, Any]) -> Iterator[Unit]:
    """The unit that a record names, else one per cited passage that exists.

    A record whose explanation is running text is left out: dividing it into sentences is
    the importer's work. So is a worked example, which nobody is asked about.
    """
    if record.get("unit", {}).get("role") == "example":
        return
    passages = {passage["index"]: passage["text"] for passage in record["source"]["passages"]}
    for item in record["items"]:
        if "sentences" not in item:
            continue
        texts = [sentence["text"] for sentence in item["sentences"]]
        named: dict[str, Any] | None = record.get("unit")
        wanted = {named["focus"]["passage"]} if named else cited(" ".join(texts))
        for index in sorted(wanted & passages.keys()):
            yield Unit(
                key=named["key"] if named else f"{item['key']}/{index}",
                item=item["key"],
                system=item["system"],
                passage=index,
                passage_text=passages[index],
                sentences=texts,
                control=named is not None and named["role"] != "normal",
            )


def generator(*purpose: object) -> random.Random:
    """Random numbers for one purpose, the same on every run."""
    return random.Random("/".join(map(str, purpose)))  # noqa: S311 - nothing secret is drawn


def likelihood(unit: Unit, sentence: str) -> float:
    """How likely a careful reader finds that this sentence should cite the passage."""
    cites = unit.passage in cited(sentence)
    if unit.control:
        return float(cites)
    words = content_words(unit.passage_text)
    shared = len(words & content_words(sentence)) / len(words)
    if cites:
        return min(1.0, 0.3 + 1.6 * shared)
    return max(0.0, min(0.9, 2.0 * (shared - 0.25)))


def careful_reading(unit: Unit, seed: int) -> list[bool]:
    """For each sentence, whether a careful reader chooses it; the same for all raters."""
    rng = generator(seed, "reading", unit.key)
    return [rng.random() < likelihood(unit, sentence) for sentence in unit.sentences]


def chosen(unit: Unit, rater: Rater, seed: int) -> list[int]:
    """The numbers of the sentences that a rater chooses; empty when none can cite it."""
    rng = generator(seed, "choice", unit.key, rater.name)
    return [
        i
        for i, reads in enumerate(careful_reading(unit, seed))
        if reads != (rng.random() < rater.slip * (1 if reads else WRONG_TO_OVERLOOKED))
    ]


def helpfulness(unit: Unit, rater: Rater, seed: int) -> float:
    """A rater's score for an explanation from 0 to 100, in steps of a half."""
    quality = generator(seed, "quality", unit.item).uniform(-10, 10)
    rng = generator(seed, "score", unit.key, rater.name)
    noise = rng.uniform(-rater.spread, rater.spread)
    score = HELPFULNESS[unit.system] + quality + rater.shift + noise
    return round(2 * min(100.0, max(0.0, score))) / 2


def who_answers(unit: Unit, seed: int) -> list[Rater]:
    """Everybody the control questions, some of them each other unit."""
    if unit.control:
        return list(RATERS)
    drawn = generator(seed, "who", unit.key).sample(RATERS, OVERLAP)
    return sorted(drawn, key=RATERS.index)


def answers(records: Sequence[dict[str, Any]], *, seed: int) -> Iterator[dict[str, Any]]:
    """Two answers, one per block, of every rater who answers a unit."""
    for unit in (unit for record in records for unit in units(record)):
        for rater in who_answers(unit, seed):
            line = {"unit": unit.key, "rater": rater.name, "kind": "simulated"}
            sentences = {"sentences": chosen(unit, rater, seed)}
            yield line | {"block": "citation_recovery", "answer": sentences}
            yield line | {"block": "slider", "answer": {"value": helpfulness(unit, rater, seed)}}


def main() -> None:
    """Read the items, write the answers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--items", type=Path, default=HERE / "items.jsonl")
    parser.add_argument("--out", type=Path, default=HERE / "answers.jsonl")
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    lines = options.items.read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    with options.out.open("w", encoding="utf-8", newline="\n") as out:
        for answer in answers(records, seed=options.seed):
            out.write(json.dumps(answer, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
