"""Small files to import, written for the tests."""

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management import call_command

from annotation.models import Study

PASSAGES = [
    {"index": 0, "text": "The mill has stood empty since 2009."},
    {"index": 1, "text": "A grant of 40,000 crowns paid for its roof.", "selected": True},
    {"index": 2, "text": "The grant came from the province.", "selected": True},
]
SENTENCES = [
    {"text": "The claim is half-true."},
    {"text": "The roof was paid for by a grant [1]."},
    {"text": "It came from the province, not the town [2][1]."},
]


def source(key: str = "mill", **changes: Any) -> dict[str, Any]:
    about = {"key": key, "claim": "The town paid for the mill's roof.", "verdict": "half-true"}
    return about | {"passages": PASSAGES} | changes


def item(key: str = "mill/alder", **changes: Any) -> dict[str, Any]:
    return {"key": key, "system": "Alder", "sentences": SENTENCES} | changes


def record(number: int = 0, **changes: Any) -> dict[str, Any]:
    """A record whose one item cites two passages: two units where the file names none."""
    name = f"mill-{number}"
    return {"source": source(name), "items": [item(f"{name}/alder")]} | changes


def control(number: int = 0, **unit: Any) -> dict[str, Any]:
    name = f"mill-{number}"
    about = {"key": f"{name}/alder/2", "role": "positive", "focus": {"passage": 2}}
    return record(number, unit=about | unit)


def fcexp_record(generator: str = "larch", **changes: Any) -> dict[str, Any]:
    return {
        "article_id": "7",
        "claim": "The town paid for the mill's roof.",
        "label": "half-true",
        "passage": "\n".join(f"{p['index']}: {p['text']}" for p in PASSAGES),
        "chain": ["0", [1, 2]],
        "explanation": {generator: [sentence["text"] for sentence in SENTENCES]},
        "gen_cit": {generator: [[], [1], [2, 1]]},
        "masked_cit": {generator: 1},
        "ans_sens": {generator: [1, 2]},
    } | changes


def write_lines(path: Path, records: Iterable[Any]) -> Path:
    """A file of records; `.gz` in the name packs it."""
    text = "".join(json.dumps(one) + "\n" for one in records)
    return write_bytes(path, text.encode())


def write_json(path: Path, value: Any) -> Path:
    return write_bytes(path, json.dumps(value).encode())


def write_bytes(path: Path, raw: bytes) -> Path:
    path.write_bytes(gzip.compress(raw) if path.suffix == ".gz" else raw)
    return path


def import_lines(folder: Path, records: Iterable[Any], slug: str = "s", **options: Any) -> Study:
    """The study that the records make."""
    path = write_lines(folder / f"{slug}.jsonl", records)
    call_command("import_study", "jsonl", str(path), slug=slug, verbosity=0, **options)
    return Study.objects.get(slug=slug)
