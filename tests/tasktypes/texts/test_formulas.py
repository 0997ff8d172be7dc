"""Formulas in LaTeX as MathML, and what is none as it was written."""

import pytest

from tasktypes.texts.formulas import as_mathml
from tasktypes.texts.text_forms import written


def shown(text: str) -> str:
    return written(text, "formulas").removeprefix('<div class="written written--formulas">')


@pytest.mark.parametrize(
    "text", ["$x^2$", r"\(x^2\)", "so $x^2$, and", "- $x^2$", "**$x^2$**", "| $x^2$ |\n|---|"]
)
def test_a_formula_in_a_line_becomes_mathml(text: str) -> None:
    assert '<math display="inline"><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></math>' in shown(
        text
    )


@pytest.mark.parametrize(
    "text",
    [
        "$$a\n+ b$$",
        "\\[\na\n+ b\n\\]",
        "\\begin{equation}\na\n+ b\n\\end{equation}",
        "So:\n\\[ a\n+ b \\]\nand on",
        "1. So\n   \\[\n   a\n   + b\n   \\]",
    ],
)
def test_a_formula_on_its_own_lines_is_a_box_that_can_be_focused(text: str) -> None:
    page = shown(text)
    assert '<math display="block">' in page
    assert '<span class="written__wide" tabindex="0" role="group" aria-label="Formula">' in page
    assert "<ul" not in page


def test_a_long_formula_in_a_line_scrolls_too() -> None:
    assert 'class="written__wide written__formula"' in shown(f"${'a+' * 30}a$")


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and $10.",
        "From $5-$10 a day",
        "A $ sign, two $ signs",
        r"\$5 and \$6$",
        "$$",
        r"\(\)",
        "\\[ never ends\n\nand $ here",
    ],
)
def test_money_is_no_formula(text: str) -> None:
    assert "<math" not in shown(text)


@pytest.mark.parametrize(
    "latex",
    [
        r"\frac{a",
        r"\frac{a}",
        "a}",
        r"\unknown{x}",
        "x^",
        r"\left( a",
        "5 & 6",
        r"\text{a < b}",
        r"\text{<script>alert(1)</script>}",
        r"\href{https://example.org}{x}",
        r"a \\ b",
        r"\phantom{hidden}",
        "x" * 2_001,
    ],
)
def test_a_broken_formula_is_shown_as_it_was_written(latex: str) -> None:
    assert as_mathml(latex, own_line=False) is None
    escaped = (
        latex.replace("<", "&lt;").replace(">", "&gt;").replace("&", "&amp;", latex == "5 & 6")
    )
    assert f"Before ${escaped}$ after" in shown(f"Before ${latex}$ after")


def test_the_environments_of_chat_models_are_read_and_nothing_is_numbered() -> None:
    for name in ("align", "aligned", "split", "gather", "gathered", "equation", "multline"):
        page = as_mathml(rf"\begin{{{name}}}a=b\\c=d\end{{{name}}}", own_line=True)
        assert page is not None
        assert page.count("<mtr>") == 2
        assert "mtext" not in page


def test_no_formula_moves_over_the_page() -> None:
    page = shown(r"$a\hspace{-90em}b\hspace{999em}c\,d$")
    assert "90em" not in page
    assert "999em" not in page
    assert 'width="0.167em"' in page
    assert "style=" not in shown(r"$\color{white}{x} \style{position:fixed}{y}$")


def test_only_formulas_read_formulas() -> None:
    assert "<math" not in written("$x^2$", "markdown")
    assert "<math" not in written("$x^2$")
