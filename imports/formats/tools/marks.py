"""Labels that raters mark a text with, several of one list or on parts of the text, as answers:
for each label of the list yes or no, of the whole text or of each sentence."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from imports.formats.scales import LONGEST_FACET, Measure, nominal

YES_NO = ("yes", "no")


@dataclass(frozen=True)
class Span:
    """A part of a text with a label: characters `start` to `end`, counted from 0, without the
    last."""

    start: int
    end: int
    label: str


@dataclass(frozen=True)
class Marks:
    """What a rater marked in answer to one question. kind: `human` or `judge`. question: its name
    in the file; empty where there is one only. labels: of the whole text; None where parts of it
    were marked. spans: those parts. offered: labels that could be chosen, as far as the file
    tells."""

    rater: str
    kind: str
    question: str = ""
    labels: tuple[str, ...] | None = None
    spans: tuple[Span, ...] = ()
    offered: tuple[str, ...] = ()
    replicate: int = 0

    @property
    def of_parts(self) -> bool:
        return self.labels is None

    @property
    def used(self) -> Sequence[str]:
        """The labels that occur."""
        return self.labels if self.labels is not None else [span.label for span in self.spans]


@dataclass
class MarkedLabels:
    """All labels of a file, by the question that they belong to and by what is marked, and the
    block that each of them makes."""

    _labels: dict[tuple[str, bool], dict[str, str]] = field(default_factory=dict)

    def add(self, marks: Marks) -> None:
        """Take in the labels of a rater's marks."""
        labels = self._labels.setdefault((marks.question, marks.of_parts), {})
        for label in (*marks.offered, *marks.used):
            labels.setdefault(label, "")

    def measures(self, taken: Collection[str]) -> Iterator[Measure]:
        """A block with a facet for each label; `taken` are names of other facets."""
        names = set(taken)
        for (_, of_parts), labels in self._labels.items():
            for label in labels:
                labels[label] = _free_name(label, names)
                names.add(labels[label])
                yield nominal(
                    labels[label], YES_NO, question=_asked(label, of_parts), per_sentence=of_parts
                )

    def values(
        self, marks: Marks, places: Sequence[tuple[int, int]]
    ) -> Iterator[tuple[str, str | list[str]]]:
        """(facet, yes or no) for each label of the question; of marked parts a list with one
        value per sentence. places: where the sentences stand in the text."""
        for label, facet in self._labels[marks.question, marks.of_parts].items():
            if marks.labels is not None:
                yield facet, YES_NO[label not in marks.labels]
            else:
                spans = [span for span in marks.spans if span.label == label]
                yield facet, [YES_NO[not _touched(place, spans)] for place in places]


def checked_spans(spans: Sequence[Span], text: str) -> tuple[Span, ...]:
    """The spans; ValueError for one that is no part of the text."""
    for number, span in enumerate(spans):
        if not 0 <= span.start < span.end <= len(text):
            ends = f"{span.start} to {span.end}"
            reason = f"{ends} is no part of a text of {len(text)} characters"
            raise ValueError(f"spans[{number}]: {reason}")
    return tuple(spans)


def sentence_places(text: str, sentences: Sequence[str]) -> list[tuple[int, int]]:
    """(start, end) of each sentence in the text that it was cut from."""
    places, at = [], 0
    for sentence in sentences:
        words = r"\s+".join(map(re.escape, sentence.split()))
        match = re.compile(words).search(text, at)
        start, at = match.span() if match is not None else (at, at)
        places.append((start, at))
    return places


def _touched(place: tuple[int, int], spans: Sequence[Span]) -> bool:
    start, end = place
    return any(span.start < end and start < span.end for span in spans)


def _asked(label: str, of_parts: bool) -> str:
    about = "Is part of this sentence labelled" if of_parts else "Is this labelled"
    return f"{about} “{label}”?"


def _free_name(label: str, taken: Collection[str]) -> str:
    """A name for the facet of a label: its letters and digits, or a number where these make
    none, or one that is taken."""
    name = re.sub(r"[^a-z0-9]+", "_", label.lower()).strip("_")[: LONGEST_FACET - 4]
    if re.match("[a-z]", name) and name not in taken:
        return name
    base = name if re.match("[a-z]", name) else "label"
    number = 1
    while f"{base}_{number}" in taken:
        number += 1
    return f"{base}_{number}"
