"""A reading as a file of YAML or JSON."""

from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from files.errors import ImportFailure
from files.readers.yaml_texts import read_yaml, read_yaml_file
from files.reading.model import Reading


def reading_in(path: Path) -> Reading:
    """The reading in a file of YAML, or of JSON, which is YAML; ImportFailure where it holds
    none."""
    return _checked(read_yaml_file(path), str(path))


def reading_written(text: str, where: str) -> Reading:
    """The reading that a text in YAML or JSON is; ImportFailure where it is none. where: the name
    of the text."""
    return _checked(read_yaml(text, where), where)


def _checked(keys: Any, where: str) -> Reading:
    if not isinstance(keys, dict):
        raise ImportFailure(where, "reading", "not an object with the key tables")
    try:
        return Reading.model_validate(keys)
    except ValidationError as error:
        raise ImportFailure.of(where, error) from error


def reading_yaml(reading: Reading) -> str:
    """The reading as a file, without what stands at its default."""
    keys = reading.model_dump(mode="json", exclude_defaults=True)
    return yaml.safe_dump(keys, allow_unicode=True, sort_keys=False, width=100)
