"""YAML that people send, read without harm: one reader for all of it."""

import re
from collections.abc import Hashable
from pathlib import Path
from typing import Any, ClassVar

import yaml

from files.errors import ImportFailure
from files.readers.streams import opened, refuse_nul

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
# What a value can be taken for that it is not: `2026-99-99`, `!!int x`, a number of 5,000 digits.
_NO_VALUE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


class SafeYaml(yaml.SafeLoader):
    """Refuses what PyYAML reads and nobody should send.

    allows_aliases: otherwise a part that is repeated by name is refused, since a few lines could
    stand for gigabytes. refuses_repeats: a key that is given twice is an error; PyYAML would take
    the last one.
    """

    allows_aliases: ClassVar[bool] = False
    refuses_repeats: ClassVar[bool] = False

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        if not self.allows_aliases and self.check_event(yaml.AliasEvent):
            event: Any = self.peek_event()  # type: ignore[no-untyped-call]
            reason = f"*{event.anchor}: write it out"
            raise yaml.composer.ComposerError(None, None, reason, event.start_mark)
        node: yaml.Node | None = super().compose_node(parent, index)
        return node

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """The value; an error in words where what is written cannot be one."""
        try:
            return super().construct_object(node, deep=deep)
        except _NO_VALUE as error:
            reason = _no_value(node)
            raise yaml.constructor.ConstructorError(None, None, reason, node.start_mark) from error

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value if self.refuses_repeats else ():
            if isinstance(key_node.value, str) and key_node.value in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"{key_node.value!r} is given twice", key_node.start_mark
                )
            seen.add(str(key_node.value))
        return super().construct_mapping(node, deep=deep)

    def construct_scalar(self, node: yaml.ScalarNode | yaml.MappingNode) -> Any:
        """A text without NUL, which YAML has several escapes for and no database stores."""
        value = super().construct_scalar(node)
        if isinstance(value, str) and "\0" in value:
            raise yaml.constructor.ConstructorError(
                None, None, "a text holds a NUL character", node.start_mark
            )
        return value


def read_yaml_file(path: Path, loader: type[SafeYaml] = SafeYaml) -> Any:
    """What a YAML file holds; ImportFailure naming the line."""
    with opened(path) as stream:
        raw = stream.read()
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ImportFailure(f"{path}:{line}", "encoding", "not UTF-8") from error
    if "\0" in text:
        refuse_nul(str(path), text)
    return read_yaml(text, str(path), loader)


def read_yaml(text: str, where: str, loader: type[SafeYaml] = SafeYaml) -> Any:
    """What a text in YAML holds; ImportFailure naming the line. where: the name of its file."""
    try:
        return yaml.load(text, Loader=loader)  # noqa: S506 (a SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        written = "".join(text.splitlines()[line - 1 : line])
        raise ImportFailure(f"{where}:{line}", "YAML", _explained(error, written)) from error
    except yaml.YAMLError as error:
        raise ImportFailure(where, "YAML", " ".join(str(error).split())) from error
    except RecursionError as error:
        raise ImportFailure(where, "YAML", "too many parts within one another") from error


def _no_value(node: yaml.Node) -> str:
    """Why a value cannot be read: `2026-99-99 is no date (put it in quotes)`."""
    kind = node.tag.rpartition(":")[2].replace("timestamp", "date")
    written = node.value if isinstance(node.value, str) else "this"
    shown = written if len(written) <= 40 else f"{written[:40]}…"
    return f"{shown} is no {kind} (put it in quotes)"


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
