"""Embedding: texts as vectors of length 1, by the mean of a model's token vectors.

A text that is longer than the model takes is cut at its end.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
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
from judges.backends.local.weights import Weights

NAME = "embedding"
MINILM = "all-MiniLM-L6-v2"


@dataclass(frozen=True, eq=False)
class Vector:
    """A text as the model sees it. direction: (D,) of length 1, float32."""

    direction: Any
    tokens: int
    cut: int


class Embedder:
    """A loaded encoder."""

    def __init__(self, loaded: Loaded, setting: Setting) -> None:
        self.loaded = loaded
        self.longest = longest_input(loaded, setting, trained=_trained_length(loaded.weights))
        self.memory: Memory[str, Vector] = Memory(REMEMBERED)

    def vectors(self, texts: Sequence[str]) -> list[Vector]:
        """One vector per text."""
        return self.memory.results(texts, self._compute)

    def scored(self, pairs: Sequence[tuple[str, str]]) -> list[Scored]:
        """The cosine of the two texts of each pair, in [-1, 1]."""
        found = self.vectors([text for pair in pairs for text in pair])
        return [
            _cosine(first, second) for first, second in zip(found[::2], found[1::2], strict=True)
        ]

    def _compute(self, texts: list[str]) -> list[Vector]:
        encoded = [self._fitted(one) for one in self._encoded(texts)]
        lengths = [len(one["input_ids"]) for one, _ in encoded]
        results: dict[int, Vector] = {}
        for batch in in_batches(lengths, budget=self.loaded.budget):
            rows = self._directions([encoded[at][0] for at in batch])
            for at, row in zip(batch, rows, strict=True):
                results[at] = Vector(row, lengths[at], encoded[at][1])
        return [results[at] for at in range(len(texts))]

    def _encoded(self, texts: list[str]) -> list[tuple[Encoded, list[int]]]:
        """Each text as the model reads it, uncut, and the places of its own tokens."""
        found = self.loaded.tokenizer(
            texts, truncation=False, return_special_tokens_mask=True, verbose=False
        )
        names = [name for name in found if name in self.loaded.tokenizer.model_input_names]
        marks = found["special_tokens_mask"]
        return [
            (
                {name: found[name][at] for name in names},
                [place for place, special in enumerate(marks[at]) if not special],
            )
            for at in range(len(texts))
        ]

    def _fitted(self, text: tuple[Encoded, list[int]]) -> tuple[Encoded, int]:
        encoded, own = text
        too_many = max(0, len(encoded["input_ids"]) - self.longest)
        dropped = set(own[len(own) - too_many :])
        kept = {
            name: [number for place, number in enumerate(numbers) if place not in dropped]
            for name, numbers in encoded.items()
        }
        return kept, too_many

    def _directions(self, encoded: Sequence[Encoded]) -> Any:
        """(N, D): the mean over the tokens that are no filling, divided by its length."""
        import torch

        batch = self.loaded.padded(encoded)
        with self.loaded.computing():
            hidden = self.loaded.model(**batch).last_hidden_state.float()
            mask = batch["attention_mask"].unsqueeze(-1).float()
            mean = (hidden * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1e-9)
            return torch.nn.functional.normalize(mean, dim=1).cpu().numpy()


def open_embedder(weights: Weights, setting: Setting) -> Embedder:
    """The model of these weights, loaded once per process; Unfit where it cannot be used."""
    return kept_open(
        (NAME, weights, setting), lambda: Embedder(load("AutoModel", weights, setting), setting)
    )


def _cosine(first: Vector, second: Vector) -> Scored:
    # Rounding may carry the product of a vector with itself past 1.
    cosine = max(-1.0, min(1.0, float(first.direction @ second.direction)))
    return Scored((cosine,), first.tokens + second.tokens, first.cut + second.cut)


def _trained_length(weights: Weights) -> int | None:
    """The length that the model was trained with, where its folder says so."""
    folder = weights.folder
    file = None if folder is None else folder / "sentence_bert_config.json"
    if file is None or not file.is_file():
        return None
    said = json.loads(file.read_text(encoding="utf-8")).get("max_seq_length")
    return int(said) if said else None
