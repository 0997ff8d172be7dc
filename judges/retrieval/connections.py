"""Connect to public addresses only: each name is resolved once, checked, and not resolved again."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import suppress
from ipaddress import ip_address

import httpcore2

from judges.retrieval.addresses import is_public

# Host and port to IP addresses, as text.
Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
USUAL_PORTS = frozenset({80, 443})
# How many addresses of a name are tried, and how long each: IPv6, say, may not work from here.
_TRIES, _CONNECT_SECONDS = 3, 5.0
_NO_SUCH_NAME = (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME))


class Refused(Exception):
    """The link does not lead to the public web; the message says which rule it breaks."""


class NoSuchName(Exception):
    """The host name does not exist."""


async def system_resolver(host: str, port: int) -> Sequence[str]:
    """The addresses that this machine's resolver gives."""
    loop = asyncio.get_running_loop()
    infos = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in infos]


class GuardedNetwork(httpcore2.AsyncNetworkBackend):
    """A network backend for an HTTP client that connects only to addresses it has checked.

    The client passes the host name. It is resolved once, every address is checked, and the
    connection goes to one of these addresses, so that a name that resolves differently the next
    time (DNS rebinding) is harmless. TLS still verifies the name. Redirects are new connections
    and pass the same checks.

    allowed: pairs of address and port that need not be public. Only tests set it: no setting and
    no parameter of a judge reaches it.
    """

    def __init__(
        self,
        *,
        resolver: Resolver = system_resolver,
        ports: Collection[int] = USUAL_PORTS,
        allowed: Collection[tuple[str, int]] = (),
    ) -> None:
        self.resolver, self.ports, self.allowed = resolver, ports, allowed
        self.network: httpcore2.AsyncNetworkBackend = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        *first, last = (await self._checked(host, port))[:_TRIES]
        for address in first:
            with suppress(httpcore2.ConnectError, httpcore2.ConnectTimeout):
                return await self.network.connect_tcp(address, port, timeout=_CONNECT_SECONDS)
        return await self.network.connect_tcp(last, port, timeout=_CONNECT_SECONDS)

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        raise Refused("a socket of this machine")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def _checked(self, host: str, port: int) -> list[str]:
        """The addresses of a host, all of them public; Refused where a single one is not."""
        if port not in self.ports and port not in {allowed for _, allowed in self.allowed}:
            raise Refused(f"port {port} is not one of the web's")
        addresses = list(dict.fromkeys(await self._resolved(host, port)))
        if not addresses:
            raise NoSuchName(host)
        for address in addresses:
            if (address, port) in self.allowed:
                continue
            if not is_public(address) or port not in self.ports:
                raise Refused(f"{host} is not on the public internet")
        return addresses

    async def _resolved(self, host: str, port: int) -> Sequence[str]:
        with suppress(ValueError):
            return [str(ip_address(host))]
        try:
            return await self.resolver(host, port)
        except UnicodeError as error:  # a label that is empty or too long
            raise NoSuchName(host) from error
        except socket.gaierror as error:
            if error.errno in _NO_SUCH_NAME:
                raise NoSuchName(host) from error
            raise
