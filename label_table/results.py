"""Results files, of a tool or plain tables: the one way to read them, also for those who want their
texts with the verdicts.

    read = read_results([Path("results.json")], Stated())
    rows = result_rows(read)     # each output: asked, text, judged, labelled
    checks = check_files(read)   # the figures and verdicts
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from files.reading.judgements import ReadTables
from files.reading.model import Level
from files.reading.proposals import Stated
from files.reading.records import RawValue, ReadUnit
from files.skipped import SkippedRecords
from label_table.files import ReadFiles, read_files
from label_table.labels import HUMAN
from label_table.tools.registry import tool_files

# Texts of a source, in the order in which they are shown.
_ASKED = ("query", "claim", "document", "passages")


@dataclass
class ResultRow:
    """One output. unit: its key. asked: what it answers, text: its words; empty where the files
    have none. judged, labelled: criterion -> judge, or person -> verdict."""

    unit: str
    source: str
    system: str = ""
    asked: str = ""
    text: str = ""
    judged: dict[str, dict[str, RawValue]] = field(default_factory=dict)
    labelled: dict[str, dict[str, RawValue]] = field(default_factory=dict)


def read_results(
    files: Sequence[Path],
    stated: Stated | None = None,
    *,
    tool: str = "",
    level: Level | None = None,
    made_by: Mapping[str, str] | None = None,
    **of_tables: Any,
) -> ReadFiles:
    """Read files of labels. tool: the name of the one that wrote them, in place of what they look
    like; `table` for none. made_by: rater or column -> who made the labels. of_tables: what
    `read_files` takes. OpenQuestion or ImportFailure, in one sentence, where they cannot be
    used."""
    stated = stated or Stated()
    found = None if of_tables.get("reading") else tool_files(files, tool)
    if found is None:
        return replace(read_files(files, stated, level=level, **of_tables), made_by=made_by or {})
    # Late: the formats of tools are not needed for a table.
    from label_table.tools.reading import read_tool

    return replace(read_tool(found, stated, level), made_by=made_by or {})


def result_rows(read: ReadFiles) -> Sequence[ResultRow]:
    """Every output of the files with all that was said of it, in their order."""
    rows: dict[str, ResultRow] = {}
    tables = ReadTables(read.reading, read.tables, SkippedRecords(strict=False))
    for unit in tables.units():
        rows[unit.key] = _row(unit)
    for answer in tables.answers():
        row = rows[answer.unit]
        of_kind = row.labelled if answer.kind == HUMAN else row.judged
        of_kind.setdefault(answer.criterion, {}).setdefault(answer.rater, answer.value)
    return [*rows.values()]


def _row(unit: ReadUnit) -> ResultRow:
    outputs = unit.outputs
    return ResultRow(
        unit.key,
        unit.source,
        outputs[0].system if len(outputs) == 1 else "",
        "\n\n".join(unit.texts[name] for name in _ASKED if unit.texts.get(name)),
        "\n\n".join(output.text or "" for output in outputs).strip(),
    )
