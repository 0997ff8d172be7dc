"""Vectors of sentences, by which the part of a page that the model reads is chosen."""

import threading
from collections.abc import Sequence

import numpy as np

from judges.backends.embedding import open_embedder
from judges.backends.local.models import ModelSettings
from judges.backends.local.weights import Weights
from retrieval.summary import Vectors

# Runs in several threads of one process share the model, which takes one call at a time.
_EMBEDDER_LOCK = threading.Lock()


class SentenceVectors:
    """A `retrieval.summary.Embedder` with a model on this machine."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """One row of length 1 per text. UnusableModel where the model cannot be used."""
        with _EMBEDDER_LOCK:
            vectors = open_embedder(self.weights, ModelSettings()).vectors(texts)
        return np.stack([np.asarray(vector.direction, dtype=np.float64) for vector in vectors])
