"""How many inputs become few forward passes: equal ones once, like lengths together."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(frozen=True)
class Scored:
    """What a model says of one input.

    values: one number per label or word, each in [0, 1]; of an embedding one cosine, in [-1, 1].
    top: the place in `values` of what the model finds most probable of all; -1 where that is
    something else. tokens: how many it read. cut: how many of the document's it did not, because
    the input was longer than the model takes. refused: why it was not asked at all.
    """

    values: tuple[float, ...] = ()
    tokens: int = 0
    cut: int = 0
    top: int = -1
    refused: str = ""


class Memory(Generic[K, V]):
    """The newest results, so that what comes again is not computed again."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.kept: OrderedDict[K, V] = OrderedDict()
        self.lock = threading.Lock()
        # How many results were computed, for whoever asks whether duplicates were.
        self.computed = 0

    def results(self, inputs: Sequence[K], compute: Callable[[list[K]], Sequence[V]]) -> list[V]:
        """One result per input; `compute` gets each input that is not known yet once."""
        with self.lock:
            known = {one: self.kept[one] for one in inputs if one in self.kept}
            new = list(dict.fromkeys(one for one in inputs if one not in known))
            if new:
                known.update(zip(new, compute(new), strict=True))
                self.computed += len(new)
            for one in inputs:
                self.kept[one] = known[one]
                self.kept.move_to_end(one)
            while len(self.kept) > self.most:
                self.kept.popitem(last=False)
            return [known[one] for one in inputs]


def in_batches(lengths: Sequence[int], *, budget: int) -> Iterator[list[int]]:
    """Places of inputs, the longest first: as many at a time as fit into a budget of tokens.

    lengths: tokens per input. budget: a batch, padded to its longest input, holds at most so many
    tokens; an input that is longer goes alone. Longest first, so that a batch that does not fit
    into memory is found out at once.
    """
    order = sorted(range(len(lengths)), key=lambda place: -lengths[place])
    while order:
        room = max(1, budget // max(1, lengths[order[0]]))
        batch, order = order[:room], order[room:]
        yield batch
