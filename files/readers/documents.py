"""Reading files that are one JSON document: an array of records, or an object of objects."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import ijson
from pydantic import BaseModel, ValidationError

from files.errors import ImportFailure, RecordPlace
from files.readers.json_values import NestedTooDeeply, json_value
from files.readers.streams import (
    LARGEST_DOCUMENT,
    Member,
    RawLine,
    Watch,
    opened,
    refuse_nul,
    unwatched,
    whole,
)

S = TypeVar("S", bound=BaseModel)


def array_records(path: Path, watch: Watch = unwatched) -> Iterator[Member]:
    """Each member of the one JSON array that a file is, numbered from 0."""
    number = -1
    with opened(path, watch) as stream:
        try:
            for number, value in enumerate(ijson.items(stream, "item", use_float=True)):
                where = RecordPlace(f"{path} (record {number})", file=path, raw=value)
                yield Member(where, str(number))
        except (ijson.JSONError, UnicodeDecodeError) as error:
            reason = str(error).splitlines()[0]
            raise ImportFailure(f"{path} (record {number + 1})", "JSON", reason) from error
    if number < 0:
        raise ImportFailure(str(path), "JSON", "not an array of records")


def whole_object(path: Path, watch: Watch = unwatched, *, with_nan: bool = False) -> dict[str, Any]:
    """The one JSON object that a file is; a key given twice is refused, and so is NaN, unless
    `with_nan`: for files in which it says that there is no number."""
    with opened(path, watch) as stream:
        raw = whole(stream, str(path), LARGEST_DOCUMENT)
    try:
        text = raw.decode("utf-8")
        constant = float if with_nan else _refuse_constant
        value = json_value(text, object_pairs_hook=_unique_members, parse_constant=constant)
    except UnicodeDecodeError as error:
        raise ImportFailure(str(path), "encoding", "not UTF-8") from error
    except json.JSONDecodeError as error:
        raise ImportFailure(f"{path}:{error.lineno}", "JSON", error.msg) from error
    except NestedTooDeeply as error:
        raise ImportFailure(str(path), "JSON", str(error)) from error
    except ValueError as error:
        raise ImportFailure.of(str(path), error) from error
    refuse_nul(str(path), text)
    if not isinstance(value, dict):
        raise ImportFailure(str(path), "JSON", "not an object")
    return value


def checked(where: str, schema: type[S], value: Any) -> S:
    """The value in that schema; ImportFailure naming the field that does not fit."""
    try:
        return schema.model_validate(value)
    except ValidationError as error:
        raise ImportFailure.of(where, error) from error


def checked_line(line: RawLine, schema: type[S]) -> S:
    """The same for a line of JSON."""
    try:
        return schema.model_validate_json(line.text.rstrip())
    except ValidationError as error:
        raise ImportFailure.of(line.where, error) from error


def _unique_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in pairs:
        if key in members:
            raise ValueError(f"JSON: {key!r} is given twice")
        members[key] = value
    return members


def _refuse_constant(name: str) -> float:
    raise ValueError(f"JSON: {name} is not a number")
