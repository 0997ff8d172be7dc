"""Few forward passes for many inputs: equal ones are computed once, like lengths together."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(frozen=True)
class ModelScores:
    """What a model computes for one input.

    values: one number per label or word, each in [0, 1]; of an embedding one cosine, in [-1, 1].
    top: the index in `values` of what the model finds most probable; -1 where that is something
    else. tokens: how many it read. cut: how many tokens of the document were cut off because the
    input was longer than the model takes. refused: why the model was not run at all.
    """

    values: tuple[float, ...] = ()
    tokens: int = 0
    cut: int = 0
    top: int = -1
    refused: str = ""


class ResultCache(Generic[K, V]):
    """The results of the newest inputs, so that an input that repeats is not computed again."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.kept: OrderedDict[K, V] = OrderedDict()
        self.lock = threading.Lock()
        # For tests: how many results were computed.
        self.computed = 0

    def results(self, inputs: Sequence[K], compute: Callable[[list[K]], Sequence[V]]) -> list[V]:
        """One result per input; `compute` gets each input without a result once."""
        with self.lock:
            results = {key: self.kept[key] for key in inputs if key in self.kept}
            new = list(dict.fromkeys(key for key in inputs if key not in results))
            if new:
                results.update(zip(new, compute(new), strict=True))
                self.computed += len(new)
            for key in inputs:
                self.kept[key] = results[key]
                self.kept.move_to_end(key)
            while len(self.kept) > self.most:
                self.kept.popitem(last=False)
            return [results[key] for key in inputs]


def in_batches(lengths: Sequence[int], *, budget: int) -> Iterator[list[int]]:
    """Indices of inputs in batches, the longest first.

    lengths: tokens per input. budget: a batch, padded to its longest input, holds at most so many
    tokens; an input that is longer goes alone. The longest come first, so that a batch that does
    not fit into memory fails at once, not after hours.
    """
    order = sorted(range(len(lengths)), key=lambda index: -lengths[index])
    while order:
        size = max(1, budget // max(1, lengths[order[0]]))
        batch, order = order[:size], order[size:]
        yield batch
