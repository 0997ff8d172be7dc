"""The Django field of each key of a pydantic schema that holds one value."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from imports.study_file.doors import FormField
from tasktypes.pages.point_lines import line_of
from tasktypes.schemas import sentence

JsonSchema = Mapping[str, Any]
# Texts that take more than a line.
_PROSE = ("definition", "example")
NEEDED = "This is needed."
_POINTS = (
    "Such as “1–5, very poor … very good” or “yes, no”, or a line each: “1 = Poor: what it means”"
)
_PLAIN = FormField()


class LinesField(forms.Field):
    """A list of texts, one a line; a mapping of texts has `name: text` on each."""

    def __init__(self, *, pairs: bool, **options: Any) -> None:
        super().__init__(**options)
        self._pairs = pairs

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            value = [f"{name}: {text}" for name, text in value.items()]
        return value if isinstance(value, str) else "\n".join(map(str, value or ()))

    def to_python(self, value: Any) -> Any:
        lines = [line.strip() for line in str(value or "").splitlines() if line.strip()]
        if not self._pairs:
            return lines
        pairs = (line.partition(":") for line in lines)
        return {name.strip(): text.strip() for name, _colon, text in pairs}

    def has_changed(self, initial: Any, data: Any) -> bool:
        # A text of several lines is one of the list for as long as it stays.
        return bool(self.prepare_value(initial).strip() != str(data or "").strip())


class NumberField(forms.FloatField):
    """A number; a share is typed as its percent."""

    def __init__(self, *, scale: int = 1, **options: Any) -> None:
        self._scale = scale
        super().__init__(**options)

    def prepare_value(self, value: Any) -> Any:
        is_number = isinstance(value, int | float)
        return _plain(round(value * self._scale, 4) if is_number and self._scale > 1 else value)

    def clean(self, value: Any) -> float | None:
        number: float | None = super().clean(value)
        return number if number is None or self._scale == 1 else round(number / self._scale, 6)


class NumberOrTextField(forms.CharField):
    """A number where it is one, and a text otherwise."""

    def prepare_value(self, value: Any) -> Any:
        return _plain(value)

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        try:
            return float(text) if text else None
        except ValueError:
            return text


class PointsField(forms.CharField):
    """The points of a scale as one text, which their model reads."""

    def prepare_value(self, value: Any) -> Any:
        return line_of(value) if isinstance(value, list | tuple) else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(self.prepare_value(initial) != str(data or "").replace("\r\n", "\n").strip())


def _plain(value: Any) -> Any:
    """A whole number without a point."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def label_of(key: str, part: JsonSchema) -> str:
    """The label of a key: its own, the title that its model gives it, or its name in words."""
    words, title = key.replace("_", " "), str(part.get("title", ""))
    own = "" if title == words.title() else title  # pydantic makes one of the key, too
    return shown(part).label or own or words[:1].upper() + words[1:]


def hint_of(part: JsonSchema) -> str:
    """What stands below the label: the hint of the key, or its description."""
    hint = shown(part).hint
    return sentence(part.get("description", "")).replace("`", "") if hint is None else hint


def shown(part: JsonSchema) -> FormField:
    """How a key says that forms show it."""
    field: FormField = part.get("form", _PLAIN)
    return field


def form_field(path: Sequence[str], part: JsonSchema) -> forms.Field:
    """The field of the key at a path. part: its schema, without references."""
    look, kind = shown(part), part.get("type")
    base: dict[str, Any] = {
        "label": label_of(path[-1], part),
        "help_text": hint_of(part),
        "required": False,
    }
    if choices := look.choices or [(value, value) for value in part.get("enum", ())]:
        return forms.ChoiceField(choices=choices, **base)
    if kind == "boolean":
        return forms.BooleanField(**base)
    if look.control == "money" or kind in ("integer", "number"):
        return _number(part, base)
    if kind in ("array", "object"):
        return _list(part, base)
    if kind != "string":
        return NumberOrTextField(**base | _need(part))
    rows = look.rows or 2 * _is_prose(path)
    widget = _area(rows) if rows else _line() if path[-1] == "question" else None
    return forms.CharField(max_length=part.get("maxLength"), widget=widget, **base)


def _list(part: JsonSchema, base: Mapping[str, Any]) -> forms.Field:
    if part.get("in_line"):
        return PointsField(widget=_line(), **{**base, "help_text": _POINTS})
    names = part.get("items", {}).get("enum")
    if names is None:
        widget = _area(shown(part).rows or 4)
        return LinesField(pairs=part["type"] == "object", widget=widget, **base)
    choices = [(name, name) for name in names]
    return forms.MultipleChoiceField(choices=choices, widget=forms.CheckboxSelectMultiple, **base)


def _number(part: JsonSchema, base: Mapping[str, Any]) -> forms.Field:
    look, base = shown(part), {**base, **_need(part)}
    if look.control == "money":
        return forms.DecimalField(min_value=0, decimal_places=2, **base)
    if look.control == "percent":
        return NumberField(scale=100, min_value=0, max_value=look.most or 100, **base)
    kind = forms.IntegerField if part["type"] == "integer" else NumberField
    most = look.most or part.get("maximum")
    return kind(min_value=part.get("minimum"), max_value=most, **base)


def _need(part: JsonSchema) -> dict[str, Any]:
    """A number may be left out only where its key may be null."""
    return {"required": not part.get("nullable"), "error_messages": {"required": NEEDED}}


def _is_prose(path: Sequence[str]) -> bool:
    # In rows within rows, such as the points of a scale, a line is room enough.
    return path[-1] in _PROSE and sum(map(str.isdecimal, path)) < 2


def _line() -> forms.Textarea:
    """A line that grows with what is typed."""
    return forms.Textarea({"rows": 1, "class": "line-field"})


def _area(rows: int) -> forms.Textarea:
    return forms.Textarea({"rows": rows, "class": "prose-field"})
