"""What the bodies of writes are made of: values of the JSON type that the schema names, and no
fields but those that it has. DRF alone reads `"5"` as 5 and leaves out what it does not know, so
that a misspelt field would be lost without a word."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

# Python takes these for white space, regular expressions of JSON Schema do not.
_ONLY_PYTHONS_SPACE = r"\u001c-\u001f\u0085"
LARGEST_SUM = 999_999


# What is said of a body that is a number or a list.
NO_OBJECT = {"invalid": "The body is to be a JSON object."}


class Body(serializers.Serializer[Any]):
    """The body of a write."""

    default_error_messages = NO_OBJECT

    def to_internal_value(self, data: Any) -> Any:
        """The fields as values; ValidationError names one that does not exist."""
        if isinstance(data, Mapping):
            unknown = [name for name in data if name not in self.fields]
            if unknown:
                allowed = ", ".join(self.fields)
                raise ValidationError({unknown[0]: f"No such field. There are: {allowed}."})
        return super().to_internal_value(data)


class BodyInSchema(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """The same in the schema."""

    target_class = Body
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """An object that has no other fields."""
        described = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return {**described, "additionalProperties": False}


class Text(serializers.CharField):
    """A text, as it was sent."""

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=False, **options)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class Slug(Text, serializers.RegexField):
    """A name in addresses."""

    def __init__(self, **options: Any) -> None:
        super().__init__(regex=r"^[a-z0-9][a-z0-9_-]*$", **options)


class Sentence(Text, serializers.RegexField):
    """A text that says something: more than white space."""

    def __init__(self, **options: Any) -> None:
        super().__init__(regex=rf"[^\s{_ONLY_PYTHONS_SPACE}]", **options)
        self.error_messages["invalid"] = "Not a text that says something."


class Whole(serializers.IntegerField):
    """A whole number."""

    def to_internal_value(self, data: Any) -> int:
        number = isinstance(data, int) or (isinstance(data, float) and data.is_integer())
        if isinstance(data, bool) or not number:
            self.fail("invalid")
        return int(super().to_internal_value(int(data)))


class Number(serializers.FloatField):
    """A number."""

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        return float(super().to_internal_value(data))


class Truth(serializers.BooleanField):
    """Yes or no."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class _Sum(serializers.DecimalField):
    """A sum, as a number or, exactly, as text: at most six digits before the point."""

    places, least = 6, 0

    def __init__(self, **options: Any) -> None:
        digits = 6 + self.places
        super().__init__(max_digits=digits, decimal_places=self.places, **options)

    def to_internal_value(self, data: Any) -> Decimal:
        if isinstance(data, bool) or not isinstance(data, int | float | str):
            self.fail("invalid")
        if isinstance(data, str):
            if not re.fullmatch(_written(self.places, self.least), data):
                self.fail("invalid")
            return Decimal(data)
        if not self.least <= data <= LARGEST_SUM:
            self.fail("max_value", max_value=LARGEST_SUM)
        return round(Decimal(repr(data)), self.places)


def _written(places: int, least: int) -> str:
    return rf"^{'-?' if least else ''}[0-9]{{1,6}}(\.[0-9]{{1,{places}}})?$"


def _sum(places: int, least: int) -> dict[str, Any]:
    return {
        "oneOf": [
            {"type": "string", "pattern": _written(places, least)},
            {"type": "number", "minimum": least, "maximum": LARGEST_SUM},
        ]
    }


@extend_schema_field(_sum(6, 0))
class Cost(_Sum):
    """What something may cost, to a millionth."""


@extend_schema_field(_sum(2, -LARGEST_SUM))
class Amount(_Sum):
    """What is added to somebody's pay, or taken from it, in cents."""

    places, least = 2, -LARGEST_SUM
