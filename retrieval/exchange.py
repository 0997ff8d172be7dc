"""One HTTP request and its answer, for everything that asks another server."""

import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import httpcore2
import httpx2

from retrieval.connections import GuardedNetwork, LinkRefused
from retrieval.names import NoNetwork, NoSuchName

# Errors without an answer that another try may get.
NO_CONNECTION = (
    NoNetwork,
    NoSuchName,
    OSError,
    httpcore2.NetworkError,
    httpcore2.TimeoutException,
)
_LONGEST_URL = 4000


@asynccontextmanager
async def answered(
    network: GuardedNetwork,
    method: str,
    address: httpx2.URL,
    *,
    headers: Mapping[str, str],
    content: bytes | None = None,
    silence: float | None = None,
    ssl_context: ssl.SSLContext | None = None,
) -> AsyncIterator[httpx2.Response]:
    """The answer to one request, its body unread. Redirects are the caller's to follow.

    `httpx2.AsyncClient` is not used: it stores cookies and reads the bodies of redirects whole.
    silence: seconds that the server may take to begin, or to go on.
    """
    target = httpcore2.URL(
        scheme=address.raw_scheme, host=address.raw_host, port=address.port, target=address.raw_path
    )
    request = httpx2.Request(method, address, headers=headers, content=content)
    timeout = dict.fromkeys(("connect", "read", "write", "pool"), silence)
    async with (
        httpcore2.AsyncConnectionPool(ssl_context=ssl_context, network_backend=network) as pool,
        pool.stream(
            method,
            target,
            headers=request.headers.raw,
            content=content,
            extensions={"timeout": timeout},
        ) as answer,
    ):
        body = answer.aiter_stream()
        yield httpx2.Response(answer.status, headers=answer.headers, content=body)


def web_address(url: str) -> httpx2.URL:
    """The address as it will be requested; Refused unless it is an ordinary one of the web."""
    if len(url) > _LONGEST_URL:
        raise LinkRefused("the address is too long")
    try:
        address = httpx2.URL(url)
    except (httpx2.InvalidURL, ValueError) as error:
        raise LinkRefused("not an address of the web") from error
    if address.scheme not in ("http", "https") or not address.host:
        raise LinkRefused("not an address of the web")
    if address.userinfo:
        raise LinkRefused("the address holds credentials")
    return address.copy_with(fragment=None)


def redirect_target(address: httpx2.URL, response: httpx2.Response) -> str:
    """Where an answer redirects to; empty if nowhere."""
    location = dict(response.headers.multi_items()).get("location", "")
    return joined(address, location) if response.has_redirect_location and location else ""


def joined(address: httpx2.URL, location: str) -> str:
    """An address that a page of another names."""
    try:
        return str(address.join(location))
    except (httpx2.InvalidURL, ValueError) as error:
        raise LinkRefused("redirects to an address that is not on the web") from error
