import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasktypes.texts.material import Item, Source
from tasktypes.texts.sentences import cut

LONG = 50_000
# What makes blocks and sentences, in every order, and letters that are none.
MARKS = """``` ~~~~ $$ \\[ \\] | |---| # - * 1. 2) A. Dr. “ ” « » " [1] [2, a b... ?!"""
SPACES = ("\n", "\n\n", "\r\n", "\r", "\x85", "\u2028", "\u2029", "\u200b", "\0", "\t", " ", "    ")
PIECES = st.sampled_from((*MARKS.split(), *SPACES))
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join))


def normalised(text: str) -> str:
    """What of a text is kept: one kind of line end, and no empty lines at its ends."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    words = text.lstrip()
    if not words:
        return ""
    indent = text[: len(text) - len(words)].rpartition("\n")[2]
    return (indent + words).rstrip()


def has_lines(text: str) -> bool:
    return any(mark in text.strip() for mark in "\n\r\x85\u2028\u2029")


@given(TEXTS)
def test_a_text_comes_back_letter_by_letter_and_its_offsets_point_at_its_sentences(
    text: str,
) -> None:
    sentences = cut(text)
    if not sentences:
        assert not text.strip()
        return
    item = Item(key="a", sentences=sentences)
    if has_lines(text):
        assert item.text == normalised(text)
    assert "".join(item.text.split()) == "".join(text.split())
    assert [item.text[a:b] for a, b in item.offsets] == [each.text for each in sentences]
    assert Item.model_validate_json(item.model_dump_json()).text == item.text


def repeated(piece: str) -> str:
    return (piece * (LONG // len(piece) + 1))[:LONG]


@pytest.mark.parametrize(
    "piece",
    [
        "A b. ", ". ", '"a." ', "“A.” ", "“A. ", "A b.\r\n", "A b.\u2028",
        "A\u200b b.\n", "A\0 b.\n",
        "```\n", "- a\n", "1. a\n", "- a\n  ```\n", "- a\n  \\[ x\n", "\\[ a\n", "$$\n", "# a\n",
        "| a |\n|---|\n", "[1]", "a. [1 ", "|a\n", "e.g. ", "\n", "(",
    ],
)  # fmt: skip
def test_long_texts_of_anything_are_cut_in_time_that_grows_with_their_length(piece: str) -> None:
    """Before, stops, lists and formulas cost the square of it: a minute, or a stack too deep."""
    began = time.process_time()
    sentences = cut(repeated(piece) + "x")
    assert "".join("".join(each.text.split()) for each in sentences) == "".join(
        (repeated(piece) + "x").split()
    )
    assert time.process_time() - began < 5


@pytest.mark.parametrize("text", ["." * LONG + "x", "a.\n" + "'" * LONG + "x", "x" * LONG])
def test_a_run_of_marks_is_looked_at_once(text: str) -> None:
    began = time.process_time()
    assert Item(key="a", sentences=cut(text)).text == text
    assert time.process_time() - began < 5


def test_a_list_of_ten_thousand_items_and_a_table_of_a_thousand_rows_are_whole() -> None:
    table = "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 1000
    assert len(cut("- a\n" * 10_000)) == 10_000
    assert [each.text for each in cut(f"Look.\n\n{table}\nDone.")] == [
        "Look.",
        table.strip(),
        "Done.",
    ]
    assert len(cut("Look.\n```py\n" + "x = 1\n" * 1000)) == 2


def test_the_first_line_of_a_text_keeps_its_indentation_and_one_of_a_single_line_does_not() -> None:
    source = Source(key="a", document="\n\n    return 1\n  x \n", query="  Why? ")
    assert source.document == "    return 1\n  x"
    assert source.query == "Why?"


def test_backticks_that_close_in_their_line_begin_no_block() -> None:
    words = [sentence.text for sentence in cut("```a``` is it. And so.\nMore.")]
    assert words == ["```a``` is it.", "And so.", "More."]
