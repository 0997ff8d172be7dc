"""Reading the keys of a study file."""

from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Any

import yaml

from annotation.importing.errors import ImportFailure
from annotation.importing.files.streams import opened, refuse_nul

# At the top of a file, these stand for a single block.
SINGLE_BLOCK = frozenset({"task_type", "options"})


class _Loader(yaml.SafeLoader):
    """A SafeLoader for which a repeated key is an error; PyYAML would take the last one."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            if key_node.value in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"{key_node.value!r} is given twice", key_node.start_mark
                )
            seen.add(key_node.value)
        return super().construct_mapping(node, deep=deep)


def read_keys(path: Path) -> dict[str, Any]:
    """The keys of a YAML file with their values, unchecked; ImportFailure naming the line."""
    with opened(path) as stream:
        raw = stream.read()
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ImportFailure(f"{path}:{line}", "encoding", "not UTF-8") from error
    refuse_nul(str(path), text)
    try:
        content = yaml.load(text, Loader=_Loader)  # noqa: S506 (a SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise ImportFailure(f"{path}:{line}", "YAML", _explained(error)) from error
    except yaml.YAMLError as error:
        raise ImportFailure(str(path), "YAML", str(error)) from error
    if not isinstance(content, dict):
        raise ImportFailure(str(path), "YAML", "not a mapping of keys")
    return content


def _explained(error: yaml.MarkedYAMLError) -> str:
    """What PyYAML says, with what usually causes it: a text that needs quotes."""
    problem = error.problem or str(error)
    unquoted = (
        "but got",
        "mapping values are not allowed",
        "expected <block end>",
        "could not find",
    )
    if any(sign in problem for sign in unquoted) or "cannot start any token" in problem:
        problem += " (put quotes around a text with marks such as ? : , # { [ in it)"
    return problem


def named_keys(keys: Iterable[str]) -> frozenset[str]:
    """The keys that a file names; `task_type` and `options` at the top stand for `blocks`."""
    named = frozenset(keys)
    return named | {"blocks"} if named & SINGLE_BLOCK else named
