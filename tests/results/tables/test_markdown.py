"""Tables in Markdown and LaTeX."""

from datetime import UTC, datetime

from agreement import Estimate
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
            "| a\\|b | 0.500 \\[0.250 to 0.750\\] | – | 3 | 6 |",
            "| \\<i\\> | *nobody answered* |  | 0 | 0 |",
            "",
            "Table: Means\\_by 10 % {#tbl:small-scores-utility}",
            "",
        ][:-1]
    )


def test_a_caption_in_latex_has_the_title_alone() -> None:
    text = as_latex(GRID, ORIGIN)
    assert "\\caption{Means\\_by 10 \\%}\n\\label{tab:small-scores-utility}\n" in text
    assert text.splitlines()[1:3] == [f"% {line}" for line in ORIGIN.lines]
