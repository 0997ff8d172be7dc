"""The configuration of a project of Potato: its texts, and what is asked about them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from files.errors import ImportFailure
from files.readers.objects import object_of, object_records
from files.readers.tables import table_rows
from files.readers.yaml_texts import read_yaml_file
from imports.formats.scales import RawRating

CONFIG = ("config.yaml", "config.yml")
_TABLES = (".csv", ".tsv")


@dataclass(frozen=True)
class Scheme:
    """A question of a project. kind: Potato's `annotation_type`."""

    kind: str
    question: str
    offered: tuple[RawRating, ...]


@dataclass(frozen=True)
class Project:
    """texts: the fields of each instance, by its id; the one with the text is called `text`."""

    texts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    schemes: Mapping[str, Scheme] = field(default_factory=dict)


def is_config(path: Path) -> bool:
    """Whether a file is a project's configuration."""
    return path.suffix in (".yaml", ".yml")


def read_project(path: Path) -> Project:
    """The project of a configuration; ImportFailure where it, or a file that it names, cannot be
    read."""
    config = read_yaml_file(path)
    if not isinstance(config, Mapping) or "annotation_schemes" not in config:
        reason = "missing: this is no project of Potato"
        raise ImportFailure(str(path), "annotation_schemes", reason)
    schemes = config["annotation_schemes"]
    return Project(
        texts=_texts(path, config),
        schemes={str(s["name"]): _scheme(s) for s in schemes if "name" in s},
    )


def data_files(path: Path, config: Mapping[str, Any]) -> Sequence[Path]:
    """The files with the texts, which stand beside the configuration or below its folder."""
    root = path.parent.resolve()
    files = []
    for name in config.get("data_files") or ():
        file = root / str(name.get("path") if isinstance(name, Mapping) else name)
        if not file.resolve().is_relative_to(root):
            reason = f"{name} lies outside the project's folder; put it there"
            raise ImportFailure(str(path), "data_files", reason)
        files.append(path.parent / file.relative_to(root))
    return files


def _texts(path: Path, config: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    named = config.get("item_properties") or {}
    id_key, text_key = str(named.get("id_key", "id")), str(named.get("text_key", "text"))
    texts: dict[str, Mapping[str, Any]] = {}
    for file in data_files(path, config):
        for where, row in _instances(file):
            if id_key not in row or text_key not in row:
                missing = id_key if id_key not in row else text_key
                raise ImportFailure(where, missing, "missing")
            rest = {name: value for name, value in row.items() if name not in (id_key, text_key)}
            texts[str(row[id_key])] = {"text": row[text_key], **rest}
    return texts


def _instances(file: Path) -> Sequence[tuple[str, Mapping[str, Any]]]:
    if file.suffix in _TABLES:
        return [(row.where, row.cells) for row in table_rows(file)]
    return [(record.where, object_of(record)) for record in object_records(file)]


def _scheme(described: Mapping[str, Any]) -> Scheme:
    kind = str(described.get("annotation_type"))
    labels = described.get("labels") or ()
    names = tuple(str(e.get("name") if isinstance(e, Mapping) else e) for e in labels)
    size = described.get("size")
    offered: tuple[RawRating, ...] = names
    if kind == "likert" and isinstance(size, int):
        offered = tuple(float(point) for point in range(1, size + 1))
    return Scheme(kind, str(described.get("description") or ""), offered)
