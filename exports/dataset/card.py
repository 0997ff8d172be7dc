"""The card of a published dataset: README.md with a YAML header of its tables and features, as the
Hugging Face Hub and its library `datasets` read it."""

from collections.abc import Iterator, Sequence
from typing import Any

import yaml

from exports.dataset.about import AGREEMENT
from exports.dataset.publication import PublishedTable
from exports.dataset.rows import Dataset
from exports.readme import DEFINITIONS, NAMES, PSEUDONYMS
from exports.tables.answers import imported_names
from exports.tables.columns import Column, Kind

DTYPES: dict[Kind, str] = {
    "text": "string",
    "number": "float64",
    "whole": "int64",
    "time": "timestamp[us, tz=UTC]",
}
# Upper ends of the hub's categories of size.
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
LARGEST = "1M<n<10M"
LOADING = """\
```python
from datasets import load_dataset

labels = load_dataset("path/to/this/folder", "labels", split="train")
```
"""
BEFORE = """\
Before you publish: choose a licence that the sources' texts allow and name it in the header
(`license:`), and in `croissant.json` (`license`, `url`).
"""


def card_lines(dataset: Dataset, parts: Sequence[PublishedTable]) -> Iterator[str]:
    """The header, then what the tables hold and how labels were made."""
    study = dataset.study
    yield "---\n"
    header = _header(study.title, parts)
    yield yaml.safe_dump(header, sort_keys=False, allow_unicode=True)
    yield "---\n\n"
    yield f"# {' '.join(study.title.split())}\n\n"
    revision = dataset.moment.revision
    yield f"Exported by Jurybox as of revision {revision} of the study's answers.\n\n"
    if study.caution:
        yield f"{study.caution}\n\n"
    yield f"{LOADING}\n"
    for part in parts:
        yield from _part_lines(part)
    yield f"## How labels were made\n{AGREEMENT}\n"
    yield "## People\n\n"
    yield PSEUDONYMS
    if imported := imported_names(study):
        yield NAMES.format(n=imported)
    yield f"\n```text\n{DEFINITIONS.strip()}\n```\n\n"
    yield BEFORE


def _header(title: str, parts: Sequence[PublishedTable]) -> dict[str, Any]:
    return {
        "pretty_name": title,
        "tags": ["human-evaluation", "annotations", "jurybox"],
        "size_categories": [next((name for end, name in SIZES if parts[0].n_rows < end), LARGEST)],
        "configs": [
            {
                "config_name": part.name,
                **({"default": True} if part is parts[0] else {}),
                "data_files": [{"split": "train", "path": part.path}],
            }
            for part in parts
        ],
        "dataset_info": [
            {"config_name": part.name, "features": [_feature(column) for column in part.columns]}
            for part in parts
        ],
    }


def _feature(column: Column) -> dict[str, str]:
    dtype = DTYPES[column.part]
    return {"name": column.name, "list" if column.is_list else "dtype": dtype}


def _part_lines(part: PublishedTable) -> Iterator[str]:
    yield f"## `{part.name}`: {part.n_rows} rows\n\n{part.meaning}.\n\n"
    yield "| column | what it holds |\n|---|---|\n"
    for column in part.columns:
        yield f"| `{_cell(column.name)}` | {_cell(column.meaning)} |\n"
    yield "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
