"""Sequence classification: how probable each of a model's labels is for a pair of texts.

The first text may be cut at its end, the second never is.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from judges.backends.local.batches import ModelScores, ResultCache, in_batches
from judges.backends.local.models import (
    MOST_RESULTS,
    Encoded,
    LoadedModel,
    ModelSettings,
    load,
    longest_input,
    open_once,
)
from judges.backends.local.weights import UnusableModel, Weights, config_of

NAME = "classification"
TOO_LONG = "The second text leaves no room for the first in the {} tokens that the model takes."
TextPair = tuple[str, str]

_ENTAILMENT = {"entailment", "entail", "entails", "entailed"}


class Classifier:
    """A loaded model; `labels` in the order of its logits."""

    def __init__(self, loaded: LoadedModel, settings: ModelSettings) -> None:
        self.loaded = loaded
        self.labels = labels_of(loaded.weights)
        self.longest = longest_input(loaded, settings)
        self.cache: ResultCache[TextPair, ModelScores] = ResultCache(MOST_RESULTS)

    def scored(self, pairs: Sequence[TextPair]) -> list[ModelScores]:
        """The probability of each label for each pair: the softmax of the logits.

        A pair that is too long loses the end of its first text; it is refused where nothing of
        that text would be left.
        """
        return self.cache.results(pairs, self._compute)

    def _compute(self, pairs: list[TextPair]) -> list[ModelScores]:
        fitted = [self._fitted(encoded) for encoded in self._encoded(pairs)]
        results = [ModelScores(refused=TOO_LONG.format(self.longest)) for _ in pairs]
        inputs = [(index, *pair) for index, pair in enumerate(fitted) if pair is not None]
        lengths = [len(encoded["input_ids"]) for _, encoded, _ in inputs]
        for batch in in_batches(lengths, budget=self.loaded.budget):
            rows = self._probabilities([inputs[at][1] for at in batch])
            for at, row in zip(batch, rows, strict=True):
                index, _, cut = inputs[at]
                results[index] = ModelScores(tuple(row), lengths[at], cut, row.index(max(row)))
        return results

    def _encoded(self, pairs: list[TextPair]) -> list[tuple[Encoded, list[int | None]]]:
        """Each pair as tokens, uncut, and for each token which of the two texts it is from."""
        first, second = [list(texts) for texts in zip(*pairs, strict=True)]
        encoding = self.loaded.tokenizer(first, second, truncation=False, verbose=False)
        names = [name for name in encoding if name in self.loaded.tokenizer.model_input_names]
        return [
            ({name: encoding[name][at] for name in names}, encoding.sequence_ids(at))
            for at in range(len(pairs))
        ]

    def _fitted(self, pair: tuple[Encoded, list[int | None]]) -> tuple[Encoded, int] | None:
        """The pair without the excess tokens at the end of its first text, and how many these
        are; None where nothing of that text would be left."""
        encoded, texts = pair
        too_many = len(texts) - self.longest
        if too_many <= 0:
            return encoded, 0
        first = [at for at, text in enumerate(texts) if text == 0]
        if too_many >= len(first):
            return None
        dropped = set(first[-too_many:])
        kept = {
            name: [value for at, value in enumerate(values) if at not in dropped]
            for name, values in encoded.items()
        }
        return kept, too_many

    def _probabilities(self, encoded: Sequence[Encoded]) -> list[list[float]]:
        with self.loaded.computing():
            logits = self.loaded.model(**self.loaded.padded(encoded)).logits
            rows: list[list[float]] = logits.float().softmax(dim=-1).tolist()
        return rows


def open_classifier(weights: Weights, settings: ModelSettings) -> Classifier:
    """The model of these weights, loaded once per process. UnusableModel where that fails."""

    def make() -> Classifier:
        return Classifier(load("AutoModelForSequenceClassification", weights, settings), settings)

    return open_once((NAME, weights, settings), make)


def labels_of(weights: Weights) -> tuple[str, ...]:
    """The labels in the model's config, in order; UnusableModel where it names none."""
    named: Mapping[str, Any] = config_of(weights).get("id2label") or {}
    try:
        labels = [str(named[key]) for key in sorted(named, key=int)]
    except (TypeError, ValueError) as error:
        raise UnusableModel(f"id2label of {weights.name} cannot be read") from error
    if not labels or any(label.upper().startswith("LABEL_") for label in labels):
        names = ", ".join(labels) or "none"
        raise UnusableModel(f"{weights.name} does not say what its labels mean (id2label: {names})")
    return tuple(labels)


def entailment_of(weights: Weights) -> int:
    """The index of the label that means entailment; UnusableModel where none or several do."""
    labels = labels_of(weights)
    matching = [at for at, label in enumerate(labels) if label.lower() in _ENTAILMENT]
    if len(matching) != 1:
        raise UnusableModel(
            f"{weights.name} has no label for entailment (id2label: {', '.join(labels)})"
        )
    return matching[0]
