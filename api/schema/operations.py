"""How operations are described in the schema of the API (OpenAPI 3.1)."""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from rest_framework.serializers import ListSerializer

from api.problems import CONTENT_TYPE
from api.requests.conditions import match_parameter
from api.requests.filters import FIELDS, described, fields_parameter, parameter
from api.requests.keyed_writes import HEADER, LONGEST_KEY

# What any operation may answer beside its own.
REFUSALS = {
    "401": "No token, or one that is unknown, expired or revoked.",
    "403": "The token lacks the scope, or its owner the role.",
    "404": "There is no such thing, or not for this account.",
    "422": "A field or a parameter does not fit; `errors` names each.",
    "429": "Too many requests; `Retry-After` says when to come back.",
    "503": "The database cannot be reached; `Retry-After` says when to come back.",
}
OF_WRITES = {
    "400": "The body is no JSON.",
    "409": "What the study or the run is like now does not allow it.",
    "413": "The body is too large.",
    "415": "The body must be JSON.",
}
OF_MATCHES = {
    "412": "Somebody has changed it since; read it again.",
    "428": "`If-Match` is missing.",
}
PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["field", "detail"],
                "properties": {"field": {"type": "string"}, "detail": {"type": "string"}},
            },
        },
    },
}

# What is done with a study as a whole.
OF_STUDIES = frozenset(
    ("open", "close", "pause", "resume", "file", "archive", "unarchive", "delete", "unpaid")
) | {"try-out"}


class Described(AutoSchema):
    """An operation with its refusals, its scope, and the header that makes a write happen once."""

    def get_request_serializer(self) -> Any:
        """What a write takes."""
        return self._asked.takes

    def get_response_serializers(self) -> Any:
        """What an operation answers, by status; else the rows of the view."""
        return self._asked.answers or super().get_response_serializers()

    def get_operation_id(self) -> str:
        """Collections without pages are collections all the same."""
        name = str(super().get_operation_id())
        lists = self.view.action == "list"
        return f"{name.removesuffix('_retrieve')}_list" if lists and name.endswith("e") else name

    def get_description(self) -> str:
        """Of a single row what the view says of one."""
        is_row = self.view.action == "retrieve" and self.view.described is None
        return str(self.view.one if is_row else super().get_description())

    def get_tags(self) -> list[str]:
        """What the operation is about: the part of the address after the study."""
        parts = [part for part in self.path.split("/") if part and not part.startswith("{")]
        about = parts[-1] if len(parts) < 4 else parts[3]
        return ["studies" if about in OF_STUDIES else about]

    @property
    def _asked(self) -> Any:
        return self.view.operation

    def _is_list_view(self, serializer: Any = None) -> bool:
        in_pages = self.view.action == "list" and self.view.described is None
        return isinstance(serializer, ListSerializer) or in_pages

    def _get_paginator(self) -> Any:
        """Only what is read comes in pages."""
        reads = self.method == "GET"
        return super()._get_paginator() if reads else None  # type: ignore[no-untyped-call]

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        """As it is described by default, and with those."""
        operation = super().get_operation(*args, **kwargs)
        if operation is None:
            return None
        needs, writes = self._asked.needs, self.method in ("POST", "PUT")
        matches = OF_MATCHES if self._asked.matches else {}
        for status, text in (REFUSALS | (OF_WRITES if writes else {}) | matches).items():
            content = {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
            operation["responses"].setdefault(status, {"description": text, "content": content})
        operation.setdefault("parameters", []).extend(self._more_parameters())
        operation["x-scope"], operation["x-role"] = str(needs.scope), str(needs.role)
        scope = f"Scope `{needs.scope}`, role {needs.role} of the study or a higher one."
        operation["description"] = f"{operation.get('description', '')}\n\n{scope}".strip()
        return dict(operation)

    def _more_parameters(self) -> list[dict[str, Any]]:
        """Those of the operation itself, the fields of a single row, and headers of writes."""
        more = described(self._asked.parameters)
        if self.method == "GET":
            is_row = self.view.allowed_parameters == [FIELDS]
            return [*more, fields_parameter(self.view)] if is_row else more
        # Files are read each time that they are sent.
        key = [] if self.view.takes_files else [_key_parameter()]
        return [*more, *key, *([match_parameter()] if self._asked.matches else [])]


def _key_parameter() -> dict[str, Any]:
    about = "Any text that is new for each write: the same request again is done once."
    schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY, "pattern": "^[!-~]+$"}
    return parameter(HEADER, about, schema, place="header")
