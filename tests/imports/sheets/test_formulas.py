"""No text of a stranger becomes a formula in a spreadsheet."""

import pytest

from imports.sheets.formulas import harmless


@pytest.mark.parametrize(
    "text",
    [
        "=1",
        "+1",
        "-x",
        "@sum",
        "\tx",
        "\rx",
        "\nx",
        " =1",
        "\N{NO-BREAK SPACE}=1",
        "\N{FULLWIDTH EQUALS SIGN}1",
        "\N{SMALL PLUS SIGN}1",
    ],
)
def test_a_text_that_may_be_computed_gets_an_apostrophe(text: str) -> None:
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", " ", "plain", "1 = 1", "'=1", " a"])
def test_any_other_text_stays_as_it_is(text: str) -> None:
    assert harmless(text) == text
