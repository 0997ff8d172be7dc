"""The page of docs that says what comes out as published, and by which commands."""

from collections.abc import Iterator, Sequence

from tests.published.cases import Case
from tests.published.runs import Outcome

HEAD = """# What Jurybox reproduces

Every figure below is computed anew from published files, through the import and report that your
own studies take. `make test` checks that this page is what the program gives (where the files are
there). It is written by

    python -m tests.published DATA --out docs/reproduces.md

`DATA` is the folder with one folder per data set, `MADE` one for files that are made from these as
said. “equal” means equal in every digit that was printed.
"""


def page_of(sections: Sequence[str]) -> str:
    """The whole page from the sections of all cases."""
    return "\n".join([HEAD, *sections])


def section_of(case: Case, outcomes: Sequence[Sequence[Outcome]]) -> str:
    """One case: where it comes from, then commands and figures step by step."""
    return "\n".join(_lines(case, outcomes)) + "\n"


def _lines(case: Case, outcomes: Sequence[Sequence[Outcome]]) -> Iterator[str]:
    yield f"## {case.title}"
    yield ""
    yield f"Source: {case.source}. Files: `{case.key}`."
    if case.prepared:
        yield ""
        yield case.prepared
    for step, found in zip(case.steps, outcomes, strict=True):
        yield ""
        for command in step.commands:
            shown = command.format(data="DATA", made="MADE")
            yield f"    jurybox {shown}"
        yield ""
        yield f'<details markdown="1">\n<summary>Figures: {len(found)}</summary>\n'
        yield f"| figure | {step.expected} | here | |"
        yield "|---|---|---|---|"
        for one in found:
            says = "equal" if one.is_equal else f"differs: {one.figure.note}"
            yield f"| {one.figure.what} | {one.figure.published} | {one.ours} | {says} |"
        yield "\n</details>"
