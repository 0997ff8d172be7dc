"""Texts as they were written: the same words in every form, nothing that acts, and in no time."""

import json
import re
from html.parser import HTMLParser
from time import process_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tasktypes.texts.formulas import MATHML
from tasktypes.texts.text_forms import LONGEST, written, written_data, written_part
from tests.annotation.messages.attacks import ATTACKS

FORMS = ("plain", "markdown", "formulas")
CODE = "def f(x):\n    if x:\n        return {'a': [1, 2]}\n\n    return None  # ends"
TABLE = "| a | b |\n|---|--:|\n| 1 | 2 |"
CHAT = (
    "Steps:\n\n1. Open the file.\n2. Run this:\n\n"
    "```python\nfor i in range(3):\n    print(i)\n```\n\n- done\n- really.\n"
)
ALLOWED = {
    *("p", "br", "strong", "em", "s", "code", "pre", "blockquote", "ul", "ol", "li", "hr"),
    *("table", "thead", "tbody", "tr", "th", "td", "div", "span", "button"),
    *MATHML,
}
NAMES = {
    *("class", "dir", "start", "value", "tabindex", "role", "aria-label"),
    *("type", "title", "data-passages", "display", "stretchy", "fence", "form", "accent"),
    *("mathvariant", "columnalign", "displaystyle", "scriptlevel", "width", "notation"),
    *("minsize", "maxsize", "linethickness", "lspace", "rspace", "symmetric", "accentunder"),
}
MARKS = st.text(alphabet="<>!()[]{}:/\\\"'`#*_-|&;~$^+=1. \n\tabx", max_size=120)


class Page(HTMLParser):
    """A page's tags, and its words with the numbers of lists."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "li":
            self.words += dict(attrs).get("value") or ""

    def handle_data(self, data: str) -> None:
        self.words += data


def letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text)


def assert_harmless(page: str) -> None:
    for tag, attributes in Page(page).tags:
        assert tag in ALLOWED
        assert set(attributes) <= NAMES
        assert not any("/" in (value or "") for value in attributes.values())


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("text", [*ATTACKS, r"\href{javascript:alert(1)}{x}", r"\style{x}{y}"])
def test_an_attack_does_nothing_in_any_form(text: str, form: str) -> None:
    for around in ("{}", "Before *{}* after\n\n- {}\n\n> {}", "${}$", r"$\text{{{}}}$"):
        told = around.replace("{}", text)
        for page in (written(told, form), written_part(told, form), written_data(told, form)):
            assert_harmless(page)


@given(MARKS)
@example('[a](http://b.c "d") ![e](http://f.g) <http://h.i>')
@example("| a |\n|---|\n| 1 | 2 |")
@example("1. a\n007. b\n3) c")
@example("> " * 30 + "deep")
@example("x" * 20 + "\r\n\r\n    y\r\n\x00z")
def test_no_text_loses_or_gains_a_letter_by_its_form(text: str) -> None:
    for page in (written(text, "markdown"), written_part(text, "markdown"), written(text)):
        assert letters(Page(page).words) == letters(text)
        assert_harmless(page)


@given(MARKS)
def test_no_formula_makes_anything_but_harmless_tags(text: str) -> None:
    assert_harmless(written(text, "formulas"))
    assert_harmless(written(f"${text}$ and \\[{text}\\]", "formulas"))


def test_a_plain_text_keeps_its_lines_and_their_indentation() -> None:
    page = written(CODE)
    first, second = (part.replace("'", "&#x27;") for part in CODE.split("\n\n"))
    assert page == (
        f'<div class="written written--plain"><p dir="auto">{first}</p>'
        f'<p dir="auto">{second}</p></div>'
    )
    assert Page(written("a\n\n\n\n  b")).words == "a\n\n  b"
    assert written_part("One\n  two") == '<span class="written written--plain">One\n  two</span>'


@pytest.mark.parametrize("form", ["plain", "markdown"])
def test_code_between_fences_has_a_code_face_in_every_form(form: str) -> None:
    for page in (
        written("Run:\n\n```\na\n\n  b\n```\ndone", form),
        written_part("```\na\n```", form),
    ):
        assert [tag for tag, _ in Page(page).tags][-3:] in (
            ["pre", "code", "p"],
            ["div", "pre", "code"],
        )
        assert ("```" in page) == (form == "plain")
    assert "<pre" not in written("```x``` is code within a line", form)


def test_code_without_a_closing_fence_goes_to_the_end() -> None:
    assert "<code>~~~\na\n\nb</code></pre></div>" in written("~~~\na\n\nb")


def test_markdown_becomes_what_it_stands_for() -> None:
    page = written(CHAT, "markdown")
    assert '<li value="2">\n<p>Run this:</p>' in page
    assert (
        '<pre dir="ltr"><span class="written__language">python</span>'
        "<code>for i in range(3):\n    print(i)\n</code></pre>" in page
    )
    assert '<ul dir="auto">\n<li>\n<p>done</p>' in page
    assert "<td>1</td>\n" in written(TABLE, "markdown")
    assert '<td class="written__right">2</td>' in written(TABLE, "markdown")


def test_a_table_is_a_box_that_can_be_focused() -> None:
    box = dict(Page(written(TABLE, "markdown")).tags)["div"]
    assert box["class"] == "written__wide"
    assert (box["tabindex"], box["role"], box["aria-label"]) == ("0", "group", "Table")


def test_lines_within_a_paragraph_stay_in_markdown_too() -> None:
    assert '<p dir="auto">One\n   two\nthree</p>' in written("One\n   two\nthree", "markdown")


def test_a_heading_is_a_line_in_bold_that_no_outline_has() -> None:
    page = written("# One\n\n### Two", "markdown")
    assert page.count('<p dir="auto" class="written__heading">') == 2
    assert "<h" not in page


def test_a_link_is_text_with_its_address() -> None:
    page = written('[The *docs*](javascript:a "T") and ![pic](//e.x/p.png)', "markdown")
    assert Page(page).words.strip() == "The docs (javascript:a “T”) and pic (//e.x/p.png)"
    assert "<a" not in page
    assert "<img" not in page


def test_a_part_that_would_lose_words_is_shown_with_its_marks_and_the_others_are_not() -> None:
    page = written("**bold**\n\n| a |\n|---|\n| 1 | lost |", "markdown")
    assert "<strong>bold</strong>" in page
    assert "| 1 | lost |" in page
    assert "<table" not in page


@pytest.mark.parametrize(
    ("sentence", "tag"),
    [("- an item", "ul"), ("2. an item", "ol"), (TABLE, "table"), ("```\nx = 1\n```", "pre")],
)
def test_a_sentence_that_is_a_block_is_shown_as_one(sentence: str, tag: str) -> None:
    assert f"<{tag}" in written_part(sentence, "markdown")


def test_a_block_that_was_indented_keeps_what_belongs_to_it() -> None:
    item = "2. Run this:\n\n        ```\n        a\n          b\n        ```"
    assert '<p>Run this:</p>\n<pre dir="ltr"><code>a\n  b\n</code>' in written_part(
        item, "markdown"
    )
    assert "<code>a\n</code>" in written_part("```\n    a\n    ```", "markdown")


def test_a_sentence_of_words_is_nothing_but_words() -> None:
    page = written_part(" One **bold** `word`. ", "markdown")
    assert [tag for tag, _ in Page(page).tags] == ["span", "strong", "code"]


@pytest.mark.parametrize("form", FORMS)
def test_markers_of_passages_are_buttons_and_others_are_not(form: str) -> None:
    page = written_part("Said [3] and [4].", form, {3})
    assert re.findall("<button[^>]*>([^<]*)</button>", page) == ["[3]"]
    assert 'type="button"' in page
    assert 'data-passages="3"' in page


def test_json_is_indented_and_anything_else_stays_as_it_was() -> None:
    arguments = '{"query": "mill é", "pages": [1, 2], "p": 0.5}'
    shown = Page(written_data(arguments)).words
    assert shown == json.dumps(json.loads(arguments), indent=2, ensure_ascii=False)
    for text in ("search(x)", '{"a": 1, "a": 2}', '{"a": 1e3}', "{'a': 1}", "[" * 100_000, "12"):
        assert Page(written_data(text)).words == text
    assert "<strong>" in written_data("**a**", "markdown")


@pytest.mark.parametrize("form", FORMS)
def test_50_000_characters_take_no_time(form: str) -> None:
    part = f"{CHAT}\n{TABLE}\n\nThe *sum* is $x^2$, says [1](u).\n\n"
    text = part * (50_000 // len(part))
    before = process_time()
    page = written(text, form)
    assert process_time() - before < 2
    assert ("<table" in page) == (form != "plain")


@pytest.mark.parametrize(
    "text",
    [
        "`" * 1_000_000,
        "$" * 1_000_000,
        "> " * 5_000 + "x",
        "> " * 30_000,
        "```\n" * 14_000,
        "```python\n" + "x = 1\n" * 9_000,
        "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 100_000,
        "![" * 5_000,
        "`a" * 5_000,
        "*a_" * 2_000,
        "\\[\n" * 5_000,
        "\\begin{align}\n" * 4_000,
        "".join(f"{'  ' * depth}- a\n" for depth in range(200)),
        "$" + r"\frac" * 300 + "$",
        "$" + r"\sqrt{" * 300 + "}" * 300 + "$",
        "$" + "{" * 1_000 + "}" * 1_000 + "$",
        r"$\def\a{\a\a}\a$",
        "|" + "a|" * 1_000 + "\n|" + "-|" * 1_000 + "\n" + ("|" * 1_000 + "\n") * 3,
    ],
    ids=lambda text: text[:12],
)
def test_hardly_more_than_marks_hangs_nothing(text: str) -> None:
    before = process_time()
    page = written(text, "formulas")
    assert process_time() - before < 3
    assert_harmless(page)


def test_marks_of_a_very_long_text_are_not_read() -> None:
    assert "<em>" in written("*a*" + " " * (LONGEST - 3), "markdown")
    assert "*a*" in written("*a*" + " " * LONGEST, "markdown")
