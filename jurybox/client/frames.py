"""Rows as a table of polars."""

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from jurybox.client.problems import ClientError

if TYPE_CHECKING:
    import polars


def frame(rows: Iterable[Mapping[str, Any]]) -> "polars.DataFrame":
    """A table of rows, as the collections of a study and `Study.estimates` give them.

    A field that holds an object becomes a column for each of its keys, such as `group.system` or
    `answer.value`, empty where a row has no such key. A column of values of several kinds holds
    them as JSON. ClientError where polars is not installed.
    """
    try:
        import polars
    except ImportError as error:
        text = "A frame needs polars: pip install polars. Without it, take the rows as they are."
        raise ClientError(text) from error
    listed = list(rows)
    objects = {name for row in listed for name, value in row.items() if isinstance(value, Mapping)}
    flat = [_flat(row, objects) for row in listed]
    names = list(dict.fromkeys(name for row in flat for name in row))
    columns = {name: _alike([row.get(name) for row in flat]) for name in names}
    return polars.DataFrame(columns, infer_schema_length=None)


def report_frame(estimates: Iterable[Mapping[str, Any]]) -> "polars.DataFrame":
    """A table of estimates: `group` as `key=name` pairs, empty for the whole, as exports have it,
    and besides as columns `group.system`, …"""
    return frame(
        {**row, "group": " ".join(f"{key}={name}" for key, name in row["group"].items())}
        | {f"group.{key}": name for key, name in row["group"].items()}
        for row in estimates
    )


def _flat(row: Mapping[str, Any], objects: set[str]) -> dict[str, Any]:
    """A row with a field for each key of an object. objects: the fields that hold some."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Mapping):
            flat |= {f"{name}.{key}": inner for key, inner in value.items()}
        elif name not in objects or value is not None:
            flat[name] = value
    return flat


def _alike(values: list[Any]) -> list[Any]:
    """The values, as JSON where polars has no one type for them."""
    kinds = {_kind(value) for value in values if value is not None}
    if kinds == {"whole", "number"}:
        return [None if value is None else float(value) for value in values]
    if len(kinds - {"list of "}) < 2 and not any("mixed" in kind for kind in kinds):
        return values
    return [None if value is None else json.dumps(value, ensure_ascii=False) for value in values]


def _kind(value: Any) -> str:
    """`whole`, `list of text`, …; `list of ` where it is empty."""
    if isinstance(value, list):
        inner = {_kind(each) for each in value} - {"list of "}
        return f"list of {inner.pop() if inner else ''}" if len(inner) < 2 else "mixed"
    names = {bool: "truth", int: "whole", float: "number", str: "text"}
    return names.get(type(value), "mixed")
