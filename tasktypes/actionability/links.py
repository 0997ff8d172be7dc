"""The links in a text."""

import re
from collections.abc import Iterable

# A bracket ends an address: what follows it is a citation, or the end of a Markdown link.
_ADDRESS = re.compile(r"""https?://[^\s<>"'“”‘’«»\[\]{}|\\^`]+""", re.IGNORECASE)
_PUNCTUATION = ".,;:!?…*_~"


def links_in(texts: Iterable[str]) -> tuple[str, ...]:
    """Every http or https address in the texts, in order, each once.

    Punctuation that closes a sentence or a parenthesis around the address is not part of it.
    """
    links = (_trimmed(match[0]) for text in texts for match in _ADDRESS.finditer(text))
    return tuple(dict.fromkeys(link for link in links if not link.endswith("//")))


def _trimmed(address: str) -> str:
    """The address up to the punctuation around it; `(a_(b))` keeps its own parentheses."""
    while True:
        shorter = address.rstrip(_PUNCTUATION)
        depth = shorter.count(")") - shorter.count("(")
        if shorter.endswith(")") and depth > 0:
            shorter = _before_unopened(shorter)
        if shorter == address:
            return address
        address = shorter


def _before_unopened(address: str) -> str:
    """The address before the first closing parenthesis that nothing in it has opened."""
    depth = 0
    for position, character in enumerate(address):
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return address[:position]
    return address
