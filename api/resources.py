"""What the viewsets of the API have in common: authorisation, fields, ETags, writes done once."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial, wraps
from http import HTTPStatus
from typing import Any, ClassVar, cast

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.exceptions import ValidationError
from rest_framework.metadata import SimpleMetadata
from rest_framework.mixins import ListModelMixin, RetrieveModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder
from rest_framework.views import APIView
from rest_framework.viewsets import GenericViewSet

from annotation.models import Study
from api.access import Needs, study_of, token_with
from api.requests.filters import FIELDS, METADATA, OF_PAGES, Filter, own_column, wanted_fields
from api.requests.json_body import escapes_nul
from api.requests.keyed_writes import body_of, once

READS = ("GET", "HEAD", "OPTIONS")
# Any: `action` of the framework gives methods attributes that no type has.
Handler = Any


@dataclass(frozen=True)
class Operation:
    """What an operation needs, and what the schema says of it.

    takes: the serializer of its body. answers: what is answered, by the status. matches: whether
    If-Match must name what the sender has seen. secrets: fields of the answer that are shown once.
    """

    needs: Needs
    answers: Mapping[Any, Any] = field(default_factory=dict)
    takes: Any = None
    parameters: Mapping[str, Filter] = field(default_factory=dict)
    matches: bool = False
    secrets: Sequence[str] = ()


def reads(needs: Needs, **described: Any) -> Callable[[Handler], Handler]:
    """A decorator for the method of a viewset that reads. described: fields of Operation."""

    def described_as(method: Handler) -> Handler:
        setattr(method, "operation", Operation(needs, **described))  # noqa: B010 (of a function)
        return method

    return described_as


def writes(needs: Needs, **described: Any) -> Callable[[Handler], Handler]:
    """The same for one that writes: once for each Idempotency-Key."""

    def written_once(method: Handler) -> Handler:
        @wraps(method)
        def write(view: Any, request: Request, **_names: Any) -> Response:
            secrets = described.get("secrets", ())
            return once(request, partial(method, view, request), secrets=secrets)

        return reads(needs, **described)(write)

    return written_once


class WhatItTakes(SimpleMetadata):
    """The answer to OPTIONS. What an address takes in a body stands in the schema alone where the
    whole viewset has no serializer."""

    def determine_actions(self, request: Request, view: APIView) -> dict[str, Any]:
        """The fields of writes, by method; none where there is no serializer."""
        if getattr(view, "serializer_class", None) is None:
            return {}
        return dict(super().determine_actions(request, view))


class Resource(GenericViewSet[Any]):
    """Any viewset of the API. needs: of what is read without more being said. takes_files: whether
    bodies are files, which are written to the disk as they arrive."""

    needs: ClassVar[Needs] = Needs()
    takes_files = False
    metadata_class = WhatItTakes

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse what no operation takes, before anything is read."""
        super().initial(request, *args, **kwargs)
        if self.action is None:
            self.http_method_not_allowed(request)
        token_with(request, self.operation.needs.scope)
        for name, values in request.query_params.lists():
            if any("\0" in value for value in (name, *values)):
                raise ValidationError({name.replace("\0", ""): "No text has a NUL character."})
            if name not in self.allowed_parameters and not self._is_own_column(name):
                allowed = ", ".join(self.allowed_parameters) or "none"
                raise ValidationError({name: f"Unknown parameter. There are: {allowed}."})
        has_body = request.method not in READS and not self.takes_files
        if has_body and escapes_nul(body_of(request)):
            raise ValidationError({"detail": "No text has a NUL character."})
        if "slug" in kwargs:
            self.study  # noqa: B018 an outsider gets 404 before the body is looked at

    def _is_own_column(self, name: str) -> bool:
        return METADATA in self.allowed_parameters and bool(own_column(name))

    @cached_property
    def study(self) -> Study:
        """The study that the address names."""
        return study_of(self.request, self.kwargs["slug"], self.operation.needs)

    @property
    def described(self) -> Operation | None:
        """What the method says of itself."""
        return getattr(getattr(self, self.action or "", None), "operation", None)

    @property
    def operation(self) -> Operation:
        """The operation that was asked for."""
        return self.described or Operation(self.needs)

    @property
    def allowed_parameters(self) -> list[str]:
        """The names of all parameters that the operation knows."""
        return list(self.operation.parameters)

    def parameter(self, name: str, *, default: Any) -> Any:
        """The value of a parameter of the operation; ValidationError where it does not fit."""
        if name not in self.request.query_params:
            return default
        return self.operation.parameters[name].value(name, self.request.query_params[name])

    def valid(self, request: Request) -> dict[str, Any]:
        """The body as the operation takes it; ValidationError names the field."""
        serializer = self.operation.takes(data=request.data)
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)

    def get_throttles(self) -> list[Any]:
        """Those of the request; asked again, the same ones."""
        return self._throttles

    @cached_property
    def _throttles(self) -> list[Any]:
        return super().get_throttles()

    def finalize_response(
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> HttpResponseBase:
        """With an ETag, and empty where the caller has the same already."""
        answered = super().finalize_response(request, response, *args, **kwargs)
        for throttle in self._throttles:
            for name, value in throttle.limits().items():
                answered.headers[name] = value
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
        return cast(HttpResponseBase, answered)


class Rows(ListModelMixin, RetrieveModelMixin, Resource):
    """A collection, page by page, and each of its rows by its number. one: what the schema says of
    a single row, as the docstring says of the collection."""

    one: ClassVar[str] = ""
    filters: ClassVar[Mapping[str, Filter]] = {}
    lookup_url_kwarg, lookup_value_converter = "id", "int"

    @property
    def allowed_parameters(self) -> list[str]:
        """Of a collection its filters and those that choose the page; fields of all rows."""
        if self.described is None and self.action == "list":
            return [*self.filters, *OF_PAGES, FIELDS]
        if self.described is None and self.action == "retrieve":
            return [FIELDS]
        return super().allowed_parameters

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        """With the fields that the request names."""
        serializer = super().get_serializer(*args, **kwargs)
        fields = getattr(serializer, "child", serializer).fields
        names = wanted_fields(self.request, list(fields))
        for name in [] if names is None else set(fields) - set(names):
            fields.pop(name)
        return serializer

    def shown(self, made: Any, *, many: bool = False, **response: Any) -> Response:
        """What was made or changed. response: status and headers."""
        return Response(self.get_serializer(made, many=many).data, **response)


def etag_of(data: Any) -> str:
    """A strong tag of what is sent."""
    text = json.dumps(data, cls=JSONEncoder, sort_keys=True)
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def _tags(header: str) -> list[str]:
    return [tag.strip().removeprefix("W/") for tag in header.split(",")]


def link_to(request: Request, path: str) -> str:
    """The whole address of a path."""
    return cast(HttpRequest, request).build_absolute_uri(path)
