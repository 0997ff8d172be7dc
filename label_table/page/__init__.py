"""A check as one page of HTML without anything else: verdicts, figures as drawings, and the texts
that judges and people see differently."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import islice
from pathlib import Path, PurePath

from estimates.data.rows import Row
from label_table.bars import Held
from label_table.check import Check
from label_table.forms import Checks, cells_of, tables_of, title_of, word_of
from label_table.labels import LabelTable
from label_table.page.drawing import interval_drawing
from label_table.results import ResultRow, result_rows
from label_table.scales import word_of_label

Words = Mapping[str, str]
STYLE = Path(__file__).with_name("page.css")
# So many texts are shown, and so much of each.
MOST_TEXTS, LONGEST = 200, 4_000


def as_html(checks: Checks) -> str:
    """The whole page."""
    name = PurePath(checks[0][0].table.name).name
    parts = [part for check, held in checks for part in _parts(check, held)]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(name)}: is the judge right?</title>\n"
        f"<style>{STYLE.read_text(encoding='utf-8')}</style>\n</head>\n"
        f"<body>\n<main>\n<h1>{escape(name)}</h1>\n" + "\n".join(parts) + "\n</main>\n</body>\n"
        "</html>\n"
    )


def _parts(check: Check, held: Sequence[Held]) -> Iterator[str]:
    yield f"<h2>{escape(check.table.criterion or 'Verdicts')}</h2>"
    for each in held:
        yield f'<p class="bar"><strong>{word_of(each)}</strong>: {escape(each.text)}</p>'
    for verdict in check.verdicts:
        yield f'<section class="verdict {escape(verdict.tone)}">'
        yield f"<h3>{escape(title_of(verdict.about, verdict.name))} "
        yield f"<span>{escape(verdict.badge)}</span></h3>"
        yield "".join(f"<p>{escape(t)}</p>" for t in (verdict.sentence, *verdict.caveats))
        yield _list([*verdict.steps])
        yield "</section>"
    yield "<details open><summary>What the file supports</summary>"
    yield _list([each.text for each in check.findings])
    yield "</details>"
    for title, rows in tables_of(check):
        yield _table(title, rows)
    yield from _texts(check)


def _list(texts: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(text)}</li>' for text in texts)}</ul>" if texts else ""


def _table(title: str, rows: Sequence[Row]) -> str:
    lines = []
    for row in rows:
        name, value, interval, n = (escape(cell) for cell in cells_of(row))
        drawing = interval_drawing(row.estimate, name)
        lines.append(
            f'<tr><th scope="row">{name}</th><td>{value}</td><td>{interval}</td>'
            f"<td>{n}</td><td>{drawing}</td></tr>"
        )
    head = "".join(
        f'<th scope="col">{name}</th>'
        for name in ("Figure", "Value", "95 % interval", "n", "From lowest to highest")
    )
    return (
        f'<h3>{escape(title)}</h3>\n<div class="wide" tabindex="0" role="region" '
        f'aria-label="{escape(title)}"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def _texts(check: Check) -> Iterator[str]:
    """Units whose verdicts differ, each to be opened."""
    rows = ((row, *_said(check.table, row)) for row in result_rows(check.table.read))
    differing = [each for each in rows if _differ(*each[1:])]
    if not differing:
        return
    more = f" (the first {MOST_TEXTS})" if len(differing) > MOST_TEXTS else ""
    yield f"<h3>Where judges and people differ: {len(differing):,} units{more}</h3>"
    for row, people, judges in islice(differing, MOST_TEXTS):
        said = "; ".join(f"{name}: {word}" for name, word in {**people, **judges}.items())
        yield f"<details><summary>{escape(row.unit)} – {escape(said)}</summary>"
        for title, text in (("Asked", row.asked), ("Output", row.text)):
            if text:
                cut = f"{text[:LONGEST]}…" if len(text) > LONGEST else text
                yield f"<h4>{title}</h4><pre>{escape(cut)}</pre>"
        if not (row.asked or row.text):
            yield "<p>The file has no text of it.</p>"
        yield "</details>"


def _said(table: LabelTable, row: ResultRow) -> tuple[Words, Words]:
    """What people and what judges said of a row, in the words of people."""
    of = table.asked.criterion
    people = {name: word_of_label(value) for name, value in row.labelled.get(of, {}).items()}
    own = {name: word_of_label(value) for name, value in row.judged.get(of, {}).items()}
    return people, {name: table.said_by(name, word) for name, word in own.items()}


def _differ(people: Words, judges: Words) -> bool:
    return bool(people) and bool(judges) and not {*judges.values()} <= {*people.values()}
