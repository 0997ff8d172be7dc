"""Files of every format, damaged or made odd in ways that a number repeats."""

import io
import json
import random
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import openpyxl
import polars

from tests.imports.small_files import record

FOREIGN = Path(__file__).parent / "formats" / "foreign"
_SCALAR = re.compile(rb'"(?:[^"\\]|\\.)*"|(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])|true|false|null')
_OTHERS = (
    *(b"null", b"true", b"[]", b"{}", b'""', b"0", b"-1", b'"\\u0000"', b'"\\ud800"', b"NaN"),
    *(
        b"1e999",
        b"9" * 5000,
        b"-1e308",
        b"9223372036854775808",
        b'"2026-99-99"',
        b'"' + b"x" * 9999,
    ),
    *(b'[[["a"]]]', b'{"a": {"b": 1}}', "\u202e\U0001f600".encode(), b"\xff\xfe", b"\r\n\r\n"),
)
_DEPTHS = (50, 200, 5000, 200_000)


@dataclass(frozen=True)
class Fixture:
    """Files of a format, by their names below one folder. given: the folder itself, or the files.
    options: of the import."""

    format_name: str
    files: Mapping[str, bytes]
    is_folder: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)


def _read(format_name: str, *names: str) -> Fixture:
    return Fixture(format_name, {Path(n).name: (FOREIGN / n).read_bytes() for n in names})


def _folder(format_name: str, name: str) -> Fixture:
    inside = [path for path in sorted((FOREIGN / name).rglob("*")) if path.is_file()]
    files = {str(path.relative_to(FOREIGN / name)): path.read_bytes() for path in inside}
    return Fixture(format_name, files, is_folder=True)


def _table(name: str, content: bytes) -> Fixture:
    return Fixture("table", {name: content}, options={"task_type": "likert"})


_ROWS = [
    {"document": f"Document {n}.", "summary": f"Summary {n}, short.", "model": f"m{n % 3}"}
    for n in range(40)
]


def _workbook() -> bytes:
    book, out = openpyxl.Workbook(), io.BytesIO()
    sheet = book.active
    assert sheet is not None
    sheet.append(list(_ROWS[0]))
    for row in _ROWS:
        sheet.append(list(row.values()))
    book.save(out)
    return out.getvalue()


def _parquet() -> bytes:
    out = io.BytesIO()
    polars.DataFrame(_ROWS).write_parquet(out)
    return out.getvalue()


FIXTURES: Mapping[str, Callable[[], Fixture]] = {
    "argilla": lambda: _folder("argilla", "argilla"),
    "arena": lambda: _read("arena", "arena/human_judgments.json"),
    "doccano": lambda: _folder("doccano", "doccano/classification"),
    "huggingface": lambda: _folder("huggingface", "huggingface"),
    "inspect": lambda: _read("inspect", "inspect.eval"),
    "jsonl": lambda: Fixture(
        "jsonl",
        {"records.jsonl": b"".join(json.dumps(record(n)).encode() + b"\n" for n in range(20))},
    ),
    "label-studio": lambda: _read("label-studio", "label_studio.json"),
    "langfuse": lambda: _read(
        "langfuse", "langfuse/api_observations.json", "langfuse/api_scores.json"
    ),
    "lm-eval": lambda: _folder("lm-eval", "lm_eval"),
    "mlflow": lambda: _read("mlflow", "mlflow/traces.jsonl"),
    "otel": lambda: _read("otel", "otel/otlp.jsonl"),
    "potato": lambda: _folder("potato", "potato"),
    "prodigy": lambda: _read("prodigy", "prodigy/choice.jsonl"),
    "promptfoo": lambda: _read("promptfoo", "promptfoo/results.jsonl"),
    "csv": lambda: _table(
        "t.csv",
        "".join(",".join(f'"{v}"' for v in row) + "\n" for row in _with_names()).encode(),
    ),
    "xlsx": lambda: _table("t.xlsx", _workbook()),
    "parquet": lambda: _table("t.parquet", _parquet()),
}


def _with_names() -> list[list[str]]:
    return [list(_ROWS[0]), *(list(row.values()) for row in _ROWS)]


@cache
def fixture(name: str) -> Fixture:
    return FIXTURES[name]()


def mutated(name: str, seed: int, folder: Path) -> list[Path]:
    """The files of a format with one of them changed, written to a folder; what is imported."""
    rng, of = random.Random(f"{name} {seed}"), fixture(name)
    chosen = rng.choice(sorted(of.files))
    for file, content in of.files.items():
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(changed(content, rng) if file == chosen else content)
    return [folder] if of.is_folder else [folder / file for file in of.files]


def changed(content: bytes, rng: random.Random) -> bytes:
    """The content with one thing about it changed, also inside of an archive."""
    if content.startswith(b"PK") and rng.random() < 0.6:
        return _changed_inside(content, rng)
    change = rng.choice((_flipped, _cut, _doubled, _shortened, *(_replaced,) * 3, _nested))
    return change(content, rng)


def _changed_inside(content: bytes, rng: random.Random) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
        members = old.infolist()
        chosen = rng.choice(members)
        for member in members:
            try:
                inside = old.read(member)
            except NotImplementedError:  # packed by Zstandard
                inside = b'{"version": 2, "eval": {"model": "m"}, "id": 1, "messages": []}'
            new.writestr(
                member.filename,
                changed(inside, rng) if member is chosen else inside,
                compress_type=rng.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2)),
            )
    return out.getvalue()


def _flipped(content: bytes, rng: random.Random) -> bytes:
    raw = bytearray(content)
    for _ in range(rng.choice((1, 2, 8, 64))):
        raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
    return bytes(raw)


def _cut(content: bytes, rng: random.Random) -> bytes:
    return content[: rng.randrange(len(content))]


def _part(content: bytes, rng: random.Random) -> tuple[int, int]:
    start = rng.randrange(len(content))
    return start, start + rng.randrange(1, max(2, len(content) // 4))


def _doubled(content: bytes, rng: random.Random) -> bytes:
    start, end = _part(content, rng)
    return content[:end] + content[start:end] * rng.choice((1, 3)) + content[end:]


def _shortened(content: bytes, rng: random.Random) -> bytes:
    start, end = _part(content, rng)
    return content[:start] + content[end:]


def _value(content: bytes, rng: random.Random) -> tuple[int, int]:
    """Where a value of JSON stands, or a part of something else."""
    found = [match.span() for match in _SCALAR.finditer(content)]
    return rng.choice(found) if found else _part(content, rng)


def _replaced(content: bytes, rng: random.Random) -> bytes:
    start, end = _value(content, rng)
    return content[:start] + rng.choice(_OTHERS) + content[end:]


def _nested(content: bytes, rng: random.Random) -> bytes:
    start, end = _value(content, rng)
    depth, (before, after) = rng.choice(_DEPTHS), rng.choice(((b"[", b"]"), (b'{"a":', b"}")))
    return content[:start] + before * depth + content[start:end] + after * depth + content[end:]
