"""Pages of a collection by cursor: what is added meanwhile moves no row to another page."""

from typing import Any

from rest_framework.exceptions import ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response

from api.requests.filters import parameter

PAGE, LARGEST = 100, 1000


class ByCursor(CursorPagination):
    """`?limit=` rows from `?cursor=`, in the order in which they were made."""

    page_size = PAGE
    page_size_query_param = "limit"
    max_page_size = LARGEST
    ordering = "pk"
    page_size_query_description = f"Rows of a page, at most {LARGEST}; {PAGE} without it."
    cursor_query_description = "Where the page begins: as in `next` of the page before it."

    def get_page_size(self, request: Request) -> int:
        """The number that `limit` says; ValidationError where that is none."""
        text = request.query_params.get(self.page_size_query_param, str(PAGE))
        if not (text.isascii() and text.isdecimal() and len(text) < 6 and 0 < int(text) <= LARGEST):
            raise ValidationError({"limit": f"A whole number from 1 to {LARGEST}."})
        return int(text)

    def get_paginated_response(self, data: Any) -> Response:
        """The rows with the addresses of the neighbouring pages."""
        links = {"next": self.get_next_link(), "previous": self.get_previous_link()}
        return Response({**links, "results": data})

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """The same in the schema."""
        size = {"type": "integer", "minimum": 1, "maximum": LARGEST, "default": PAGE}
        place = {"type": "string", "maxLength": 200, "pattern": "^[A-Za-z0-9+/=]*$"}
        return [
            parameter("cursor", self.cursor_query_description, place),
            parameter("limit", self.page_size_query_description, size),
        ]

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """A page of such rows."""
        link = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "required": ["next", "previous", "results"],
            "properties": {
                "next": link,
                "previous": link,
                "results": schema,
            },
        }
