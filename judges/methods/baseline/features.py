"""What a baseline sees of a text: a number, without reading it."""

import re
from collections.abc import Callable, Mapping, Sequence

from judges.backends.contract import Unusable
from judges.backends.embedding import open_embedder
from judges.backends.local.models import ModelSettings
from judges.backends.local.weights import UnusableModel, Weights
from tasktypes.machines.parts import Part
from tasktypes.texts.citations import without_markers

_WORD = re.compile(r"\w+")
TextPair = tuple[str, str]
# The number of each pair of a text and its source.
Measure = Callable[[Sequence[TextPair]], list[float]]


def length(pairs: Sequence[TextPair]) -> list[float]:
    """The number of words of each text, without its citation markers."""
    return [float(len(_WORD.findall(without_markers(text)))) for text, _source in pairs]


def overlap(pairs: Sequence[TextPair]) -> list[float]:
    """The overlap coefficient of the words of text and source, in [0, 1]: the share of the words of
    the one with fewer that the other has, too; 0 where one has none."""
    return [_overlap(_words(text), _words(source)) for text, source in pairs]


def similarity(weights: Weights) -> Measure:
    """The cosine of the embeddings of text and source, in [-1, 1]."""

    def measure(pairs: Sequence[TextPair]) -> list[float]:
        clean = [(without_markers(text), source) for text, source in pairs]
        try:
            scored = open_embedder(weights, ModelSettings()).scored(clean)
        except UnusableModel as error:
            raise Unusable(str(error)) from error
        return [score.values[0] for score in scored]

    return measure


PLAIN: Mapping[str, Measure] = {"length": length, "overlap": overlap}


def seen(parts: Sequence[Part], measure: Measure) -> list[float]:
    """A number for every part: that of its text; of one that is judged against others, how much
    more than the highest of theirs."""
    pairs = list(
        dict.fromkeys((text, part.source) for part in parts for text in (part.text, *part.rivals))
    )
    of_pair = dict(zip(pairs, measure(pairs), strict=True))
    return [
        of_pair[part.text, part.source]
        - max((of_pair[text, part.source] for text in part.rivals), default=0.0)
        for part in parts
    ]


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(without_markers(text).lower()))


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / min(len(one), len(other)) if one and other else 0.0
