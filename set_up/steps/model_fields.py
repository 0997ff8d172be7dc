"""The fields of a pydantic model in a Django form: drawn from its schema, and read back by it.

A mapping of keys is a group, and a list of mappings rows that buttons add and remove.
"""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from django import forms
from django.http import QueryDict
from pydantic import BaseModel, ValidationError

from set_up.steps.fields import NEEDED, JsonSchema, form_field, hint_of, label_of, shown

Path = tuple[str, ...]
COUNT = "count"


@dataclasses.dataclass
class FormPart:
    """A field; rows, with the field that counts them; or a group, which has no field. name: as it
    is posted; of rows, as buttons have it."""

    form: forms.Form
    name: str
    label: str
    section: str
    place: int
    field_name: str
    parts: list["FormPart"] = dataclasses.field(default_factory=list)

    @property
    def field(self) -> forms.BoundField | None:
        """The field as Django draws it."""
        return self.form[self.field_name] if self.field_name else None

    @property
    def sections(self) -> dict[str, list["FormPart"]]:
        """The parts within by section of the page, in their order."""
        sections: dict[str, list[FormPart]] = {}
        for part in self.parts:
            sections.setdefault(part.section, []).append(part)
        return sections

    @property
    def has_errors(self) -> bool:
        """Whether something is wrong with it or within."""
        own = self.field is not None and bool(self.field.errors)
        return own or any(part.has_errors for part in self.parts)

    @property
    def has_errors_in_more(self) -> bool:
        """Whether the fields that few studies need are to stand open."""
        return any(part.has_errors for part in self.sections.get("more", ()))


class DrawnForm(forms.Form):
    """A form with the fields of models."""

    use_required_attribute = False
    most_rows = 40

    def name_of(self, *path: str) -> str:
        """The name of the key at a path as it is posted; of rows and of a row, as buttons have it;
        of the count of rows at their path and `COUNT`."""
        return ".".join(path)

    def new_row(self, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """What is in a row that is added to these; the rest has its defaults."""
        return {}


class ModelFields:
    """The fields of a model in a form. standing: the record before anything was typed. at: begins
    their paths in the form. inlines: whether a group within is drawn as its fields alone."""

    def __init__(
        self,
        form: DrawnForm,
        model: type[BaseModel],
        standing: Mapping[str, Any],
        *,
        at: Path = (),
        inlines: bool = False,
    ) -> None:
        self.model, self._form, self._schema = model, form, schema_of(model)
        self._standing = standing
        self._at, self._inlines = at, inlines
        self._draw(standing)
        form.initial.update(self._values)
        if form.is_bound:
            assert isinstance(form.data, QueryDict)
            self._draw(self._read((), self._schema, form.data))
            for name, value in self._values.items():
                _post(form.data, name, self._fields[name], value)
        form.fields |= self._fields

    def _name_of(self, *path: str) -> str:
        return self._form.name_of(*self._at, *path)

    # --- Drawing ------------------------------------------------------------------------------

    def _draw(self, record: Mapping[str, Any]) -> None:
        # By path of each field; rows have that of their count.
        self.names: dict[Path, str] = {}
        self._fields: dict[str, forms.Field] = {}
        self._values: dict[str, Any] = {}
        self.group = self._group((), self._schema, record)

    def _part(self, path: Path, part: JsonSchema, value: Any) -> FormPart:
        if "properties" in part:
            return self._group(path, part, value or {})
        if not _has_rows(part):
            return self._field(path, part, self._name_of(*path), form_field(path, part), value)
        rows, hint = value or (), hint_of(part)
        count = forms.IntegerField(help_text=hint, widget=forms.HiddenInput, required=False)
        drawn = self._field(path, part, self._name_of(*path, COUNT), count, len(rows))
        places = [(*path, str(number)) for number in range(len(rows))]
        inner = zip(places, rows, strict=True)
        drawn.parts = [self._group(place, part["items"], row) for place, row in inner]
        return drawn

    def _group(self, path: Path, part: JsonSchema, record: Mapping[str, Any]) -> FormPart:
        group = self._drawn(path, part)
        for key, inner in part["properties"].items():
            value = record[key] if key in record else inner.get("default")
            drawn = self._part((*path, key), inner, value)
            inlined = self._inlines and "properties" in inner
            group.parts += drawn.parts if inlined else [drawn]
        group.parts.sort(key=lambda one: one.place)
        return group

    def _field(
        self, path: Path, part: JsonSchema, name: str, made: forms.Field, value: Any
    ) -> FormPart:
        self.names[path], self._fields[name], self._values[name] = name, made, value
        return self._drawn(path, part, name)

    def _drawn(self, path: Path, part: JsonSchema, field_name: str = "") -> FormPart:
        look, label = shown(part), label_of(path[-1], part) if path else ""
        name = self._name_of(*path)
        return FormPart(self._form, name, label, look.section, look.place, field_name)

    # --- Reading ------------------------------------------------------------------------------

    def _read(self, path: Path, part: JsonSchema, data: QueryDict) -> Any:
        """What was posted, as it was typed, and with a row more or less where a button asked for
        that; None for what is not there."""
        if "properties" in part:
            inner = {k: self._read((*path, k), p, data) for k, p in part["properties"].items()}
            return {key: value for key, value in inner.items() if value is not None}
        if _has_rows(part):
            return self._read_rows(path, part["items"], data)
        widget = form_field(path, part).widget
        typed = widget.value_from_datadict(data, {}, self._name_of(*path))
        return typed.replace("\r\n", "\n") if isinstance(typed, str) else typed

    def _read_rows(self, path: Path, part: JsonSchema, data: QueryDict) -> list[dict[str, Any]]:
        number = data.get(self._name_of(*path, COUNT), "")
        count = min(self._form.most_rows, int(number[:3])) if number.isdecimal() else 0
        places = [(*path, str(n)) for n in range(count)]
        go = data.get("go", "")
        rows = [
            self._read(place, part, data)
            for place in places
            if go != f"remove:{self._name_of(*place)}"
        ]
        if go == f"add:{self._name_of(*path)}" and count < self._form.most_rows:
            rows.append(self._form.new_row(rows))
        return rows

    @property
    def record(self) -> dict[str, Any]:
        """What was typed, as far as it fits its fields, once they are cleaned. What was left alone
        is as it stands, since a field may show it in other words than the record has."""
        if not self._form.is_bound:
            return dict(self._standing)
        form, record = self._form, dict[str, Any]()
        for path, name in self.names.items():
            if name not in form.cleaned_data:
                continue  # What does not fit is said already.
            value = form.cleaned_data[name]
            if name != self._name_of(*path):
                value = [{} for _row in range(value)]
            elif form.initial.get(name) is not None and name not in form.changed_data:
                value = form.initial[name]
            _put(record, path, value)
        return record

    def complaints(self, record: Mapping[str, Any]) -> Iterator[tuple[str | None, str]]:
        """What the model refuses: (field, text); no field for what is about the whole."""
        try:
            self.model.model_validate(record)
        except ValidationError as error:
            complaints = error.errors(include_url=False)
            places = {complaint["loc"][:n] for complaint in complaints for n in _within(complaint)}
            for complaint in complaints:
                if complaint["loc"] in places:
                    continue  # Rows lack a row where that row does not fit: it is said there.
                path, text = tuple(map(str, complaint["loc"])), _reason(complaint)
                key, colon, rest = text.partition(": ")
                if colon and (*path, key) in self.names:
                    path, text = (*path, key), rest
                yield self.nearest(path), text[:1].upper() + text[1:]

    def nearest(self, path: Path) -> str | None:
        """The field for a path of the record, or for the nearest rows around it."""
        ends = range(len(path), 0, -1)
        return next((self.names[path[:n]] for n in ends if path[:n] in self.names), None)


@cache
def schema_of(model: type[BaseModel]) -> JsonSchema:
    """A model's schema without references; what may be null says `nullable`."""
    schema = model.model_json_schema(mode="validation")
    return _resolved(schema, schema.get("$defs", {}))


def _resolved(part: JsonSchema, defs: JsonSchema) -> JsonSchema:
    made = dict(part)
    if "$ref" in made:
        return _resolved({**defs[made.pop("$ref").rpartition("/")[2]], **made}, defs)
    if choices := [choice for choice in made.get("anyOf", ()) if choice.get("type") != "null"]:
        several = made.pop("anyOf")
        made["nullable"] = len(choices) < len(several)
        return _resolved({**choices[0], **made}, defs) if len(choices) == 1 else made
    if "properties" in made:
        made["properties"] = {key: _resolved(one, defs) for key, one in part["properties"].items()}
    if "items" in made:
        made["items"] = _resolved(part["items"], defs)
    return made


def _has_rows(part: JsonSchema) -> bool:
    return "properties" in part.get("items", {}) and not part.get("in_line")


def _post(data: QueryDict, name: str, made: forms.Field, value: Any) -> None:
    """Have a field as a browser posts it."""
    if isinstance(made, forms.MultipleChoiceField):
        data.setlist(name, list(value or ()))
    elif isinstance(made, forms.BooleanField) and not value:
        data.pop(name, None)
    else:
        shown_value = made.prepare_value(value)
        data[name] = "" if shown_value is None else str(shown_value)


def _put(record: dict[str, Any], path: Path, value: Any) -> None:
    """Put a value into its place in a record; rows are there before what they hold."""
    place: Any = record
    for key in path[:-1]:
        place = place[int(key)] if isinstance(place, list) else place.setdefault(key, {})
    place[path[-1]] = value


def _within(complaint: Any) -> range:
    return range(len(complaint["loc"]))


def _reason(complaint: Any) -> str:
    if complaint["type"] == "value_error":
        return str(complaint["ctx"]["error"])
    if complaint["type"] in ("missing", "string_too_short", "too_short"):
        return NEEDED
    return str(complaint["msg"])
