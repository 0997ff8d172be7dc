"""Checks as text, Markdown, JSON and JUnit's XML, of each criterion a part."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import starmap
from pathlib import PurePath
from typing import Any
from xml.etree import ElementTree as ET

from estimates.catalogue import Table, metric, stands_apart
from estimates.catalogue.scorecard import CONFUSION
from estimates.data.parties import HUMANS
from estimates.data.rows import Row
from label_table.bars import FINE, MISSED, Held, status_of
from label_table.check import Check, pair_with_people
from results.reading.rows import RowIndex
from results.tables.cells import aligned, interval_text, markdown_row, marked, value_text

# Characters that a terminal would obey and XML cannot hold; a label may have them.
UNPRINTED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
# Each criterion's check with the figures that are held against a bar.
Checks = Sequence[tuple[Check, Sequence[Held]]]
HEAD = ("figure", "value", "95 % interval", "n")
OF_PEOPLE = (Table.AMONG,)
OF_JUDGES = (
    *(Table.BETWEEN, Table.CORRELATION, Table.SCORECARD),
    *(Table.REPLACING, Table.SCORECARD_CALIBRATION, Table.LIMITS),
)


def as_text(checks: Checks) -> str:
    """For a terminal."""
    return UNPRINTED.sub(" ", "\n\n".join(starmap(_text_of, checks)))


def _text_of(check: Check, held: Sequence[Held]) -> str:
    criterion = f": {check.table.criterion}" if check.table.criterion else ""
    lines = [f"{check.table.name} ({check.table.form}){criterion}", ""]
    lines += [f"{'-' if each.lacks else '+'} {each.text}" for each in check.findings]
    for verdict in check.verdicts:
        lines += ["", f"{title_of(verdict.about, verdict.name)}: {verdict.badge}"]
        lines += [f"  {text}" for text in (verdict.sentence, *verdict.caveats)]
        lines += [f"  → {step}" for step in verdict.steps]
    for title, rows in tables_of(check):
        lines += ["", title, *aligned([HEAD, *map(cells_of, rows)])]
    lines += [""] * bool(check.cautions) + list(check.cautions)
    lines += [""] * bool(held) + [f"{word_of(each)}: {each.text}" for each in held]
    return "\n".join(lines)


def as_markdown(checks: Checks) -> str:
    """For the summary of a run, or a comment."""
    return "\n".join(starmap(_markdown_of, checks))


def _markdown_of(check: Check, held: Sequence[Held]) -> str:
    criterion = f": {check.table.criterion}" if check.table.criterion else ""
    lines = [f"## {marked(PurePath(check.table.name).name + criterion)}", ""]
    lines += [f"- **{word_of(each)}**: {marked(each.text)}" for each in held] + [""] * bool(held)
    for verdict in check.verdicts:
        title = marked(title_of(verdict.about, verdict.name))
        lines += [f"**{title}: {verdict.badge}.** {marked(verdict.sentence)}", ""]
    lines += [f"- {'⚠ ' if each.lacks else ''}{marked(each.text)}" for each in check.findings]
    for title, rows in tables_of(check):
        lines += ["", f"### {marked(title)}", "", markdown_row(HEAD), "|:---|---:|:---|---:|"]
        lines += [markdown_row([marked(cell) for cell in cells_of(row)]) for row in rows]
    lines += ["", *(f"*{marked(text)}*" for text in check.cautions)]
    return "\n".join(lines)


def as_json(checks: Checks) -> str:
    """Everything; a number in it is always finite. Of several criteria a list."""
    documents = list(starmap(_document, checks))
    every = [each for _, held in checks for each in held]
    whole = {"criteria": documents, "status": status_of(every)}
    written = whole if len(documents) > 1 else documents[0]
    return json.dumps(written, ensure_ascii=False, allow_nan=False, indent=1)


def _document(check: Check, held: Sequence[Held]) -> dict[str, Any]:
    table = check.table
    return {
        "file": table.name,
        "form": table.form,
        "criterion": table.asked.criterion,
        "reading": table.read.reading.model_dump(mode="json", exclude_defaults=True),
        "columns": asdict(table.columns),
        "units": len(table.units),
        "labels": len(table.labels),
        "raters": table.raters,
        "facet": check.facet.name,
        "doctor": [asdict(each) for each in check.findings],
        "verdicts": [asdict(each) for each in check.verdicts],
        "cautions": check.cautions,
        "estimates": [row.as_json() for row in check.rows],
        "bars": [_bar(each) for each in held],
        "status": status_of(held),
    }


def as_junit(checks: Checks) -> str:
    """A test per bar, and one per verdict, which never fails: it is skipped where nothing is
    settled. Of several criteria a suite each."""
    suites = list(starmap(_suite, checks))
    root = suites[0]
    if len(suites) > 1:
        root = ET.Element("testsuites")
        root.extend(suites)
    ET.indent(root)
    return UNPRINTED.sub(" ", ET.tostring(root, encoding="unicode"))


def _suite(check: Check, held: Sequence[Held]) -> ET.Element:
    name = f"jurybox check {check.table.criterion}".rstrip()
    suite = ET.Element("testsuite", name=name, tests="0", failures="0", errors="0")
    for each in held:
        case = ET.SubElement(suite, "testcase", classname="bar", name=each.name)
        if each.status != FINE:
            kind = "failure" if each.status == MISSED else "error"
            ET.SubElement(case, kind, message=each.text)
    for verdict in check.verdicts:
        name = title_of(verdict.about, verdict.name)
        case = ET.SubElement(suite, "testcase", classname="verdict", name=name)
        if verdict.tone == "open":
            ET.SubElement(case, "skipped", message=verdict.sentence)
        else:
            ET.SubElement(case, "system-out").text = verdict.sentence
    for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
        suite.set(name, str(len(list(suite.iter(tag)))))
    suite.set("skipped", str(len(list(suite.iter("skipped")))))
    ET.SubElement(suite, "system-out").text = "\n".join(each.text for each in check.findings)
    return suite


FORMS: Mapping[str, Callable[[Checks], str]] = {
    "json": as_json,
    "markdown": as_markdown,
    "junit": as_junit,
}


def tables_of(check: Check) -> Iterator[tuple[str, Sequence[Row]]]:
    """What the pages show of people together, and of each judge beside them."""
    people = _shown(check, HUMANS, OF_PEOPLE)
    if people:
        yield "Agreement of people", people
    for key in check.table.read.reading.group_by:
        if rows := _shown(check, HUMANS, OF_PEOPLE, key):
            yield f"Agreement of people by {key.partition('.')[2]}", rows
    for judge in check.judges:
        rows = _shown(check, pair_with_people(judge), OF_JUDGES)
        if rows:
            yield f"Scorecard of {judge}", rows
        for key in check.table.read.reading.group_by:
            if rows := _shown(check, pair_with_people(judge), OF_JUDGES, key):
                yield f"Scorecard of {judge} by {key.partition('.')[2]}", rows


def _shown(check: Check, raters: str, tables: Sequence[Table], by: str = "") -> Sequence[Row]:
    """The figures of raters, of all units or by the groups of an own column."""
    return [
        row
        for row in RowIndex(check.rows).where(raters=raters)
        if (row.group.keys() == {by} if by else row.group.keys() <= {"label", "score_facet"})
        and row.metric != CONFUSION
        and not stands_apart(row.metric, check.facet.distance)
        and any(table in metric(row.metric).tables for table in tables)
    ]


def cells_of(row: Row) -> tuple[str, ...]:
    """A row of a table: title, value, interval and n."""
    group = ", ".join(name for key, name in row.group.items() if key != "score_facet")
    title = f"{metric(row.metric).title}{f' ({group})' if group else ''}"
    n = row.estimate.n_units
    value, interval = value_text(row.estimate), interval_text(row.estimate)
    if row.estimate.value is None:
        value, interval = "–", str(row.estimate.undefined)
    return title, value, interval, "" if n is None else f"{n:,}"


def title_of(about: str, name: str) -> str:
    """The question that a verdict answers."""
    return {
        "people": "Do people agree?",
        "judge": f"Can {name} stand in?",
        "systems": "Do systems differ?",
    }[about]


def word_of(held: Held) -> str:
    """What came of a bar, in a word."""
    return {FINE: "Passed", MISSED: "Failed"}.get(held.status, "Undefined")


def _bar(held: Held) -> dict[str, Any]:
    limit = "fail_under" if held.bar.above else "fail_over"
    return {limit: held.bar.value, "status": held.status, **held.row.as_json()}
