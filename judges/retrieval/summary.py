"""A long page in its own sentences, as many as a model is to read."""

from collections.abc import Sequence
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from tasktypes.sentences import split

Vectors = NDArray[np.floating[Any]]
Summary = Literal["central", "relevant", "beginning"]
# Sentences of a page that are looked at: a summary of a book is not asked for.
MOST_SENTENCES = 600
# A token is taken for four characters, as in the estimates of costs.
CHARACTERS_PER_TOKEN = 4


class Embedder(Protocol):
    """Texts as vectors of length 1, so that their products are cosines."""

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """One row per text."""


def summary(
    text: str, *, tokens: int, how: Summary, focus: str = "", embedder: Embedder | None = None
) -> str:
    """Whole sentences of the text in their own order, within the budget; all where they fit.

    how: `central` takes the sentences nearest to the mean of all, `relevant` those nearest to
    `focus`, both by the cosine of their vectors, the first among equals; `beginning` takes the
    first ones and needs no embedder. A sentence that does not fit any more is passed over; where
    none fits, the first chosen one is cut.
    """
    room = tokens * CHARACTERS_PER_TOKEN
    if len(text) <= room:
        return text
    sentences = [" ".join(one.split()) for one in split(text)[:MOST_SENTENCES]]
    order: Sequence[int] = range(len(sentences))
    if how != "beginning":
        if embedder is None:
            raise ValueError(f"summary: {how} sentences need an embedding model")
        order = _order(sentences, focus if how == "relevant" else "", embedder)
    chosen: list[int] = []
    for number in order:
        if len(sentences[number]) + 1 <= room:
            chosen.append(number)
            room -= len(sentences[number]) + 1
        elif how == "beginning":
            break
    if not chosen:
        return sentences[order[0]][:room]
    return " ".join(sentences[number] for number in sorted(chosen))


def _order(sentences: Sequence[str], focus: str, embedder: Embedder) -> Sequence[int]:
    vectors = embedder.vectors(list(sentences))
    towards = embedder.vectors([focus])[0] if focus else vectors.mean(axis=0)
    # Rounded: on another machine the last bits of equal sentences may differ.
    scores = np.round(vectors @ towards, 6)
    order: list[int] = np.argsort(-scores, kind="stable").tolist()
    return order
