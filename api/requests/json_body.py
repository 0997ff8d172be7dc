"""Bodies of requests as JSON in UTF-8 that can be stored."""

import codecs
import json
import re
from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError, UnsupportedMediaType, ValidationError
from rest_framework.parsers import JSONParser
from rest_framework.utils.json import strict_constant

from files.readers.json_values import NestedTooDeeply, json_value

# An escape of a half of a pair, which may or may not have its other half.
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
# The escape of a NUL character. After another backslash it is a backslash and five characters.
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


class JsonBody(JSONParser):
    """Refuses what Python takes for JSON and no database stores: NaN, and a half of a surrogate
    pair; and what is nested so deeply that Python does not read it."""

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """The value; ParseError or ValidationError where it is none that can be used."""
        encoding = (parser_context or {}).get("encoding", "utf-8")
        if codecs.lookup(encoding).name != "utf-8":
            raise UnsupportedMediaType(str(media_type), detail="Send JSON in UTF-8.")
        try:
            text = stream.read().decode("utf-8")
            value = json_value(text, parse_constant=strict_constant)
        except NestedTooDeeply as error:
            raise ParseError("The JSON is nested too deeply.") from error
        except ValueError as error:
            raise ParseError(f"JSON parse error - {error}") from error
        if _HALF.search(text):
            _refuse_halves(value)
        return value


def escapes_nul(body: bytes) -> bool:
    """Whether a text of the JSON has a NUL character, which no database stores. JSON has it as an
    escape alone."""
    # The regular expression is slow, and nearly every body passes the quick test.
    return b"\\u0000" in body and _NUL.search(body) is not None


def _refuse_halves(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        reason = "A text has a half of a surrogate pair."
        raise ValidationError({"detail": reason}) from error
