"""Embedding: texts as vectors of length 1, the mean of a model's token vectors.

A text that is longer than the model takes is cut at its end.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
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
from judges.backends.local.weights import Weights

NAME = "embedding"
MINILM = "all-MiniLM-L6-v2"


@dataclass(frozen=True, eq=False)
class TextVector:
    """The embedding of a text. direction: (D,) of length 1, float32. cut: tokens cut off."""

    direction: Any
    tokens: int
    cut: int


class Embedder:
    """A loaded encoder."""

    def __init__(self, loaded: LoadedModel, settings: ModelSettings) -> None:
        self.loaded = loaded
        self.longest = longest_input(loaded, settings, trained=_trained_length(loaded.weights))
        self.cache: ResultCache[str, TextVector] = ResultCache(MOST_RESULTS)

    def vectors(self, texts: Sequence[str]) -> list[TextVector]:
        """One vector per text."""
        return self.cache.results(texts, self._compute)

    def scored(self, pairs: Sequence[tuple[str, str]]) -> list[ModelScores]:
        """The cosine of the two texts of each pair, in [-1, 1]."""
        vectors = self.vectors([text for pair in pairs for text in pair])
        return [_cosine(*pair) for pair in zip(vectors[::2], vectors[1::2], strict=True)]

    def _compute(self, texts: list[str]) -> list[TextVector]:
        fitted = [self._fitted(text) for text in self._encoded(texts)]
        lengths = [len(encoded["input_ids"]) for encoded, _ in fitted]
        results: dict[int, TextVector] = {}
        for batch in in_batches(lengths, budget=self.loaded.budget):
            rows = self._directions([fitted[at][0] for at in batch])
            for at, row in zip(batch, rows, strict=True):
                results[at] = TextVector(row, lengths[at], fitted[at][1])
        return [results[at] for at in range(len(texts))]

    def _encoded(self, texts: list[str]) -> list[tuple[Encoded, list[int]]]:
        """Each text as tokens, uncut, and the places of those that are not special tokens."""
        encoding = self.loaded.tokenizer(
            texts, truncation=False, return_special_tokens_mask=True, verbose=False
        )
        names = [name for name in encoding if name in self.loaded.tokenizer.model_input_names]
        marks = encoding["special_tokens_mask"]
        return [
            (
                {name: encoding[name][at] for name in names},
                [place for place, is_special in enumerate(marks[at]) if not is_special],
            )
            for at in range(len(texts))
        ]

    def _fitted(self, text: tuple[Encoded, list[int]]) -> tuple[Encoded, int]:
        encoded, places = text
        too_many = max(0, len(encoded["input_ids"]) - self.longest)
        dropped = set(places[len(places) - too_many :])
        kept = {
            name: [value for at, value in enumerate(values) if at not in dropped]
            for name, values in encoded.items()
        }
        return kept, too_many

    def _directions(self, encoded: Sequence[Encoded]) -> Any:
        """(N, D): the mean over the tokens that are not padding, scaled to length 1."""
        import torch

        batch = self.loaded.padded(encoded)
        with self.loaded.computing():
            hidden = self.loaded.model(**batch).last_hidden_state.float()
            mask = batch["attention_mask"].unsqueeze(-1).float()
            mean = (hidden * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1e-9)
            return torch.nn.functional.normalize(mean, dim=1).cpu().numpy()


def open_embedder(weights: Weights, settings: ModelSettings) -> Embedder:
    """The model of these weights, loaded once per process. UnusableModel where that fails."""
    return open_once(
        (NAME, weights, settings), lambda: Embedder(load("AutoModel", weights, settings), settings)
    )


def _cosine(first: TextVector, second: TextVector) -> ModelScores:
    # By rounding, the product of a vector with itself may exceed 1.
    cosine = max(-1.0, min(1.0, float(first.direction @ second.direction)))
    return ModelScores((cosine,), first.tokens + second.tokens, first.cut + second.cut)


def _trained_length(weights: Weights) -> int | None:
    """The length that the model was trained with, where its folder says so."""
    folder = weights.folder
    file = None if folder is None else folder / "sentence_bert_config.json"
    if file is None or not file.is_file():
        return None
    length = json.loads(file.read_text(encoding="utf-8")).get("max_seq_length")
    return int(length) if length else None
