"""Behind trusted proxies the caller is the one whom the outermost of them saw."""

import pytest
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from pytest_django import Settings

from annotation.middleware.client_address import client_address


def address(forwarded: str) -> str:
    request = RequestFactory().get("/", REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR=forwarded)

    def view(seen: HttpRequest) -> HttpResponse:
        return HttpResponse(seen.META["REMOTE_ADDR"])

    middleware = client_address(view)
    assert callable(middleware)
    answer: HttpResponse = middleware(request)
    return answer.content.decode()


@pytest.mark.parametrize(
    ("proxies", "forwarded", "caller"),
    [
        (1, "192.0.2.7", "192.0.2.7"),
        (1, "203.0.113.9, 192.0.2.7", "192.0.2.7"),  # the caller wrote the first one
        (2, "203.0.113.9, 192.0.2.7, 10.0.0.2", "192.0.2.7"),
        (1, "2001:db8::7", "2001:db8::7"),
        (2, "192.0.2.7", "10.0.0.1"),  # it did not come through both
        (1, "", "10.0.0.1"),
        (1, "<script>", "10.0.0.1"),
    ],
)
def test_only_what_trusted_proxies_append_is_believed(
    settings: Settings, proxies: int, forwarded: str, caller: str
) -> None:
    settings.TRUSTED_PROXIES = proxies
    assert address(forwarded) == caller


def test_without_a_trusted_proxy_the_header_is_not_read(settings: Settings) -> None:
    settings.TRUSTED_PROXIES = 0
    with pytest.raises(MiddlewareNotUsed):
        client_address(lambda _request: HttpResponse())
