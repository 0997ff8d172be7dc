"""Tables in Markdown and LaTeX."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from agreement import Estimate
from results.tables.cells import marked
from results.tables.grids import Cell, Grid, GridLine
from results.tables.latex import as_latex
from results.tables.markdown import as_markdown
from results.tables.origin import Origin

GRID = Grid(
    heads=["Mean", "F1"],
    lines=[
        GridLine(
            "a|b", [Cell.of(Estimate(value=0.5, low=0.25, high=0.75)), None], units=3, ratings=6
        ),
        GridLine("<i>", [], missing_reason="nobody answered", units=0, ratings=0),
    ],
    title="Means_by 10 %",
    corner="Who",
    counts=("Units", "Answers"),
)
ORIGIN = Origin(
    study="small",
    part="whole --> study",
    answers="",
    revision="7",
    at=datetime(2026, 1, 2, 3, 4, tzinfo=UTC),
    tag="r7",
    key="scores-utility",
    command="manage.py report small --markdown --panel scores-utility",
)


def test_a_table_in_markdown() -> None:
    assert (
        as_markdown(GRID, ORIGIN).splitlines()
        == [
            "<!-- small; whole   study; answers as of 2026-01-02 03:04 UTC, revision 7 -->",
            "<!-- manage.py report small --markdown --panel scores-utility -->",
            "",
            "| Who | Mean | F1 | Units | Answers |",
            "| :--- | ---: | ---: | ---: | ---: |",
            "| a\\|b | 0.500 [0.250 to 0.750] | – | 3 | 6 |",
            "| \\<i> | *nobody answered* |  | 0 | 0 |",
            "",
            "Table: Means_by 10 % {#tbl:small-scores-utility}",
            "",
        ][:-1]
    )


def test_a_caption_in_latex_has_the_title_alone() -> None:
    text = as_latex(GRID, ORIGIN)
    assert "\\caption{Means\\_by 10 \\%}\n\\label{tab:small-scores-utility}\n" in text
    assert text.splitlines()[1:3] == [f"% {line}" for line in ORIGIN.lines]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("bartscore_s_h", "bartscore_s_h"),
        ("_soft_", "\\_soft\\_"),
        ("p < 0.001", "p < 0.001"),
        ("<img src=x>", "\\<img src=x>"),
        ("[0.25 to 0.75] (3)", "[0.25 to 0.75] (3)"),
        ("[a](b)", "[a\\](b)"),
        ("[@holm1979]", "\\[\\@holm1979]"),
        ("gpt-4o@2", "gpt-4o@2"),
        ("2 * 3", "2 \\* 3"),
        ("# one", "\\# one"),
    ],
)
def test_only_marks_of_markdown_are_escaped(text: str, written: str) -> None:
    assert marked(text) == written


def test_heads_are_as_narrow_as_numbers_and_wide_tables_span_both_columns() -> None:
    """As wide as its letters say: one column, two columns, or shrunk to these."""
    narrow = as_latex(replace(GRID, counts=()), ORIGIN)
    assert "\\begin{table}\n" in narrow
    long = "Agreement with the other people who answered"
    wide = as_latex(replace(GRID, heads=[long] * 2), ORIGIN)
    assert "\\shortstack[r]{Agreement with\\\\the other\\\\people who\\\\answered}" in wide
    cells = [Cell.of(Estimate(value=0.5, low=0.25, high=0.75))] * 4
    four = replace(GRID, heads=["Mean"] * 4, lines=[GridLine("a", cells)], counts=())
    assert "\\begin{table*}\n" in as_latex(four, ORIGIN)
    eight = replace(four, heads=["Mean"] * 8, lines=[GridLine("a", cells * 2)])
    text = as_latex(eight, ORIGIN)
    assert text.startswith("% Needs \\usepackage{booktabs} and {graphicx}.\n")
    assert text.count("{") == text.count("}")
