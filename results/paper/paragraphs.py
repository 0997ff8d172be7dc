"""Sentences with citations, as Markdown and as LaTeX."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from results.reading.wording import plain
from results.tables.cells import marked
from results.tables.latex import escaped


@dataclass(frozen=True)
class Sentence:
    """text: one or several sentences, with full stops. keys: of works that it rests on."""

    text: str
    keys: Sequence[str] = ()


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of a paper."""

    sentences: Sequence[Sentence]

    def __bool__(self) -> bool:
        """Whether it says anything."""
        return bool(self.sentences)

    @property
    def keys(self) -> list[str]:
        """The works cited, each once."""
        return list(dict.fromkeys(key for of in self.sentences for key in of.keys))

    @property
    def as_text(self) -> str:
        """Without citations."""
        return " ".join(plain(sentence.text) for sentence in self.sentences)

    @property
    def as_markdown(self) -> str:
        """With citations as pandoc reads them: `[@holm1979]`."""
        return " ".join(
            _cited(sentence, marked, f" [{'; '.join(f'@{key}' for key in sentence.keys)}]")
            for sentence in self.sentences
        )

    @property
    def as_latex(self) -> str:
        r"""With `\citep` of natbib, a sentence on each line."""
        return "\n".join(
            _cited(sentence, escaped, rf"~\citep{{{','.join(sentence.keys)}}}")
            for sentence in self.sentences
        )


def _cited(sentence: Sentence, write: Callable[[str], str], citation: str) -> str:
    """The citation stands before the last full stop."""
    text = plain(sentence.text)
    return f"{write(text.removesuffix('.'))}{citation}." if sentence.keys else write(text)
