"""Requests as django-htmx's middleware leaves them."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails


class HtmxRequest(HttpRequest):
    """A request that says whether htmx made it."""

    htmx: HtmxDetails


def redirect_htmx(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A decorator: a script that sends a form is told where to go, and the browser then goes
    there. Following the redirect itself, it would load the next page twice."""

    @wraps(view)
    def told(request: HtmxRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if isinstance(response, HttpResponseRedirect) and request.htmx:
            return HttpResponseClientRedirect(response.url)
        return response

    return told
