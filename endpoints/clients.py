"""How the openai SDK's clients reach an endpoint: its address, query, key and headers."""

from typing import Any

import aiohttp
import httpx2
import openai

from endpoints.endpoint import Endpoint, Secrets
from retrieval.transport import GuardedTransport

# What a connection that was made breaks with.
_DROPPED = (
    aiohttp.ServerDisconnectedError,
    aiohttp.ClientOSError,
    httpx2.RemoteProtocolError,
    httpx2.ReadError,
    httpx2.WriteError,
)


def live_client(endpoint: Endpoint, secrets: Secrets) -> openai.AsyncOpenAI:
    """A client for single calls. It does not retry."""

    async def hook(request: httpx2.Request) -> None:
        _remove_key(request)

    hooks = {"request": [hook] if _is_keyless(secrets) else []}
    # A redirect would take secret headers to another host.
    follows = not secrets.headers
    network = endpoint.network
    http_client = (
        openai.DefaultAioHttpClient(follow_redirects=follows, event_hooks=hooks)
        if network is None  # half the CPU time of the default
        else openai.DefaultAsyncHttpxClient(
            transport=GuardedTransport(network, openai.DEFAULT_CONNECTION_LIMITS),
            follow_redirects=False,
            trust_env=False,
            event_hooks=hooks,
        )
    )
    return openai.AsyncOpenAI(**_options(endpoint, secrets), http_client=http_client)


def batch_client(endpoint: Endpoint, secrets: Secrets) -> openai.OpenAI:
    """A client for the Batch API. It does not retry."""
    http_client = openai.DefaultHttpxClient(
        follow_redirects=not secrets.headers,
        event_hooks={"request": [_remove_key] if _is_keyless(secrets) else []},
    )
    return openai.OpenAI(**_options(endpoint, secrets), http_client=http_client)


def _options(endpoint: Endpoint, secrets: Secrets) -> dict[str, Any]:
    return {
        "base_url": endpoint.shown_url,
        "default_query": endpoint.query,
        "default_headers": {**endpoint.headers, **secrets.headers},
        "api_key": secrets.key or "none",  # removed again by `_remove_key`
        "timeout": endpoint.timeout_seconds,
        "max_retries": 0,
    }


def _is_keyless(secrets: Secrets) -> bool:
    return not secrets.key and "authorization" not in {name.lower() for name in secrets.headers}


def _remove_key(request: httpx2.Request) -> None:
    """Remove the key of a client that needs one even where the endpoint does not: a gateway may
    pass it on."""
    request.headers.pop("Authorization", None)


def was_dropped(error: BaseException | None) -> bool:
    """Whether a connection was made and then broke: a fault of this call, not of the endpoint. The
    SDK's aiohttp client calls that a timeout, too."""
    while error is not None:
        if isinstance(error, aiohttp.ClientConnectorError | httpx2.ConnectError):
            return False
        if isinstance(error, _DROPPED):
            return True
        error = error.__cause__ or error.__context__
    return False
