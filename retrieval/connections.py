"""Connect to public addresses only: each name is resolved once, checked, and not resolved again."""

import asyncio
import re
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from ipaddress import ip_address

import httpcore2

from retrieval.addresses import is_of_own_network, is_public
from retrieval.names import NameLookup, NoNetwork, NoSuchName, Resolver, system_resolver
from retrieval.proxy import Proxy

USUAL_PORTS = frozenset({80, 443})
# How many addresses of a name are tried, and how long each: IPv6, say, may not work from here.
_TRIES, _CONNECT_SECONDS = 3, 5.0
# How long a name is looked up before it is handed to a proxy that looks up names.
_LOOKUP_SECONDS = 2.0
_REACH_SECONDS = 4.0
_HOST_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)+\.?", re.IGNORECASE)
# Last parts of names that mean something else in every network, and of addresses in figures
# (`127.1`, `0x7f.0.0.1`), which some resolvers read.
_LOCAL_ENDING = re.compile(
    r"\.(localhost|local|localdomain|internal|intranet|private|corp|home|lan|arpa|onion"
    r"|[0-9]+|0x[0-9a-f]*)\.?$",
    re.IGNORECASE,
)


class LinkRefused(Exception):
    """The link does not lead to the public web; the message says which rule it breaks."""


class GuardedNetwork(httpcore2.AsyncNetworkBackend):
    """A network backend for an HTTP client that connects only to addresses it has checked.

    The client passes the host name. It is resolved once, every address is checked, and the
    connection goes to one of these addresses, so that a name that resolves differently the next
    time (DNS rebinding) is harmless. TLS still verifies the name. Redirects are new connections
    and pass the same checks. A proxy gets the checked address, too, never the name, unless it is
    set to resolve names.

    allowed: pairs of address and port that need not be public, as the operator sets them; no
    parameter of a judge reaches it. own_network: whether private addresses are reached, too; never
    those of metadata. probe_names: see `NameLookup`.
    """

    def __init__(
        self,
        *,
        resolver: Resolver = system_resolver,
        probe_names: Collection[str] = (),
        ports: Collection[int] = USUAL_PORTS,
        allowed: Collection[tuple[str, int]] = (),
        own_network: bool = False,
        proxy: Proxy | None = None,
    ) -> None:
        self.lookup, self.proxy = NameLookup(resolver, probe_names), proxy
        self.ports, self.allowed, self.own_network = ports, allowed, own_network
        self.network: httpcore2.AsyncNetworkBackend = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        *first, last = (await self._targets(host, port))[:_TRIES]
        for target in first:
            with suppress(httpcore2.ConnectError, httpcore2.ConnectTimeout, NoNetwork):
                return await self._connected(target, port)
        return await self._connected(last, port)

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        raise LinkRefused("a socket of this machine")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def reaches_outside(self) -> bool:
        """Whether one of the probe names can be connected to; True where there are none. For
        `asyncio.run`, which ends the other tries."""
        names = self.lookup.probe_names
        tries = [asyncio.ensure_future(self._reaches(name)) for name in names]
        with suppress(TimeoutError):
            for reached in asyncio.as_completed(tries, timeout=_REACH_SECONDS):
                if await reached:
                    return True
        return not names

    async def _reaches(self, name: str) -> bool:
        port = 443 if 443 in self.ports else min(self.ports)
        try:
            stream = await self.connect_tcp(name, port)
        except (
            LinkRefused,
            NoSuchName,
            NoNetwork,
            httpcore2.NetworkError,
            httpcore2.ConnectTimeout,
        ):
            return False
        await stream.aclose()
        return True

    async def _connected(self, target: str, port: int) -> httpcore2.AsyncNetworkStream:
        if self.proxy is not None:
            return await self.proxy.tunnel(self.network, target, port)
        return await self.network.connect_tcp(target, port, timeout=_CONNECT_SECONDS)

    async def _targets(self, host: str, port: int) -> Sequence[str]:
        """Where the connection may go: the checked addresses, or a name that the proxy resolves."""
        if self.proxy is None or not self.proxy.resolves or _is_address(host):
            return await self._checked(host, port)
        self._check_port(port)
        if not _HOST_NAME.fullmatch(host) or _LOCAL_ENDING.search(host):
            raise LinkRefused(f"{host} is no name of the public internet")
        # What is private often has a name here: that is refused, whatever the proxy does.
        with suppress(NoNetwork, TimeoutError):
            async with asyncio.timeout(_LOOKUP_SECONDS):
                await self._checked(host, port)
        return [host]

    async def _checked(self, host: str, port: int) -> list[str]:
        """The addresses of a host, all of them public; Refused where a single one is not."""
        self._check_port(port)
        if _is_address(host):
            addresses = [str(ip_address(host))]
        else:
            addresses = list(dict.fromkeys(await self.lookup.addresses(host, port)))
        for address in addresses:
            if (address, port) in self.allowed:
                continue
            is_own = self.own_network and is_of_own_network(address)
            if not (is_public(address) or is_own) or port not in self.ports:
                raise LinkRefused(f"{host} is not on the public internet")
        return addresses

    def _check_port(self, port: int) -> None:
        if port not in self.ports and port not in {allowed for _, allowed in self.allowed}:
            raise LinkRefused(f"port {port} is not one of the web's")


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
