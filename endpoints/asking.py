"""Ask an endpoint for its models, and for one short reply."""

import asyncio
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import httpx2

from endpoints.endpoint import BadEndpoint
from endpoints.stored import StoredEndpoint
from retrieval.connections import LinkRefused
from retrieval.exchange import NO_CONNECTION, answered, web_address

# Somebody waits at a page: seconds for a whole answer, and bytes of it.
SECONDS, LARGEST = 20.0, 4 * 2**20
MOST_MODELS, LONGEST_NAME, LONGEST_REASON = 2000, 200, 300
QUESTION = "Reply with the single word yes."


class NoReply(Exception):
    """The endpoint gave no answer that can be used; the message says what to do."""


@dataclass(frozen=True)
class ShortReply:
    """What a model replied. usd: None where it has no price or the endpoint counted no tokens."""

    text: str
    milliseconds: int
    usd: Decimal | None


def listed_models(endpoint: StoredEndpoint) -> list[str]:
    """The names of the models that an endpoint lists, in order; NoReply where it lists none."""
    content = _answer(endpoint, "GET", "/models")
    rows = content.get("data") if isinstance(content, Mapping) else content
    found = rows if isinstance(rows, list) else []
    ids = [row.get("id") for row in found if isinstance(row, Mapping)]
    names = {name for name in ids if isinstance(name, str) and 0 < len(name) <= LONGEST_NAME}
    if not names:
        raise NoReply(
            "The endpoint answers, but lists no models. Add a price under the name of a model; it "
            "can then be chosen."
        )
    return sorted(names)[:MOST_MODELS]


def short_reply(endpoint: StoredEndpoint, model: str) -> ShortReply:
    """What a model replies to one short question; NoReply where it does not."""
    asked = {"model": model, "messages": [{"role": "user", "content": QUESTION}]}
    begun = time.monotonic()
    content = _answer(endpoint, "POST", "/chat/completions", asked)
    took = round(1000 * (time.monotonic() - begun))
    try:
        text = str(content["choices"][0]["message"]["content"])
    except (KeyError, IndexError, TypeError) as error:
        raise NoReply(
            "The endpoint answers, but not as OpenAI's chat completions do. Check the address."
        ) from error
    return ShortReply(text[:LONGEST_REASON], took, _cost(endpoint, model, content))


def _cost(endpoint: StoredEndpoint, model: str, content: Any) -> Decimal | None:
    price, usage = endpoint.price(model), content.get("usage")
    counts = [usage.get(f"{kind}_tokens") for kind in ("prompt", "completion")] if usage else []
    if price is None or not counts or not all(type(n) is int and n >= 0 for n in counts):
        return None
    return price.cost(*counts)


def _answer(
    endpoint: StoredEndpoint, method: str, path: str, asked: Mapping[str, Any] | None = None
) -> Any:
    """The JSON at a path below the endpoint's address."""
    try:
        secrets = endpoint.secrets()
        status, body = asyncio.run(_exchange(endpoint, method, path, asked))
    except BadEndpoint as error:
        raise NoReply(f"There is no key to ask with: {error}.") from error
    except LinkRefused as error:
        raise NoReply(
            f"The address is refused: {error}. If the server is in your own network, tick that box."
        ) from error
    except TimeoutError as error:
        raise NoReply(
            f"No answer came within {SECONDS:g} seconds. Check that the server is up and not busy "
            "with loading a model, then test again."
        ) from error
    except (*NO_CONNECTION, httpx2.HTTPError) as error:
        why = str(error) or type(error).__name__
        raise NoReply(
            f"The server cannot be reached ({why}). Check the address and its port, and that the "
            "server runs."
        ) from error
    if status != httpx2.codes.OK:
        raise NoReply(_complaint(status, path, secrets.removed_from(_said(body))))
    try:
        return json.loads(body)
    except ValueError as error:
        raise NoReply(
            "The answer is not JSON. The address usually ends with /v1, without /chat/completions."
        ) from error


async def _exchange(
    endpoint: StoredEndpoint, method: str, path: str, asked: Mapping[str, Any] | None
) -> tuple[int, bytes]:
    secrets, base = endpoint.secrets(), httpx2.URL(endpoint.base_url)
    headers = {"Accept": "application/json", "Accept-Encoding": "identity", **secrets.headers}
    if secrets.key:
        headers["Authorization"] = f"Bearer {secrets.key}"
    if asked is not None:
        headers["Content-Type"] = "application/json"
    address = web_address(str(base.copy_with(path=base.path.rstrip("/") + path)))
    content = None if asked is None else json.dumps(asked).encode()
    async with (
        asyncio.timeout(SECONDS),
        answered(
            endpoint.network, method, address, headers=headers, content=content, silence=SECONDS
        ) as response,
    ):
        body = b""
        async for piece in response.aiter_raw():
            body += piece
            if len(body) > LARGEST:
                raise NoReply("The answer is longer than 4 MiB. Check the address.")
        return response.status_code, body


def _said(body: bytes) -> str:
    """What an error says: its message, or its first characters."""
    try:
        error = json.loads(body).get("error")
        message = error.get("message") if isinstance(error, Mapping) else error
    except (ValueError, AttributeError):
        message = body.decode(errors="replace")
    return " ".join(str(message or "").split())


def _complaint(status: int, path: str, said: str) -> str:
    """What to do about an error. said: without secrets, and cut only here: half a key is one."""
    quoted = f" It says: {said[:LONGEST_REASON]}" if said else ""
    if status in (401, 403):
        return f"The endpoint refuses the key (HTTP {status}). Enter a key that it takes.{quoted}"
    if status == 404:
        return (
            f"There is nothing at {path} (HTTP 404). Check the model's name, and the address: it "
            f"usually ends with /v1.{quoted}"
        )
    if status == 429:
        return f"The endpoint takes no more calls now, or its money is used up (HTTP 429).{quoted}"
    return f"The endpoint answered with HTTP {status}. Check the address.{quoted}"
