"""The Content-Security-Policy header: on every page that of the settings, on some with other
sources in a directive."""

from collections.abc import Callable
from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse

HEADER = "Content-Security-Policy"
_ATTRIBUTE = "allowed_sources"


def security_policy(get_response: Callable[[HttpRequest], HttpResponse]) -> object:
    """The middleware that sends it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers[HEADER] = _policy(**getattr(response, _ATTRIBUTE, {}))
        return response

    return middleware


def allow_sources(response: HttpResponse, directive: str, sources: tuple[str, ...]) -> None:
    """Let this one page have these sources, instead of those of the settings."""
    vars(response).setdefault(_ATTRIBUTE, {})[directive] = sources


@lru_cache(maxsize=64)
def _policy(**allowed: tuple[str, ...]) -> str:
    directives = {**settings.CONTENT_SECURITY_POLICY, **allowed}
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in directives.items())
