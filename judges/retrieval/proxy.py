"""Reach the web through an HTTP proxy, by tunnels to addresses that were checked before."""

import base64
import re
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import unquote, urlsplit

import httpcore2

from judges.retrieval.names import NoNetwork

_CONNECT_SECONDS = 5.0
_LONGEST_ANSWER = 16_384
_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})\b")


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
        try:
            stream = await network.connect_tcp(self.host, self.port, timeout=_CONNECT_SECONDS)
        except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
            raise NoNetwork("the proxy cannot be reached") from error
        try:
            await stream.write(self._request(host, port))
            status = await _answered(stream)
        except httpcore2.NetworkError as error:
            await stream.aclose()
            raise NoNetwork("the proxy broke off") from error
        except BaseException:
            await stream.aclose()
            raise
        if not 200 <= status < 300:
            await stream.aclose()
            raise NoNetwork(f"the proxy answered {status}")
        return stream

    def _request(self, host: str, port: int) -> bytes:
        target = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        lines = [f"CONNECT {target} HTTP/1.1", f"Host: {target}"]
        if self.credentials:
            token = base64.b64encode(self.credentials.encode()).decode()
            lines.append(f"Proxy-Authorization: Basic {token}")
        return "\r\n".join([*lines, "", ""]).encode("ascii")


async def _answered(stream: httpcore2.AsyncNetworkStream) -> int:
    """The status of the proxy's answer."""
    answer = b""
    while b"\r\n\r\n" not in answer:
        chunk = await stream.read(_LONGEST_ANSWER)
        answer += chunk
        if not chunk or len(answer) > _LONGEST_ANSWER:
            raise NoNetwork("the proxy does not speak HTTP")
    status = _STATUS.match(answer)
    if status is None:
        raise NoNetwork("the proxy does not speak HTTP")
    return int(status[1])
