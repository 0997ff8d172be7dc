"""Extractive summaries: the sentences of a page that fit into a budget of tokens."""

from collections.abc import Sequence
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from tasktypes.texts.sentences import split

Vectors = NDArray[np.floating[Any]]
Summary = Literal["central", "relevant", "beginning"]
# Only so many sentences of a page are considered.
MOST_SENTENCES = 600
# As in the estimates of costs.
CHARACTERS_PER_TOKEN = 4


class Embedder(Protocol):
    """Texts as vectors of length 1, so that their products are cosines."""

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """One row per text."""


def summary(
    text: str, *, tokens: int, how: Summary, focus: str = "", embedder: Embedder | None = None
) -> str:
    """Whole sentences of the text, in their order, within the budget; the whole text if it fits.

    how: `central` takes the sentences nearest to the mean of all, `relevant` those nearest to
    `focus`, both by the cosine of their vectors, the first of equally near ones; `beginning` takes
    the first ones and needs no embedder. A sentence that does not fit is passed over; where none
    fits, the first chosen one is cut.
    """
    left = tokens * CHARACTERS_PER_TOKEN
    if len(text) <= left:
        return text
    sentences = [" ".join(sentence.split()) for sentence in split(text)[:MOST_SENTENCES]]
    order: Sequence[int] = range(len(sentences))
    if how != "beginning":
        if embedder is None:
            raise ValueError(f"summary: {how} sentences need an embedding model")
        order = _order(sentences, focus if how == "relevant" else "", embedder)
    chosen: list[int] = []
    for number in order:
        if len(sentences[number]) + 1 <= left:
            chosen.append(number)
            left -= len(sentences[number]) + 1
        elif how == "beginning":
            break
    if not chosen:
        return sentences[order[0]][:left]
    return " ".join(sentences[number] for number in sorted(chosen))


def _order(sentences: Sequence[str], focus: str, embedder: Embedder) -> Sequence[int]:
    vectors = embedder.vectors(list(sentences))
    target = embedder.vectors([focus])[0] if focus else vectors.mean(axis=0)
    # Rounded, because the last bits of equal sentences may differ between machines.
    scores = np.round(vectors @ target, 6)
    order: list[int] = np.argsort(-scores, kind="stable").tolist()
    return order
