"""Study files and records that lie on this machine, as the server takes them."""

import gzip
import json
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

import yaml

from jurybox.client.problems import ClientError
from jurybox.client.rows import Row


class _Loader(yaml.SafeLoader):
    """A SafeLoader for which a repeated key is an error; PyYAML would take the last one."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Any] = set()
        for key, _value in node.value:
            if key.value in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"{key.value!r} is given twice", key.start_mark
                )
            seen.add(key.value)
        return super().construct_mapping(node, deep=deep)


def read_study_file(source: str | Path | Mapping[str, Any]) -> Row:
    """The keys of a study file, with the records themselves as `items`.

    source: the path of the file, as a Path, where the files that `items` names are JSON Lines
    beside it; or its text in YAML; or its keys. ClientError names the file that cannot be read.
    """
    if isinstance(source, Mapping):
        return dict(source)
    if isinstance(source, Path):
        text, folder = _text(source), source.parent
    else:
        text, folder = source, Path()
    try:
        keys = yaml.load(text, Loader=_Loader)  # noqa: S506 (a SafeLoader)
    except yaml.YAMLError as error:
        raise ClientError(f"No study file: {error}") from error
    if not isinstance(keys, dict):
        raise ClientError("No study file: it has no keys. A path is to be a pathlib.Path.")
    return {**keys, "items": _records_of(keys.get("items", []), folder)}


def read_records(file: Path) -> list[Row]:
    """The records of a file in JSON Lines, perhaps packed by gzip (`.gz`)."""
    records = []
    for number, line in enumerate(_text(file).split("\n"), start=1):
        if line.strip():
            try:
                records.append(json.loads(line))
            except ValueError as error:
                raise ClientError(f"{file}:{number}: no JSON: {error}") from error
    return records


def _records_of(items: Any, folder: Path) -> list[Any]:
    listed = [items] if isinstance(items, str) else list(items or [])
    records: list[Any] = []
    for entry in listed:
        if isinstance(entry, str):
            records += read_records(folder / entry)
        else:
            records.append(entry)
    return records


def _text(file: Path) -> str:
    try:
        content = file.read_bytes()
        return (gzip.decompress(content) if file.suffix == ".gz" else content).decode()
    except (OSError, ValueError) as error:
        raise ClientError(f"{file} cannot be read: {error}") from error
