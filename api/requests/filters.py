"""Filters of a collection, and which fields of its rows are wanted, both as parameters."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.dateparse import parse_datetime
from rest_framework.exceptions import ValidationError
from rest_framework.filters import BaseFilterBackend
from rest_framework.request import Request

from annotation.queries.metadata import having

FIELDS = "fields"
# Understood by the pages of a collection, whatever it holds.
OF_PAGES = ("cursor", "limit")
# Of the filters by own columns, each as `metadata[NAME]=value`.
METADATA = "metadata"
_OWN_COLUMN = re.compile(rf"{METADATA}\[(.{{1,200}})\]", re.DOTALL)
_LONGEST = 300
_LARGEST = 2**63 - 1


def _number(text: str) -> int:
    number = int(text)
    if not (text.isascii() and 0 <= number <= _LARGEST):
        raise ValueError
    return number


def _truth(text: str) -> bool:
    return {"true": True, "false": False}[text]


def _moment(text: str) -> datetime:
    moment = parse_datetime(text)
    if moment is None or moment.tzinfo is None:
        raise ValueError
    return moment


def _text(text: str) -> str:
    if len(text) > _LONGEST:
        raise ValueError
    return text


@dataclass(frozen=True)
class Filter:
    """One parameter. lookup: of the rows, as Django has it. choices: all values that there are."""

    lookup: str
    about: str
    read: Callable[[str], Any] = _text
    schema: Mapping[str, Any] | None = None
    choices: Sequence[str] = ()

    @property
    def described(self) -> dict[str, Any]:
        """The schema of its values."""
        if self.choices:
            return {"type": "string", "enum": list(self.choices)}
        return dict(self.schema or {"type": "string", "maxLength": _LONGEST})

    def value(self, name: str, text: str) -> Any:
        """What a caller wrote; ValidationError where it does not fit."""
        if self.choices and text not in self.choices:
            raise ValidationError({name: f"One of: {', '.join(self.choices)}."})
        try:
            return self.read(text)
        except (ValueError, KeyError, OverflowError) as error:
            raise ValidationError({name: f"Not a value of this filter: {self.about}."}) from error


def by_number(lookup: str, about: str) -> Filter:
    """A filter by a number, such as the id of something."""
    schema = {"type": "integer", "minimum": 0, "maximum": _LARGEST}
    return Filter(lookup, about, _number, schema)


def by_truth(lookup: str, about: str) -> Filter:
    """A filter by yes or no."""
    return Filter(lookup, about, _truth, {"type": "boolean"})


def since(lookup: str, about: str) -> Filter:
    """A filter by a moment with its time zone."""
    return Filter(lookup, about, _moment, {"type": "string", "format": "date-time"})


def _no_name(_text: str) -> str:
    raise ValueError


OWN_COLUMNS = Filter(
    METADATA,
    f"the value of an own column, as text: {METADATA}[NAME]=value",
    _no_name,
    {
        "type": "object",
        "additionalProperties": {"type": "string", "maxLength": _LONGEST},
        "propertyNames": {"minLength": 1, "maxLength": 200},
    },
)


def own_column(parameter: str) -> str:
    """The own column that a parameter names; empty where it names none."""
    named = _OWN_COLUMN.fullmatch(parameter)
    return named[1] if named else ""


class ByParameters(BaseFilterBackend):
    """The `filters` of a view. Parameters that it does not know were refused before: a misspelt
    filter must not give everything."""

    def filter_queryset(
        self, request: Request, queryset: QuerySet[Any], view: Any
    ) -> QuerySet[Any]:
        """The rows that fit all filters."""
        filters: Mapping[str, Filter] = view.filters
        for name, text in request.query_params.items():
            if name in filters:
                value = filters[name].value(name, text)
                queryset = queryset.filter(**{filters[name].lookup: value})
            elif column := own_column(name):
                queryset = queryset.filter(having(column, text))
        return queryset

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """The same in the schema."""
        return [*described(view.filters), fields_parameter(view)]


def described(filters: Mapping[str, Filter]) -> list[dict[str, Any]]:
    """Parameters as the schema has them."""
    return [
        parameter(name, of.about, of.described, **(_BY_NAME if of is OWN_COLUMNS else {}))
        for name, of in filters.items()
    ]


_BY_NAME: dict[str, Any] = {"style": "deepObject", "explode": True}


def parameter(
    name: str, about: str, schema: Mapping[str, Any], *, place: str = "query", **more: Any
) -> dict[str, Any]:
    """A parameter as the schema has it. place: of the request."""
    return {"name": name, "in": place, "description": about, "schema": dict(schema), **more}


def fields_parameter(view: Any) -> dict[str, Any]:
    """The parameter that names the fields that are wanted."""
    names = list(view.get_serializer_class()().fields)
    about = "Fields of each row that are wanted, separated by commas; all without it."
    schema = {"type": "array", "minItems": 1, "items": {"type": "string", "enum": names}}
    return parameter(FIELDS, about, schema, style="form", explode=False)


def wanted_fields(request: Request, there: Sequence[str]) -> list[str] | None:
    """The fields that the request names; None for all."""
    if FIELDS not in request.query_params:
        return None
    names = request.query_params[FIELDS].split(",")
    unknown = [name for name in names if name not in there]
    if unknown:
        raise ValidationError({FIELDS: f"No field {unknown[0]!r}. There are: {', '.join(there)}."})
    return names
