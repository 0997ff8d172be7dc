"""Marks as files beside the one that was marked: a table, and scores in a copy of a tool's file."""

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from files.skipped import SkippedRecords
from imports.formats.contract import FormatInput
from imports.formats.rated_outputs import RatedOutputs
from imports.formats.registry import every_format
from marking.marks import MarkedText, Marks
from marking.plans import CANNOT_SAY

PEOPLE, NAME = "people", "people_mark"
COLUMNS = ("unit", "judge", "people", "agreed", "inclusion", "weight")


def label_table(marks: Marks) -> str:
    """CSV: a row for each marked text, with the judge's verdict, what most people said (empty for a
    tie), the probability with which it was drawn, its inverse, and a column and a note for each
    person. `check` reads it."""
    page = io.StringIO()
    people = marks.people
    names = [*people, *(f"note_{name}" for name in people)]
    rows = csv.writer(page, lineterminator="\n")
    rows.writerow([*COLUMNS, *names])
    for text in marks.texts:
        by = {mark.person: mark for mark in text.marks}
        said = [by[name].label if name in by else "" for name in people]
        notes = [by[name].note if name in by else "" for name in people]
        most = most_said(text)
        agreed = "" if not most else "yes" if most == text.verdict else "no"
        drawn = (f"{text.inclusion:.6g}", f"{1 / text.inclusion:.6g}")
        cells = (text.key, text.verdict, most, agreed, *drawn, *said, *notes)
        rows.writerow([as_cell(cell) for cell in cells])
    return page.getvalue()


def as_cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def most_said(text: MarkedText) -> str:
    """What more than half of its people said who could say something; empty where none is."""
    (label, n), *_ = Counter(text.labels).most_common(1) or [("", 0)]
    return label if 2 * n > len(text.labels) else ""


# --- In a copy of a tool's file -----------------------------------------------------------------

Record = dict[str, Any]


def scored_copy(format_name: str, file: Path, marks: Marks) -> str | None:
    """The tool's file with the marks as scores by people; None where its form takes none."""
    write = WRITERS.get(format_name)
    if write is None or file.suffix.lower() not in (".json", ".jsonl"):
        return None
    text = file.read_text(encoding="utf-8")
    is_lines = file.suffix.lower() == ".jsonl"
    try:
        content = _lines(text) if is_lines else json.loads(text)
    except ValueError:
        return None
    by_key = {each.key: each for each in marks.texts}
    for record, keys in zip(_records(format_name, content), _keys(format_name, file), strict=True):
        for key in keys:
            if key in by_key:
                write(record, by_key[key], marks.labels[0])
    if is_lines:
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in content)
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _lines(text: str) -> list[Record]:
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _keys(format_name: str, file: Path) -> Iterator[Sequence[str]]:
    """The units that each record of the file became, read as when it was imported."""
    skipped = SkippedRecords(strict=False, folders=False)
    reader = every_format()[format_name](FormatInput([file], skipped=skipped))
    assert isinstance(reader, RatedOutputs)
    reader.study()
    for record in reader.records():
        outputs = list(reader.skipped.usable(iter([record]), reader.read))
        yield [output.item.key for each in outputs for output in each]


def _records(format_name: str, content: Any) -> list[Record]:
    """The same records in the document."""
    if isinstance(content, list):
        return content
    if format_name == "promptfoo":
        results: list[Record] = content["results"]["results"]
        return results
    if format_name == "inspect":
        samples: list[Record] = content.get("samples") or []
        return samples
    return [content]


def _promptfoo(record: Record, text: MarkedText, good: str) -> None:
    """As its own page stores a person's rating."""
    graded = record.setdefault("gradingResult", None) or {}
    record["gradingResult"] = graded
    parts = [p for p in graded.get("componentResults") or () if p]
    graded["componentResults"] = parts
    for mark in text.marks:
        if mark.label != CANNOT_SAY:
            is_good = mark.label == good
            parts.append(
                {
                    "pass": is_good,
                    "score": float(is_good),
                    "reason": "Marked blindly by a person",
                    "comment": mark.note,
                    "assertion": {"type": "human", "metric": mark.person},
                }
            )


def _inspect(record: Record, text: MarkedText, _good: str) -> None:
    """As a scorer of its own, a value for each person."""
    value = {mark.person: mark.label for mark in text.marks}
    notes = "; ".join(mark.note for mark in text.marks if mark.note)
    scores = record.setdefault("scores", None) or {}
    record["scores"] = scores
    scores[NAME] = {"value": value, "explanation": notes or None, "metadata": {"source": PEOPLE}}


def _mlflow(record: Record, text: MarkedText, _good: str) -> None:
    """As feedback whose source is a person."""
    assessments = record["info"].setdefault("assessments", [])
    for mark in text.marks:
        digest = sha256(f"{text.key}/{mark.person}".encode()).hexdigest()
        assessments.append(
            {
                "assessment_id": f"a-{digest[:32]}",
                "assessment_name": NAME,
                "source": {"source_type": "HUMAN", "source_id": mark.person},
                "feedback": {"value": mark.label},
                "rationale": mark.note or None,
            }
        )


def _langfuse(record: Record, text: MarkedText, _good: str) -> None:
    """As scores of annotators."""
    inner = record["trace"] if isinstance(record.get("trace"), Mapping) else record
    trace = inner.get("id")
    scores = record.setdefault("scores", None) or []
    record["scores"] = scores
    for mark in text.marks:
        scores.append(
            {
                "id": f"{trace}-{mark.person}",
                "traceId": trace,
                "name": NAME,
                "value": mark.label,
                "stringValue": mark.label,
                "dataType": "CATEGORICAL",
                "source": "ANNOTATION",
                "comment": mark.note or None,
                "authorUserId": mark.person,
            }
        )


WRITERS: Mapping[str, Callable[[Record, MarkedText, str], None]] = {
    "promptfoo": _promptfoo,
    "inspect": _inspect,
    "mlflow": _mlflow,
    "langfuse": _langfuse,
}
