"""Chat by Batch API: many requests in one file, at a reduced price, answered within a day.

A conversation runs until it needs a reply that is not in the cache. Its request is then collected
for the next batch, and the conversation is dropped. Once the batch has ended its replies are put
into the cache, and the conversation runs again from its beginning, as far as the replies take it.
So a method of several steps needs one batch for each step, a restart loses nothing, and this module
does not depend on which method it is.
"""

import asyncio
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from endpoints.capabilities import Body, RequestForm, capabilities_of
from endpoints.endpoint import Endpoint
from judges.backends.chat.requests import cache_key, omitted_parameters, request_body
from judges.backends.contract import AsyncReplyCache, ChatRequest, Postponed, Reply

URL: Final = "/v1/chat/completions"
# How long to wait after a request is collected, so that other calls of the same conversation are
# collected for the same batch before it is dropped.
GRACE_SECONDS = 0.2
AT_ONCE = 500
# Keys in the detail of replies: the form of the request, and the parameter that was rejected.
FORM, NOT_TAKEN = "form", "not_taken"
# What a provider takes in one file: OpenAI's limits. We know of none that are narrower.
MOST_LINES = 50_000
MOST_BYTES = 190_000_000


@dataclass(frozen=True)
class BatchStatus:
    """What a provider reports about a batch. replies: by key, once the batch has ended."""

    has_ended: bool
    can_be_stopped: bool = False
    error: str = ""
    replies: Mapping[str, Reply] | None = None


class BatchProvider(Protocol):
    """The batches of one endpoint.

    Every method raises Unavailable where the endpoint cannot be asked now, and Unusable where it
    refuses.
    """

    def find(self, tag: str) -> str:
        """The id of the newest batch with that tag; empty where there is none."""

    def send(self, requests: Mapping[str, Body], tag: str) -> str:
        """Upload a file and start a batch with it; the provider's id of the batch."""

    def status(self, provider_id: str, model: str) -> BatchStatus:
        """How far a batch is, and its replies once it has ended."""

    def cancel(self, provider_id: str) -> None:
        """Stop a batch; the calls that were made until then are charged."""


class BatchChat:
    """One model of one endpoint, asked by batches. postponed: collected requests, by cache key."""

    in_flight = AT_ONCE

    def __init__(
        self, name: str, endpoint: Endpoint, model: str, *, cache: AsyncReplyCache
    ) -> None:
        self.name, self.endpoint, self.model, self.cache = name, endpoint, model, cache
        self.capabilities = capabilities_of(endpoint, model)
        self.postponed: dict[str, Body] = {}

    async def reply(self, request: ChatRequest) -> Reply:
        """The reply in the cache; Postponed where there is none yet."""
        key = cache_key(request, self.model, self.name, self.endpoint.base_url)
        full_body = request_body(request, self.model)
        body = self.capabilities.form.apply(full_body)
        cached = await self.cache.get(key)
        if cached is not None:
            return self._with_request(request, cached, full_body)
        self.postponed[key] = {"for": request.answer, "body": body}
        await asyncio.sleep(GRACE_SECONDS)
        raise Postponed

    async def replies(self, requests: Sequence[ChatRequest]) -> list[Reply]:
        """The reply to each, by a line of its own."""
        return list(await asyncio.gather(*(self.reply(request) for request in requests)))

    async def close(self) -> None:
        """Do nothing: no connection is open."""

    def _with_request(self, request: ChatRequest, cached: Reply, full_body: Body) -> Reply:
        """A cached reply with the request as it was sent, in the form of that time."""
        form = self.capabilities.form
        if FORM in cached.detail:
            form = RequestForm.from_json(cached.detail[FORM])
        body = form.apply(full_body)
        where = {"endpoint": self.name, "base_url": self.endpoint.shown_url}
        omitted = omitted_parameters(request, body)
        detail = {**cached.detail, "left_out": omitted} if omitted else cached.detail
        return replace(cached, request={**where, "sample": request.sample, **body}, detail=detail)


def in_form(requests: Mapping[str, Body], form: RequestForm) -> dict[str, Body]:
    """The same requests in this form, or in the simpler one that they have already."""
    return {
        key: {**request, "body": form.apply(request["body"])} for key, request in requests.items()
    }


def file_shares(requests: Mapping[str, Body]) -> Iterator[dict[str, Body]]:
    """The requests, divided into files that a provider takes. The order is by key, so that what
    is left of them after a crash is divided in the same way."""
    share: dict[str, Body] = {}
    size = 0
    for key, request in sorted(requests.items()):
        n_bytes = len(batch_file({key: request}))
        if share and (len(share) >= MOST_LINES or size + n_bytes > MOST_BYTES):
            yield share
            share, size = {}, 0
        share[key], size = request, size + n_bytes
    if share:
        yield share


def batch_file(requests: Mapping[str, Body]) -> bytes:
    """The content of a batch's file, the same for the same requests."""
    lines = [
        {"custom_id": key, "method": "POST", "url": URL, "body": request["body"]}
        for key, request in sorted(requests.items())
    ]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def sha256_of(requests: Mapping[str, Body]) -> str:
    """SHA-256 of a batch's file."""
    return hashlib.sha256(batch_file(requests)).hexdigest()
