"""Texts in Markdown: what they may do, what they may not, and that plain ones stay as they were."""

from html.parser import HTMLParser
from time import process_time

import pytest
from django.utils.html import linebreaks
from hypothesis import given
from hypothesis import strategies as st

from annotation.messages.rich_text import LONGEST, as_html
from tests.annotation.messages.attacks import ATTACKS

ALLOWED = {
    *("p", "br", "strong", "em", "code", "pre", "blockquote", "a", "ul", "ol", "li"),
    *("h2", "h3", "h4", "table", "thead", "tbody", "tr", "th", "td"),
}


class Tags(HTMLParser):
    """Every tag with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.all: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.all.append((tag, dict(attrs)))


def assert_harmless(text: str) -> None:
    for tag, attributes in Tags(as_html(text)).all:
        assert tag in ALLOWED
        allowed = {"a": {"href", "rel", "target"}, "ol": {"start"}}.get(tag, set())
        assert set(attributes) <= allowed
        if href := attributes.get("href"):
            assert href.split(":")[0] in ("http", "https", "mailto")


@pytest.mark.parametrize("text", ATTACKS)
def test_an_attack_does_nothing(text: str) -> None:
    assert_harmless(text)
    assert_harmless(f"Before *{text}* after\n\n- {text}\n\n> {text}")


@given(st.text(alphabet="<>!()[]{}:/\\\"'`#*_-|&; \n\tajsrcx=1.", max_size=80))
def test_no_text_makes_anything_but_harmless_tags(text: str) -> None:
    assert_harmless(text)


@pytest.mark.parametrize(
    "text",
    [
        "One paragraph.\n\nAnother one,\nof two lines.",
        "Some <b>marks</b> & signs, 3 < 5, a_name_with_lines, [0] and [1][2].",
        "[1]: a note that is no definition",
        "A title\n-------",
        "Not &amp; but as typed",
        "C:\\data\\new",
        "Windows\r\nlines.\r\n\r\nTwo paragraphs.",
        "2 * 3 * 4 = 24",
        "“Quotes” — and 100 %",
    ],
)
def test_a_plain_text_looks_as_it_did(text: str) -> None:
    def seen(page: str) -> list[str]:
        page = page.replace("&quot;", '"').replace("&#x27;", "'")
        lines = page.replace("<br>", "<br>\n").splitlines()
        return [line.strip() for line in lines if line.strip()]

    assert seen(as_html(text)) == seen(linebreaks(text, autoescape=True))


def test_marks_become_what_they_stand_for() -> None:
    page = as_html("# Steps\n\n1. **Read** the text\n2. [Ask us](https://example.org)")
    assert "<h2>Steps</h2>" in page
    assert "<strong>Read</strong>" in page
    assert 'href="https://example.org"' in page
    assert 'rel="noopener noreferrer"' in page


def test_an_image_is_named_not_fetched() -> None:
    assert as_html("![The *form*](https://example.org/form.png)") == "<p>The form</p>\n"


def test_a_text_that_is_too_long_has_its_lines_alone_and_takes_no_time() -> None:
    text = "![" * 1_000_000
    before = process_time()
    assert as_html(f"**a** <b>\n{text}").startswith("<p>**a** &lt;b&gt;<br>![")
    assert process_time() - before < 2
    assert as_html("*a*" + " " * (LONGEST - 3)) == "<p><em>a</em></p>\n"
