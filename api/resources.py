"""What the views of the API have in common: authorisation, pages, filters, fields and ETags."""

import hashlib
import json
from collections.abc import Mapping
from functools import cached_property, partial
from http import HTTPStatus
from typing import Any, ClassVar, cast

from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from rest_framework.exceptions import ValidationError
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder
from rest_framework.views import APIView

from annotation.models import Study
from api.access import Needs, study_of, token_with
from api.filters import FIELDS, OF_PAGES, Filter, wanted_fields
from api.json_body import escapes_nul
from api.keyed_writes import body_of, once

READS = ("GET", "HEAD", "OPTIONS")


class Resource(APIView):
    """Any view of the API. needs: by method."""

    needs: ClassVar[Mapping[str, Needs]] = {"GET": Needs()}
    # What the schema says: the serializer of a write's body, and what is answered, by the method
    # and the status.
    takes: ClassVar[Any] = None
    answers: ClassVar[Mapping[str, Mapping[Any, Any]]] = {}
    # Parameters by the method, beside the filters of collections.
    parameters: ClassVar[Mapping[str, Mapping[str, Filter]]] = {}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse what no operation takes, before anything is read."""
        super().initial(request, *args, **kwargs)
        takes_it = self.verb in self.needs and hasattr(self, self.verb.lower())
        if not takes_it and self.verb != "OPTIONS":
            self.http_method_not_allowed(request)
        token_with(request, self.needed.scope)
        for name, values in request.query_params.lists():
            if any("\0" in value for value in (name, *values)):
                raise ValidationError({name.replace("\0", ""): "No text has a NUL character."})
            if name not in self.allowed_parameters:
                allowed = ", ".join(self.allowed_parameters) or "none"
                raise ValidationError({name: f"Unknown parameter. There are: {allowed}."})
        if request.method not in READS and escapes_nul(body_of(request)):
            raise ValidationError({"detail": "No text has a NUL character."})

    @property
    def verb(self) -> str:
        """The method; one that asks for the head alone is a GET."""
        method = str(self.request.method)
        return "GET" if method == "HEAD" else method

    @property
    def needed(self) -> Needs:
        """What the operation needs."""
        return self.needs.get(self.verb, Needs())

    @property
    def allowed_parameters(self) -> list[str]:
        """The names of all parameters that the operation knows."""
        return list(self.parameters.get(self.verb, {}))

    def parameter(self, name: str, *, default: Any) -> Any:
        """The value of a parameter of the operation; ValidationError where it does not fit."""
        if name not in self.request.query_params:
            return default
        return self.parameters[self.verb][name].value(name, self.request.query_params[name])

    def finalize_response(
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> HttpResponseBase:
        """With an ETag, and empty where the caller has the same already."""
        answered = super().finalize_response(request, response, *args, **kwargs)
        if (
            request.method == "GET"
            and isinstance(response, Response)
            and response.status_code < 300
        ):
            tag = response.headers.get("ETag") or etag_of(response.data)
            response["ETag"] = tag
            response["Cache-Control"] = "private, no-cache"
            if tag in _tags(request.headers.get("If-None-Match", "")):
                response.status_code, response.data = HTTPStatus.NOT_MODIFIED, None
        return answered


class StudyResource(Resource):
    """A view about one study."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.study  # noqa: B018 an outsider gets 404 before the body is looked at

    @cached_property
    def study(self) -> Study:
        """The study that the address names."""
        return study_of(self.request, self.kwargs["slug"], self.needed)


class Rows(Resource, GenericAPIView):
    """What lists and single rows share: which rows, and which of their fields."""

    filters: ClassVar[Mapping[str, Filter]] = {}

    def rows(self) -> QuerySet[Any]:
        """All rows that the caller may see."""
        raise NotImplementedError

    @property
    def allowed_parameters(self) -> list[str]:
        """Of a collection also its filters and those that choose the page; fields of all rows."""
        known = super().allowed_parameters
        if self.verb != "GET":
            return known
        of_list = [*self.filters, *OF_PAGES] if getattr(self, "pages", False) else []
        return [*known, *of_list, FIELDS]

    def get_queryset(self) -> QuerySet[Any]:
        return self.rows()

    def shown(self, rows: Any, *, many: bool) -> Any:
        """The rows as they are sent, with the fields that the request names."""
        kind = cast(Any, self.serializer_class)
        serializer = kind(rows, many=many, context={"request": self.request})
        fields = (serializer.child if many else serializer).fields
        names = wanted_fields(self.request, list(fields))
        for name in [] if names is None else set(fields) - set(names):
            fields.pop(name)
        return serializer.data


class StudyRows(StudyResource, Rows):
    """Rows of one study."""


class ListMixin(Rows):
    """A collection, page by page."""

    pages = True

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset()))
        return self.get_paginated_response(self.shown(page, many=True))


class OneMixin(Rows):
    """One row, by its number."""

    pages = False

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        row = get_object_or_404(self.get_queryset(), pk=self.kwargs["id"])
        return Response(self.shown(row, many=False))


class Writing(Resource):
    """A view that writes by `write`.

    matches: whether If-Match must name what the sender has seen.
    """

    matches: ClassVar[bool] = False

    def once(self, request: Request) -> Response:
        """Write, once for each Idempotency-Key."""
        return once(request, partial(self.write, request))

    def write(self, request: Request) -> Response:
        """Do it, and say what came of it."""
        raise NotImplementedError

    def valid(self, request: Request, kind: Any) -> dict[str, Any]:
        """The body as a serializer reads it; ValidationError names the field."""
        serializer = kind(data=request.data)
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)


class WriteMixin(Writing):
    """A view that writes what is posted to it."""

    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.once(request)


def etag_of(data: Any) -> str:
    """A strong tag of what is sent."""
    text = json.dumps(data, cls=JSONEncoder, sort_keys=True)
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def _tags(header: str) -> list[str]:
    return [tag.strip().removeprefix("W/") for tag in header.split(",")]


def link_to(request: Request, path: str) -> str:
    """The whole address of a path."""
    return cast(HttpRequest, request).build_absolute_uri(path)
