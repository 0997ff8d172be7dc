"""The questions that UniEval models were trained on, word for word, one file per dimension.

Zhong, Liu, Yin, Mao, Jiao, Liu, Zhu, Ji and Han (2022), "Towards a Unified Multi-Dimensional
Evaluator for Text Generation"; summaries, dialogues and data-to-text have questions of their own.
"""

from functools import cache
from pathlib import Path
from string import Template
from typing import Literal

from judges.backends.seq2seq import DocumentPrompt

Dimension = Literal[
    "consistency",
    "coherence",
    "fluency",
    "relevance",
    "dialogue_naturalness",
    "dialogue_coherence",
    "dialogue_groundedness",
    "dialogue_understandability",
    "data_naturalness",
    "data_informativeness",
]
# Asked of each sentence and averaged; the others are asked of the whole text.
OF_SENTENCES: frozenset[Dimension] = frozenset({"consistency", "fluency"})

_DOCUMENT = "${document}"


@cache
def template(dimension: Dimension) -> str:
    """The question with placeholders for the text and, at its end, the document."""
    file = Path(__file__).parent / f"prompt_{dimension}.txt"
    return file.read_text(encoding="utf-8").rstrip("\n")


def needs_document(dimension: Dimension) -> bool:
    """Whether the question is about a document, too."""
    return _DOCUMENT in template(dimension)


def filled(dimension: Dimension, text: str, document: str) -> DocumentPrompt:
    """The question about a text."""
    before, placeholder, _ = template(dimension).partition(_DOCUMENT)
    return DocumentPrompt(Template(before).substitute(text=text), document if placeholder else "")
