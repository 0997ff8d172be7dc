"""Markers of citations as buttons."""

import re

import pytest

from tasktypes.texts.citation_buttons import with_buttons


def marked(text: str) -> str:
    """The HTML, with `{}` for a button, `(` and `)` around what no line break parts."""
    page = re.sub("<button[^>]*>", "{", with_buttons(text, {0, 1, 2})).replace("</button>", "}")
    return page.replace('<span class="cites-closed">', "(").replace("</span>", ")")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("So it is [1].", "So it is ({[1]}.)"),
        ("So it is [1]. And <so> on [0-2]!", "So it is ({[1]}.) And &lt;so&gt; on ({[0-2]}!)"),
        ("He said so [1]” twice", "He said so ({[1]}”) twice"),
        ("It is [1] so", "It is {[1]} so"),
        ("It is [0][1].", "It is {[0]}({[1]}.)"),
        ("It is [1]", "It is {[1]}"),
        ("It is [7].", "It is [7]."),
        (". [1]", ". {[1]}"),
    ],
)
def test_no_line_begins_with_what_closes_a_sentence(text: str, shown: str) -> None:
    assert marked(text) == shown
