"""Results files in a folder, as tools leave them there."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from files.errors import ImportFailure, OpenQuestion
from label_table.tools.registry import ENDING, Tool, tool_of
from label_table.tools.signs import signs_of

# How far is looked: levels of folders, files, and results that are named.
_DEEPEST, MOST_FILES, _MOST_NAMED = 5, 5_000, 8
_SUFFIXES = (".json", ".jsonl", ".ndjson", ".eval", ".csv", ".tsv", ".gz", ".xlsx", ".parquet")
_TABLES = (".csv", ".tsv", ".xlsx", ".parquet", ".jsonl", ".ndjson")
# Folders that hold programs and caches; DeepEval's own is hidden, and holds copies.
_PASSED = {"node_modules", "__pycache__", "site-packages", "venv", "env", "build", "dist"}
# Files of programs, which are no results.
_OF_PROGRAMS = {"package.json", "package-lock.json", "tsconfig.json", "composer.json"}
# Names that results in plain tables have.
_LABELLED = ("label", "judg", "result", "eval", "annotat", "rating", "verdict", "score")


@dataclass
class Found:
    """Results that belong together: files of one tool, or one table where `tool` is None."""

    tool: Tool | None
    files: list[Path] = field(default_factory=list)

    def said(self, folder: Path) -> str:
        """`results.json (promptfoo)`, or `logs (3 files of inspect_ai)`."""
        title = self.tool.title if self.tool else "a table"
        shown = self.name(folder)
        return (
            f"{shown} ({len(self.files)} files of {title})"
            if len(self.files) > 1
            else (f"{shown} ({title})")
        )

    def name(self, folder: Path) -> str:
        """The file, or the folder of several."""
        path = self.files[0] if len(self.files) == 1 else Path(os.path.commonpath(self.files))
        return os.path.relpath(path, folder)


def results_in(folder: Path) -> Sequence[Found]:
    """What results there are in a folder: those of tools, or where there are none the tables. Files
    of one tool that lie in one folder belong together where the tool writes several."""
    groups: dict[tuple[str, Path], Found] = {}
    tables: list[Found] = []
    for path in sorted(islice(_walked(folder, folder), MOST_FILES)):
        if path.name.endswith(ENDING) or path.name in _OF_PROGRAMS:
            continue
        tool = tool_of(signs_of(path))
        if tool is None:
            if path.suffix in _TABLES:
                tables.append(Found(None, [path]))
            continue
        at = path.parent if tool.together else path
        groups.setdefault((tool.name, at), Found(tool)).files.append(path)
    return [*groups.values()] or _likely(tables)


def only_results(folder: Path) -> Found:
    """The only results in a folder; OpenQuestion with all of them where there are several."""
    found = results_in(folder)
    if not found:
        reason = (
            "no results of promptfoo, inspect_ai, DeepEval, MLflow, Langfuse, "
            "lm-evaluation-harness, OpenAI evals or Ragas, and no table: name a file"
        )
        raise ImportFailure(str(folder), "files", reason)
    if len(found) > 1:
        said = "; ".join(each.said(folder) for each in found[:_MOST_NAMED])
        more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
        reason = f"which results? Name one of them: {said}{more}"
        choices = [(each.name(folder), each.said(folder)) for each in found[:_MOST_NAMED]]
        raise OpenQuestion(str(folder), "files", reason, choices=choices)
    return found[0]


def _likely(tables: Sequence[Found]) -> Sequence[Found]:
    """Of several tables those whose names say that they hold labels, where some do."""
    named = [t for t in tables if any(word in t.files[0].stem.lower() for word in _LABELLED)]
    return named or tables


def _walked(folder: Path, top: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        depth = len(Path(place).relative_to(top).parts)
        folders[:] = sorted(
            name
            for name in folders
            if depth < _DEEPEST and not name.startswith(".") and name not in _PASSED
        )
        for name in sorted(names):
            if name.endswith(_SUFFIXES) and not name.startswith("."):
                yield Path(place, name)
