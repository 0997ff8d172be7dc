"""Vectors of sentences by the embedding model that the judges have."""

import threading
from collections.abc import Sequence

import numpy as np

from judges.backends.embedding import open_embedder
from judges.backends.local.models import Setting
from judges.backends.local.weights import Weights
from judges.retrieval.summary import Vectors

# Several runs may be worked in one process, each in a thread; the model takes one text at a time.
_ONE_AT_A_TIME = threading.Lock()


class Nearness:
    """`judges.retrieval.summary.Embedder` with a model on this machine."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """One row of length 1 per text. Unfit where the model cannot be used."""
        with _ONE_AT_A_TIME:
            found = open_embedder(self.weights, Setting()).vectors(texts)
            return np.stack([np.asarray(one.direction, dtype=np.float64) for one in found])
