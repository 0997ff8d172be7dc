import time

import pytest

from tasktypes.texts.shapes import shapes


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Steps:\n- open\n- close", ("lists",)),
        ("|a|b|\n|-|-|\n|1|2|", ("tables",)),
        ("See:\n```py\nx = 1\n```", ("code",)),
        ("Use `len`.", ("code",)),
        ("# Title\nWords.", ("headings",)),
        ("It is **not** so.", ("emphasis",)),
        ("Then\n$$\nx\n$$", ("formulas",)),
        ("Let $x^2$ and \\(f(x)\\) be.", ("formulas",)),
        ("1. a\n2. `b`", ("lists", "code")),
    ],
)
def test_what_markdown_shows_better_is_found(text: str, found: tuple[str, ...]) -> None:
    assert shapes(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- one line is running text",
        "Two paragraphs.\n\nOf prose.",
        "It cost $5, then $6.",
        "a * b ** c ** d",
        "$HOME/my_file and $y",
        "It's 5 o'clock [1].",
    ],
)
def test_running_text_holds_nothing(text: str) -> None:
    assert shapes(text) == ()


@pytest.mark.parametrize("piece", ["`", "$", "$a_", "**a", "\\(", "- a\n", "$ ", "|\n"])
def test_marks_without_partners_cost_no_more_than_they_are_long(piece: str) -> None:
    began = time.process_time()
    shapes(piece * 50_000)
    assert time.process_time() - began < 3
