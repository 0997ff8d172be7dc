"""The options of any task type as a form: their schema says which fields there are.

Fields are named by their place, such as `criteria.0.points.2.label`. A list of mappings is shown as
rows that buttons add and remove; a list of texts has one a line, a mapping of texts `name: text`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from django.http import QueryDict
from pydantic import BaseModel, ValidationError

from tasktypes.schemas import sentence

JsonSchema = Mapping[str, Any]
Kind = Literal["text", "prose", "number", "check", "choice", "choices", "lines", "group", "rows"]
# Texts that take more than a line.
_PROSE = ("definition", "example")
_PLAIN: Mapping[str, Kind] = {"boolean": "check", "number": "number", "integer": "number"}
COUNT = "count"
MOST_ROWS = 40


@dataclass
class Node:
    """A field, a group of fields, or rows of groups. name: its place. rows: of a list of mappings.
    value: as a browser shows it. kept: whether it may be empty."""

    kind: Kind
    name: str
    label: str
    hint: str = ""
    value: Any = ""
    choices: Sequence[str] = ()
    parts: list["Node"] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    optional: bool = True

    @property
    def id(self) -> str:
        """For labels."""
        return f"option-{self.name.replace('.', '-')}"

    def walk(self) -> Iterator["Node"]:
        """It and all that lies within."""
        yield self
        for part in self.parts:
            yield from part.walk()


class OptionsTree:
    """The options of a model as nodes, with the values of a record or of what was posted."""

    def __init__(self, model: type[BaseModel], prefix: str) -> None:
        schema = model.model_json_schema(mode="validation")
        self._defs: Mapping[str, Any] = schema.get("$defs", {})
        self._schema, self.model, self.prefix = schema, model, prefix

    def nodes(self, record: Mapping[str, Any]) -> list[Node]:
        """The fields with the values of a record, and with the defaults of what it leaves out."""
        return self._group(self._schema, self.prefix, record).parts

    def read(self, data: QueryDict) -> dict[str, Any]:
        """What was posted, as a record that the model may or may not accept."""
        record = self._read(self._schema, self.prefix, data)
        return dict(record) if isinstance(record, dict) else {}

    # --- Drawing ------------------------------------------------------------------------------

    def _group(self, schema: JsonSchema, name: str, record: Mapping[str, Any]) -> Node:
        group = Node("group", name, "")
        for key, part in schema["properties"].items():
            value = record[key] if key in record else part.get("default")
            node = self._node(part, f"{name}.{key}", value)
            node.label, node.hint = _label(key), _hint(part)
            node.optional = key not in schema.get("required", ())
            group.parts.append(node)
        return group

    def _node(self, part: JsonSchema, name: str, value: Any) -> Node:
        part = self._resolved(part)
        kind = self._kind(part, name)
        node = Node(kind, name, "")
        if kind == "group":
            return self._group(part, name, value or {})
        if kind == "rows":
            node.parts = [
                self._group(self._resolved(part["items"]), f"{name}.{n}", row)
                for n, row in enumerate(value or ())
            ]
        elif kind in ("choice", "choices"):
            source = part if kind == "choice" else self._resolved(part["items"])
            node.choices, node.value = source["enum"], value
        else:
            node.value = _shown(kind, value)
        return node

    def _kind(self, part: JsonSchema, name: str) -> Kind:
        if "enum" in part:
            return "choice"
        if part.get("type") == "array":
            inner = self._resolved(part.get("items", {}))
            return _kind_of_list(inner)
        if part.get("type") == "object":
            return "group" if "properties" in part else "lines"
        # In rows within rows, such as the points of a scale, a line is room enough.
        is_long = name.rpartition(".")[2] in _PROSE and sum(map(str.isdecimal, name.split("."))) < 2
        plain: Kind = "prose" if is_long else "text"
        return _PLAIN.get(part.get("type", ""), plain)

    def _resolved(self, part: JsonSchema) -> JsonSchema:
        """The schema behind a reference, or the one of several that is not null."""
        if "$ref" in part:
            return self._resolved(self._defs[part["$ref"].rpartition("/")[2]])
        choices = [choice for choice in part.get("anyOf", ()) if choice.get("type") != "null"]
        if not choices:
            return part
        return self._resolved(choices[0]) if len(choices) == 1 else {"type": "string", "any": True}

    # --- Reading ------------------------------------------------------------------------------

    def _read(self, part: JsonSchema, name: str, data: QueryDict) -> Any:
        part = self._resolved(part)
        kind = self._kind({"type": "object", **part}, name)
        if kind == "group":
            return self._read_group(part, name, data)
        if kind == "rows":
            rows = range(row_count(data, name))
            return [self._read(part["items"], f"{name}.{n}", data) for n in rows]
        return _read_field(part, kind, name, data)

    def _read_group(self, part: JsonSchema, name: str, data: QueryDict) -> dict[str, Any]:
        record = {
            key: self._read(inner, f"{name}.{key}", data)
            for key, inner in part["properties"].items()
        }
        return {key: value for key, value in record.items() if value is not None}


def _kind_of_list(inner: JsonSchema) -> Kind:
    if "properties" in inner:
        return "rows"
    return "choices" if "enum" in inner else "lines"


def _read_field(part: JsonSchema, kind: Kind, name: str, data: QueryDict) -> Any:
    """What was typed into one field; None for a field of a new row, which has its default."""
    if kind == "check":
        return name in data
    if kind == "choices":
        return data.getlist(name)
    if name not in data:
        return None
    typed = data.get(name, "").replace("\r\n", "\n").strip()
    if kind == "lines":
        return _lines(part, typed)
    if kind == "number" or part.get("any"):
        return _number(typed, whole=part.get("type") == "integer")
    return typed


def _label(key: str) -> str:
    words = key.replace("_", " ")
    return words[:1].upper() + words[1:]


def _hint(part: JsonSchema) -> str:
    return sentence(part.get("description", "")).replace("`", "")


def _shown(kind: Kind, value: Any) -> Any:
    if kind == "check":
        return bool(value)
    if isinstance(value, Mapping):
        return "\n".join(f"{name}: {text}" for name, text in value.items())
    if kind == "lines":
        return "\n".join(map(str, value or ()))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


def _lines(part: JsonSchema, typed: str) -> Any:
    lines = [line.strip() for line in typed.splitlines() if line.strip()]
    if part.get("type") != "object":
        return lines
    pairs = (line.partition(":") for line in lines)
    return {name.strip(): text.strip() for name, _colon, text in pairs}


def _number(typed: str, *, whole: bool) -> Any:
    """A number where it is one; the text otherwise, which the schema then refuses by name."""
    if not typed:
        return None
    try:
        return int(typed) if whole else float(typed)
    except ValueError:
        return typed


def row_count(data: QueryDict, name: str) -> int:
    """How many rows of a list were posted."""
    number = data.get(f"{name}.{COUNT}", "")
    return min(MOST_ROWS, int(number[:3])) if number.isdecimal() else 0


def place_errors(nodes: Sequence[Node], prefix: str, error: ValidationError) -> list[str]:
    """Put each complaint beside the field that it is about; what has no field is returned."""
    by_name = {node.name: node for top in nodes for node in top.walk()}
    homeless = []
    for complaint in error.errors(include_url=False):
        path, text = [prefix, *map(str, complaint["loc"])], _reason(complaint)
        field_name, colon, rest = text.partition(": ")
        if colon and ".".join([*path, field_name]) in by_name:
            path, text = [*path, field_name], rest
        while path and ".".join(path) not in by_name:
            path.pop()
        if path:
            by_name[".".join(path)].errors.append(_capital(text))
        else:
            homeless.append(_capital(text))
    return homeless


def _reason(complaint: Any) -> str:
    if complaint["type"] == "value_error":
        return str(complaint["ctx"]["error"])
    if complaint["type"] in ("missing", "string_too_short", "too_short"):
        return "This is needed."
    return str(complaint["msg"])


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
