from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from imports.material.fields import FiniteJson, JsonObject


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [1, [float("-inf")]]])
def test_what_no_database_stores_as_json_is_refused(value: Any) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(FiniteJson).validate_python(value)
    with pytest.raises(ValidationError):
        TypeAdapter(JsonObject).validate_python({"deep": {"within": value}})


def test_other_json_is_kept_as_it_is() -> None:
    value = {"a": [1, 2.5, None, "ü", {"b": True}]}
    assert TypeAdapter(JsonObject).validate_python(value) == value
