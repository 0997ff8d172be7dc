"""Reading the keys of a study file."""

import re
from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Any

import yaml

from annotation.importing.errors import ImportFailure
from annotation.importing.files.streams import opened, refuse_nul

# At the top of a file, these stand for a single block.
SINGLE_BLOCK = frozenset({"task_type", "options"})
# What PyYAML says where a text stands without quotes that needs them.
_UNQUOTED = (
    "but got",
    "mapping values are not allowed",
    "mapping keys are not allowed",
    "expected <block end>",
    "could not find",
    "cannot start any token",
)
_TEXT = re.compile(r"""(?P<key>\w+):[ ]+(?P<text>[^"'{}\[\],|>][^"{}\[\],]*)""")


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

    def construct_scalar(self, node: yaml.ScalarNode | yaml.MappingNode) -> Any:
        """A text without NUL, which YAML has several escapes for and no database stores."""
        value = super().construct_scalar(node)
        if isinstance(value, str) and "\0" in value:
            raise yaml.constructor.ConstructorError(
                None, None, "a text holds a NUL character", node.start_mark
            )
        return value


def read_keys(path: Path) -> dict[str, Any]:
    """The keys of a YAML file with their values, unchecked; ImportFailure naming the line."""
    with opened(path) as stream:
        raw = stream.read()
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ImportFailure(f"{path}:{line}", "encoding", "not UTF-8") from error
    if "\0" in text:
        refuse_nul(str(path), text)
    try:
        content = yaml.load(text, Loader=_Loader)  # noqa: S506 (a SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        written = "".join(text.splitlines()[line - 1 : line])
        raise ImportFailure(f"{path}:{line}", "YAML", _explained(error, written)) from error
    except yaml.YAMLError as error:
        raise ImportFailure(str(path), "YAML", str(error)) from error
    except RecursionError as error:
        raise ImportFailure(str(path), "YAML", "too many parts within one another") from error
    if not isinstance(content, dict):
        raise ImportFailure(str(path), "YAML", "not a mapping of keys")
    return content


def _explained(error: yaml.MarkedYAMLError, line: str) -> str:
    """What PyYAML says, with what usually causes it: a text that needs quotes, or a tab."""
    problem = error.problem or str(error)
    if line[: len(line) - len(line.lstrip())].count("\t"):
        return f"{problem} (indent lines with spaces, not with tabs)"
    if any(sign in problem for sign in _UNQUOTED):
        problem += " (put quotes around a text with marks such as ? : , # { [ in it"
        problem += f": {example})" if (example := _quoted(line)) else ")"
    return problem


def _quoted(line: str) -> str:
    """The last `key: text` of a line that has a mark in it, as it should be written."""
    texts = [match for match in _TEXT.finditer(line) if set(match["text"]) & set("?:#@`%&*!")]
    return f'{texts[-1]["key"]}: "{texts[-1]["text"].strip()}"' if texts else ""


def named_keys(keys: Iterable[str]) -> frozenset[str]:
    """The keys that a file names; `task_type` and `options` at the top stand for `blocks`."""
    named = frozenset(keys)
    return named | {"blocks"} if named & SINGLE_BLOCK else named
