"""Sentences with citations, as Markdown and as LaTeX."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from results.reading.wording import plain
from results.tables.cells import marked
from results.tables.latex import escaped


@dataclass(frozen=True)
class Sentence:
    """text: one or several sentences, with full stops. keys: of works that it rests on. head:
    begins a paragraph of its own, such as the name of a facet."""

    text: str
    keys: Sequence[str] = ()
    head: str = ""


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of a paper, or several with their heads."""

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
        return self._parted(" ", lambda head: f"{head}.", lambda sentence: plain(sentence.text))

    @property
    def as_markdown(self) -> str:
        """With citations as pandoc reads them: `[@holm1979]`."""
        return self._parted(
            " ",
            lambda head: f"**{marked(head)}.**",
            lambda sentence: _cited(
                sentence, marked, f" [{'; '.join(f'@{key}' for key in sentence.keys)}]"
            ),
        )

    @property
    def as_latex(self) -> str:
        r"""With `\citep` of natbib, a sentence on each line."""
        return self._parted(
            "\n",
            lambda head: rf"\paragraph{{{escaped(head)}.}}",
            lambda sentence: _cited(sentence, escaped, rf"~\citep{{{','.join(sentence.keys)}}}"),
        )

    def _parted(
        self,
        between: str,
        headed: Callable[[str], str],
        write: Callable[[Sentence], str],
    ) -> str:
        """The sentences one after another, apart from each other where one has a head."""
        text = ""
        for sentence in self.sentences:
            joint = "\n\n" if sentence.head else between
            head = f"{headed(sentence.head)}{between}" if sentence.head else ""
            text += f"{joint if text else ''}{head}{write(sentence)}"
        return text


def _cited(sentence: Sentence, write: Callable[[str], str], citation: str) -> str:
    """The citation stands before the last full stop."""
    text = plain(sentence.text)
    return f"{write(text.removesuffix('.'))}{citation}." if sentence.keys else write(text)
