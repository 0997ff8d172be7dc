"""Sequence classification: how probable each of a model's labels is for a pair of texts.

The first text may be cut at its end, the second never is.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from judges.backends.local.batches import Memory, Scored, in_batches
from judges.backends.local.models import (
    REMEMBERED,
    Encoded,
    Loaded,
    Setting,
    kept_open,
    load,
    longest_input,
)
from judges.backends.local.weights import Unfit, Weights, config_of

NAME = "classification"
TOO_LONG = "The second text leaves the first no room within the {} tokens that the model takes."
Pair = tuple[str, str]

_ENTAILMENT = {"entailment", "entail", "entails", "entailed"}


class Classifier:
    """A loaded model; `labels` in the order of its numbers."""

    def __init__(self, loaded: Loaded, setting: Setting) -> None:
        self.loaded = loaded
        self.labels = labels_of(loaded.weights)
        self.longest = longest_input(loaded, setting)
        self.memory: Memory[Pair, Scored] = Memory(REMEMBERED)

    def scored(self, pairs: Sequence[Pair]) -> list[Scored]:
        """The probability of each label for each pair, by the softmax of the model's numbers.

        A pair that is too long loses the end of its first text; refused where nothing of that
        would be left.
        """
        return self.memory.results(pairs, self._compute)

    def _compute(self, pairs: list[Pair]) -> list[Scored]:
        fitted = [self._fitted(one) for one in self._encoded(pairs)]
        results = [Scored(refused=TOO_LONG.format(self.longest)) for _ in pairs]
        asked = [(place, one) for place, one in enumerate(fitted) if one is not None]
        lengths = [len(one["input_ids"]) for _, (one, _) in asked]
        for batch in in_batches(lengths, budget=self.loaded.budget):
            rows = self._probabilities([asked[at][1][0] for at in batch])
            for at, row in zip(batch, rows, strict=True):
                place, (_, cut) = asked[at]
                results[place] = Scored(tuple(row), lengths[at], cut, row.index(max(row)))
        return results

    def _encoded(self, pairs: list[Pair]) -> list[tuple[Encoded, list[int | None]]]:
        """Each pair as the model reads it, uncut, and which text each token is of."""
        first, second = [list(texts) for texts in zip(*pairs, strict=True)]
        found = self.loaded.tokenizer(first, second, truncation=False, verbose=False)
        names = [name for name in found if name in self.loaded.tokenizer.model_input_names]
        return [
            ({name: found[name][at] for name in names}, found.sequence_ids(at))
            for at in range(len(pairs))
        ]

    def _fitted(self, pair: tuple[Encoded, list[int | None]]) -> tuple[Encoded, int] | None:
        """The pair without the last tokens of its first text that are too many, and how many
        these are; None where nothing of it would be left."""
        encoded, texts = pair
        too_many = len(texts) - self.longest
        if too_many <= 0:
            return encoded, 0
        first = [place for place, text in enumerate(texts) if text == 0]
        if too_many >= len(first):
            return None
        dropped = set(first[-too_many:])
        kept = {
            name: [number for place, number in enumerate(numbers) if place not in dropped]
            for name, numbers in encoded.items()
        }
        return kept, too_many

    def _probabilities(self, encoded: Sequence[Encoded]) -> list[list[float]]:
        with self.loaded.computing():
            numbers = self.loaded.model(**self.loaded.padded(encoded)).logits
            rows: list[list[float]] = numbers.float().softmax(dim=-1).tolist()
        return rows


def open_classifier(weights: Weights, setting: Setting) -> Classifier:
    """The model of these weights, loaded once per process; Unfit where it cannot be used."""

    def make() -> Classifier:
        return Classifier(load("AutoModelForSequenceClassification", weights, setting), setting)

    return kept_open((NAME, weights, setting), make)


def labels_of(weights: Weights) -> tuple[str, ...]:
    """The labels that the model's config names, in their order; Unfit where it names none."""
    named: Mapping[str, Any] = config_of(weights).get("id2label") or {}
    try:
        labels = [str(named[key]) for key in sorted(named, key=int)]
    except (TypeError, ValueError) as error:
        raise Unfit(f"id2label of {weights.name} cannot be read") from error
    if not labels or any(label.upper().startswith("LABEL_") for label in labels):
        said = ", ".join(labels) or "none"
        raise Unfit(f"{weights.name} does not say what its labels mean (id2label: {said})")
    return tuple(labels)


def entailment_of(weights: Weights) -> int:
    """Which label means entailment; Unfit where none or several do."""
    labels = labels_of(weights)
    found = [place for place, label in enumerate(labels) if label.lower() in _ENTAILMENT]
    if len(found) != 1:
        raise Unfit(f"{weights.name} has no label for entailment (id2label: {', '.join(labels)})")
    return found[0]
