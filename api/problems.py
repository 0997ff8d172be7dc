"""Errors as problem documents (RFC 9457): what is wrong, in one sentence, and with which field."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.signals import got_request_exception
from django.http import Http404
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.queries.outages import RETRY_AFTER_S, is_outage, outage_log
from files.errors import ImportFailure
from set_up.study_files.application import NameTaken

CONTENT_TYPE = "application/problem+json"
OUTAGE = "The database cannot be reached just now; send the request again in a few seconds."
FAULT = "Something went wrong on the server. It has been logged; the request may be sent again."
log = logging.getLogger("django.request")
# The pointer of what is wrong with the body as a whole.
WHOLE = ("non_field_errors", "detail", "record")


class Problem(exceptions.APIException):
    """An error with a status, a sentence and perhaps the field that it is about."""

    def __init__(self, status: HTTPStatus, detail: str, *, field: str = "") -> None:
        super().__init__(detail)
        self.status_code, self.field = status, field


@contextmanager
def conflicts(*kinds: type[Exception], field: str = "", said: str = "") -> Iterator[None]:
    """Answer 409 where a verb refuses by one of these exceptions, in its words or in these."""
    try:
        yield
    except kinds as refusal:
        raise Problem(HTTPStatus.CONFLICT, said or str(refusal), field=field) from refusal


def as_problem(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """The answer to an error of a view. Those that nobody expected are logged as Django does."""
    if isinstance(error, ImportFailure):
        taken = isinstance(error, NameTaken)
        status = HTTPStatus.CONFLICT if taken else HTTPStatus.UNPROCESSABLE_ENTITY
        error = Problem(status, error.reason, field=error.field)
    elif isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied(str(error) or None)
    if is_outage(error):
        return _outage(error)
    if not isinstance(error, exceptions.APIException):
        return None if settings.DEBUG else _fault(error, context["request"])
    return problem_response(error)


def _fault(error: Exception, request: Request) -> Response:
    got_request_exception.send(sender=None, request=request)
    log.error("Internal Server Error: %s", request.path, exc_info=error, extra={"request": request})
    return problem_response(Problem(HTTPStatus.INTERNAL_SERVER_ERROR, FAULT))


def _outage(error: Exception) -> Response:
    outage_log.write(error)
    response = problem_response(Problem(HTTPStatus.SERVICE_UNAVAILABLE, OUTAGE))
    response["Retry-After"] = str(RETRY_AFTER_S)
    response._has_been_logged = True  # else Django writes a line, too
    return response


def problem_response(error: exceptions.APIException) -> Response:
    """The problem document of an error."""
    status, problems = _status(error), list(_problems(error))
    single = len(problems) == 1
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": problems[0]["detail"] if single else "Several fields are wrong.",
    }
    if status == HTTPStatus.UNPROCESSABLE_ENTITY or any(problem["field"] for problem in problems):
        body["errors"] = problems
    response = Response(body, status=status, content_type=CONTENT_TYPE)
    if isinstance(error, exceptions.Throttled) and error.wait is not None:
        response["Retry-After"] = str(int(error.wait) + 1)
    if getattr(error, "auth_header", None):
        response["WWW-Authenticate"] = error.auth_header
    return response


def _status(error: exceptions.APIException) -> int:
    """A body that could be read and does not fit is 422; what DRF calls 400 is both."""
    if isinstance(error, exceptions.ValidationError):
        return HTTPStatus.UNPROCESSABLE_ENTITY
    return int(error.status_code)


def _problems(error: exceptions.APIException) -> Iterator[dict[str, str]]:
    if isinstance(error, Problem):
        yield {"field": error.field, "detail": str(error.detail)}
        return
    yield from _of_detail(error.detail, "")


def _of_detail(detail: Any, field: str) -> Iterator[dict[str, str]]:
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            inside = field if name in WHOLE else f"{field}.{name}".lstrip(".")
            yield from _of_detail(inner, inside)
    elif isinstance(detail, Sequence) and not isinstance(detail, str):
        for inner in detail:
            yield from _of_detail(inner, field)
    else:
        yield {"field": field, "detail": str(detail)}
