"""Reach the web through an HTTP proxy, by tunnels to addresses that were checked before."""

import base64
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import unquote, urlsplit

import httpcore2
from django.conf import settings

from retrieval.names import NoNetwork

_CONNECT_SECONDS = 5.0


@dataclass(frozen=True)
class Proxy:
    """An HTTP proxy that opens tunnels (CONNECT).

    resolves: whether names that cannot be looked up here are handed to the proxy, which then has
    to refuse those of private addresses itself.
    """

    host: str
    port: int
    credentials: str = field(default="", repr=False)
    resolves: bool = False

    @classmethod
    def from_url(cls, url: str, *, resolves: bool = False) -> Self:
        """The proxy at `http://[user:password@]host:port`; ValueError for any other text."""
        parts = urlsplit(url)
        if parts.scheme != "http" or not parts.hostname or parts.path.strip("/"):
            raise ValueError("must be http://[user:password@]host:port")
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        credentials = f"{user}:{password}" if parts.username else ""
        return cls(parts.hostname, parts.port or 3128, credentials, resolves)

    async def tunnel(
        self, network: httpcore2.AsyncNetworkBackend, host: str, port: int
    ) -> httpcore2.AsyncNetworkStream:
        """A connection to the host through the proxy; NoNetwork where the proxy refuses.

        For http, too: what a proxy answers by itself is then never taken for the page's answer.
        """
        request = self._request(host, port)
        connection = httpcore2.AsyncHTTPConnection(request.url.origin, network_backend=network)
        try:
            answer = await connection.handle_async_request(request)
        except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
            raise NoNetwork("the proxy cannot be reached") from error
        except httpcore2.NetworkError as error:
            raise NoNetwork("the proxy broke off") from error
        except httpcore2.RemoteProtocolError as error:
            raise NoNetwork("the proxy does not speak HTTP") from error
        if not 200 <= answer.status < 300:
            await connection.aclose()
            raise NoNetwork(f"the proxy answered {answer.status}")
        stream: httpcore2.AsyncNetworkStream = answer.extensions["network_stream"]
        return stream

    def _request(self, host: str, port: int) -> httpcore2.Request:
        target = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        headers = [("Host", target)]
        if self.credentials:
            token = base64.b64encode(self.credentials.encode()).decode()
            headers.append(("Proxy-Authorization", f"Basic {token}"))
        return httpcore2.Request(
            "CONNECT",
            httpcore2.URL(scheme="http", host=self.host, port=self.port, target=target),
            headers=headers,
            extensions={"timeout": {"connect": _CONNECT_SECONDS}},
        )


def configured_proxy() -> Proxy | None:
    """The proxy of the settings, where they name one."""
    if not settings.PAGES_PROXY:
        return None
    return Proxy.from_url(settings.PAGES_PROXY, resolves=settings.PAGES_PROXY_RESOLVES)
