"""Reading the keys of a study file."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from files.errors import ImportFailure
from files.readers.yaml_texts import SafeYaml, read_yaml_file

# At the top of a file, these stand for a single block.
SINGLE_BLOCK = frozenset({"task_type", "options"})


class _Keys(SafeYaml):
    refuses_repeats = True


class _OperatorsKeys(_Keys):
    allows_aliases = True


def read_keys(path: Path, *, aliases: bool = False) -> dict[str, Any]:
    """The keys of a YAML file with their values, unchecked; ImportFailure naming the line.

    aliases: whether it may repeat parts by name, as a file of the command line may.
    """
    content = read_yaml_file(path, _OperatorsKeys if aliases else _Keys)
    if not isinstance(content, dict):
        raise ImportFailure(str(path), "YAML", "not a mapping of keys")
    return content


def named_keys(keys: Iterable[str]) -> frozenset[str]:
    """The keys that a file names; `task_type` and `options` at the top stand for `blocks`."""
    named = frozenset(keys)
    return named | {"blocks"} if named & SINGLE_BLOCK else named
