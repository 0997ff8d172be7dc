"""Values of JSON and keys as files of records have them."""

import json
from typing import Annotated, Any

from pydantic import AfterValidator, Field, JsonValue


def _finite(value: Any) -> Any:
    """Refuse NaN and infinity, which many parsers accept as JSON and no database does."""
    json.dumps(value, allow_nan=False)
    return value


FiniteJson = Annotated[JsonValue, AfterValidator(_finite)]
JsonObject = Annotated[dict[str, JsonValue], AfterValidator(_finite)]
UnitKey = Annotated[str, Field(min_length=1, max_length=300)]
