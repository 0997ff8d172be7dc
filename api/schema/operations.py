"""How operations are described in the schema of the API (OpenAPI 3.1)."""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from rest_framework.serializers import ListSerializer

from api.conditions import match_parameter
from api.filters import described, fields_parameter
from api.keyed_writes import HEADER, LONGEST_KEY
from api.problems import CONTENT_TYPE

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
OF_STUDIES = ("open", "close", "pause", "resume", "file")


class Described(AutoSchema):
    """An operation with its refusals, its scope, and the header that makes a write happen once."""

    def get_request_serializer(self) -> Any:
        """What a write takes: `takes` of the view."""
        return getattr(self.view, "takes", None)

    def get_response_serializers(self) -> Any:
        """What a write answers: `answers` of the view, by status; else the rows of the view."""
        answers = getattr(self.view, "answers", {}).get(self.method)
        return answers or super().get_response_serializers()

    def get_operation_id(self) -> str:
        """Collections without pages are collections all the same."""
        name = str(super().get_operation_id())
        lists = getattr(self.view, "lists", False) and self.method == "GET"
        return f"{name.removesuffix('_retrieve')}_list" if lists else name

    def get_tags(self) -> list[str]:
        """What the operation is about: the part of the address after the study."""
        parts = [part for part in self.path.split("/") if part and not part.startswith("{")]
        about = parts[-1] if len(parts) < 4 else parts[3]
        return ["studies" if about in OF_STUDIES else about]

    def _is_list_view(self, serializer: Any = None) -> bool:
        if isinstance(serializer, ListSerializer):
            return True
        return self.method == "GET" and bool(getattr(self.view, "pages", False))

    def _get_paginator(self) -> Any:
        """Only what is read comes in pages."""
        reads = self.method == "GET"
        return super()._get_paginator() if reads else None  # type: ignore[no-untyped-call]

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        """As it is described by default, and with those."""
        operation = super().get_operation(*args, **kwargs)
        needs = getattr(self.view, "needs", {}).get(self.method)
        if operation is None or needs is None:
            return operation
        writes = self.method in ("POST", "PUT")
        matches = writes and self.view.matches
        refusals = REFUSALS | (OF_WRITES if writes else {}) | (OF_MATCHES if matches else {})
        for status, text in refusals.items():
            content = {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
            operation["responses"].setdefault(status, {"description": text, "content": content})
        operation.setdefault("parameters", []).extend(self._more_parameters())
        operation["x-scope"], operation["x-role"] = str(needs.scope), str(needs.role)
        scope = f"Scope `{needs.scope}`, role {needs.role} of the study or a higher one."
        operation["description"] = f"{operation.get('description', '')}\n\n{scope}".strip()
        return dict(operation)

    def _more_parameters(self) -> list[dict[str, Any]]:
        """Those of the operation itself, the fields of a single row, and headers of writes."""
        view: Any = self.view
        more = described(view.parameters.get(self.method, {}))
        if self.method == "GET":
            return (
                [*more, fields_parameter(view)] if getattr(view, "pages", None) is False else more
            )
        return [*more, _key_parameter(), *([match_parameter()] if view.matches else [])]


def _key_parameter() -> dict[str, Any]:
    about = "Any text that is new for each write: the same request again is done once."
    schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY, "pattern": "^[!-~]+$"}
    return {"name": HEADER, "in": "header", "description": about, "schema": schema}
