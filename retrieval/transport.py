"""A client of httpx that connects through the guarded network."""

import ssl
from functools import cache

import httpcore2
import httpx2

from retrieval.connections import GuardedNetwork, LinkRefused
from retrieval.names import NoNetwork, NoSuchName


class GuardedTransport(httpx2.AsyncHTTPTransport):
    """What `httpx2.AsyncClient` sends its requests by. No variable of the environment, such as
    HTTP_PROXY, leads around the network."""

    def __init__(self, network: GuardedNetwork, limits: httpx2.Limits) -> None:
        super().__init__(verify=_certificates(), trust_env=False, limits=limits)
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=_certificates(),
            max_connections=limits.max_connections,
            max_keepalive_connections=limits.max_keepalive_connections,
            keepalive_expiry=limits.keepalive_expiry,
            network_backend=network,
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        try:
            return await super().handle_async_request(request)
        except (LinkRefused, NoNetwork, NoSuchName) as error:
            raise httpx2.ConnectError(str(error), request=request) from error


@cache
def _certificates() -> ssl.SSLContext:
    """Whose certificates are trusted. To read them takes some 17 ms: they are read once."""
    return httpx2.create_ssl_context(trust_env=False)
