"""The caller's address behind proxies, for whatever counts requests or lists sessions by it."""

from collections.abc import Callable
from ipaddress import ip_address

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse


def client_address(get_response: Callable[[HttpRequest], HttpResponse]) -> object:
    """The middleware. Each trusted proxy appends whom it was called by, so the caller of the
    outermost one stands that many places from the end; anybody can write what stands before."""
    proxies = settings.TRUSTED_PROXIES
    if not proxies:
        raise MiddlewareNotUsed

    def middleware(request: HttpRequest) -> HttpResponse:
        named = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
        if len(named) >= proxies and (address := _address(named[-proxies].strip())):
            request.META["REMOTE_ADDR"] = address
        return get_response(request)

    return middleware


def _address(text: str) -> str:
    try:
        return str(ip_address(text))
    except ValueError:
        return ""
