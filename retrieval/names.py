"""Look names up, and tell a name that does not exist from a network that knows no names."""

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress

from retrieval.addresses import is_public

# Host and port to IP addresses, as text.
Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
_NO_SUCH_NAME = (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME))
# How long it counts that other names could be looked up, or could not.
_COUNTS_SECONDS, _PROBE_SECONDS = 60.0, 3.0


class NoSuchName(Exception):
    """The host name does not exist."""


class NoNetwork(Exception):
    """The fault is on this side, so that nothing is learnt about the link; the message says why."""


async def system_resolver(host: str, port: int) -> Sequence[str]:
    """The addresses that this machine's resolver gives."""
    loop = asyncio.get_running_loop()
    infos = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in infos]


class NameLookup:
    """Looks up names of the public internet.

    A resolver that cannot ask anybody may answer that a name does not exist. So a name counts as
    missing only while other names lead to public addresses: one that was looked up in the last
    minute, or one of the probe names.
    """

    def __init__(self, resolver: Resolver, probe_names: Collection[str] = ()) -> None:
        self.resolver, self.probe_names = resolver, tuple(probe_names)
        # When other names were last looked up, and whether one led to a public address.
        self._others = (float("-inf"), False)

    async def addresses(self, host: str, port: int) -> Sequence[str]:
        """The addresses of a name; NoSuchName where it has none, NoNetwork where that is open."""
        try:
            addresses = await self.resolver(host, port)
        except UnicodeError as error:  # a label that is empty or too long
            raise NoSuchName(host) from error
        except socket.gaierror as error:
            if error.errno not in _NO_SUCH_NAME:
                raise NoNetwork(f"the name {host} cannot be looked up now") from error
            addresses = ()
        if not addresses:
            if await self.others_exist(port):
                raise NoSuchName(host)
            raise NoNetwork("no name of the internet can be looked up from here")
        if any(map(is_public, addresses)):
            self._others = (time.monotonic(), True)
        return addresses

    async def others_exist(self, port: int) -> bool:
        """Whether other names lead to public addresses."""
        when, exist = self._others
        if time.monotonic() - when > _COUNTS_SECONDS:
            probes = [self._is_found(name, port) for name in self.probe_names]
            exist = any(await asyncio.gather(*probes))
            self._others = (time.monotonic(), exist)
        return exist

    async def _is_found(self, name: str, port: int) -> bool:
        with suppress(OSError, UnicodeError):
            async with asyncio.timeout(_PROBE_SECONDS):
                return any(map(is_public, await self.resolver(name, port)))
        return False
