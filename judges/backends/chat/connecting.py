"""Connections to an endpoint, in several small pools.

Each request has a pool look at all of its connections, and whether each idle one is still open:
with 64 of them that took a third of a call's processor time.
"""

from itertools import cycle
from urllib.request import getproxies

import httpx2
import openai

PER_POOL = 8


class Pools(httpx2.AsyncBaseTransport):
    """Requests go to the pools in turn."""

    def __init__(self, number: int) -> None:
        context = httpx2.create_ssl_context()  # made once: it reads every certificate there is
        self.pools = [httpx2.AsyncHTTPTransport(verify=context) for _ in range(number)]
        self._turn = cycle(self.pools)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        return await next(self._turn).handle_async_request(request)

    async def aclose(self) -> None:
        for pool in self.pools:
            await pool.aclose()


def http_client(in_flight: int) -> httpx2.AsyncClient | None:
    """A client for so many calls at once; None: the SDK's own, which knows of proxies."""
    if in_flight <= PER_POOL or getproxies():
        return None
    return openai.DefaultAsyncHttpx2Client(transport=Pools(-(-in_flight // PER_POOL)))
