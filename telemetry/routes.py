"""What a request is called where it is counted, logged or traced: its route, never its address."""

from typing import Any

from django.conf import settings

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def route_of(request: Any) -> str:
    """The name of the route, as `annotation:question`. An address that no page has is `none`."""
    match = getattr(request, "resolver_match", None)
    if match is not None:
        return str(match.view_name or match.route)
    is_file = request.path.startswith(settings.STATIC_URL) if settings.configured else False
    return "static" if is_file else "none"


def method_of(request: Any) -> str:
    """The method, where it is one of HTTP's usual ones: anybody can invent others."""
    return request.method if request.method in METHODS else "other"
