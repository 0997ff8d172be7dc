"""Whole addresses of the installation's pages, as far as it knows where it is reached."""

from django.conf import settings
from django.http import HttpRequest


def address_of(path: str, request: HttpRequest | None = None) -> str:
    """The whole address of a path: under SITE_URL, else under the host of the request; empty
    without either."""
    if settings.SITE_URL:
        return f"{settings.SITE_URL}{path}"
    return "" if request is None else request.build_absolute_uri(path)


def site() -> str:
    """Scheme and host for commands, as far as the settings tell."""
    origins = settings.CSRF_TRUSTED_ORIGINS
    return str(settings.SITE_URL or (origins[0] if origins else "http://localhost:8000"))
