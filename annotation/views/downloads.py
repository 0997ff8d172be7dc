"""Answers that a browser keeps as a file."""

from typing import TypeVar

from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header

R = TypeVar("R", bound=HttpResponseBase)


def as_download(response: R, name: str) -> R:
    """The response, to be kept under that name."""
    disposition = content_disposition_header(as_attachment=True, filename=name)
    response.headers["Content-Disposition"] = disposition or "attachment"
    return response
