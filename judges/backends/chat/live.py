"""Chat with an endpoint one call at a time, with retries and limits on calls at once."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import httpx2
import openai

from endpoints.capabilities import (
    N_REPLIES,
    RESPONSE_FORMAT,
    Body,
    RequestForm,
    capabilities_of,
    rejected_parameter,
)
from endpoints.clients import live_client
from endpoints.endpoint import Endpoint
from endpoints.pacing import Throttle, backoff
from judges.backends.chat.faults import (
    ErrorReply,
    Fault,
    error_in_reply,
    error_of_status,
    failed_reply,
    fault_of,
    fault_of_connection,
    secrets_of,
)
from judges.backends.chat.replies import read_replies
from judges.backends.chat.requests import cache_key, omitted_parameters, request_body
from judges.backends.chat.usage import NO_USAGE, Usage, usage_in_text, with_usage
from judges.backends.contract import AsyncReplyCache, ChatRequest, Failure, Reply, Unusable
from judges.backends.received_text import cleaned
from telemetry.traces import span

# A call that times out costs its whole time: it is made twice, not more often.
TRIES_AFTER_TIMEOUT = 2
# After so many calls in a row that did not reach the endpoint, the run stops.
MOST_UNREACHED = 8
# Characters of an endpoint's error message.
LONGEST_REASON = 500


@dataclass(frozen=True)
class _Exchange:
    """One HTTP request and what came back: replies or a fault.

    rejected: what `rejected_parameter` returned for the fault. usage: of faults, now and before."""

    body: Body
    latency_ms: int
    replies: list[Reply]
    fault: Fault | None
    rejected: str | None
    usage: Usage = NO_USAGE


class EndpointChat:
    """One model of one endpoint. cache: None does without cached replies."""

    def __init__(
        self,
        name: str,
        endpoint: Endpoint,
        model: str,
        *,
        cache: AsyncReplyCache | None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name, self.endpoint, self.model, self.cache = name, endpoint, model, cache
        self.in_flight = endpoint.in_flight
        self.price = endpoint.price(model)
        self.throttle = Throttle(endpoint.in_flight, clock, per_minute=endpoint.requests_per_minute)
        self.capabilities = capabilities_of(endpoint, model)
        self.unreached, self.has_answered = 0, False
        self.secrets = secrets_of(name, endpoint)
        self.client = live_client(endpoint, self.secrets)

    async def reply(self, request: ChatRequest) -> Reply:
        """The cached reply, or else the endpoint's, which is then cached where it cost money."""
        return await self._cached(request) or (await self._requested([request]))[0]

    async def replies(self, requests: Sequence[ChatRequest]) -> list[Reply]:
        """The same for several samples: those not cached in one call, where the endpoint can."""
        from_cache = await asyncio.gather(*(self._cached(request) for request in requests))
        missing = [
            request for request, cached in zip(requests, from_cache, strict=True) if cached is None
        ]
        requested: list[Reply] = []
        if len(missing) > 1 and self.capabilities.gives_several:
            requested = await self._requested(missing)
        # Fewer may have come back than were asked for: the others are requested one by one.
        rest = (self._requested([request]) for request in missing[len(requested) :])
        requested += [reply for (reply,) in await asyncio.gather(*rest)]
        next_requested = iter(requested)
        return [cached or next(next_requested) for cached in from_cache]

    async def close(self) -> None:
        """Close the connections."""
        await self.client.close()

    async def _cached(self, request: ChatRequest) -> Reply | None:
        if self.cache is None:
            return None
        cached = await self.cache.get(self._key(request))
        if cached is None:
            return None
        body = self.capabilities.form.apply(request_body(request, self.model))
        return replace(cached, request=self._shown_request(request, body))

    async def _requested(self, requests: Sequence[ChatRequest]) -> list[Reply]:
        """The endpoint's replies, once they are in the cache; there may be fewer."""
        replies = await self._retried(requests)
        pairs = zip(requests, replies, strict=False)
        return list(await asyncio.gather(*(self._put(request, reply) for request, reply in pairs)))

    async def _put(self, request: ChatRequest, reply: Reply) -> Reply:
        """Cache a reply, and return it with its key.

        A failed reply that cost money is cached too, so that a worker that takes over after a
        crash still counts it.
        """
        if self.cache is None:
            return reply
        key = self._key(request)
        reply = replace(reply, detail={**reply.detail, "cache_key": key, "for": request.answer})
        if reply.failure is None or reply.cost:
            await self.cache.put(key, reply)
        return reply

    def _key(self, request: ChatRequest) -> str:
        return cache_key(request, self.model, self.name, self.endpoint.base_url)

    async def _retried(self, requests: Sequence[ChatRequest]) -> list[Reply]:
        """Call until there is a reply, a permanent fault, or no try left.

        Of several samples fewer replies, or none, where the endpoint gives one at a time.
        """
        tries: list[dict[str, Any]] = []
        paid = NO_USAGE
        while True:
            with span("chat call", kind="client"):
                exchange = await self._exchange(requests[0], len(requests))
            paid += exchange.usage
            exchange = replace(exchange, usage=paid)
            one_at_a_time = self._gives_one_at_a_time(exchange, len(requests))
            if one_at_a_time or exchange.replies:
                return self._with_details(requests, exchange.replies, exchange, tries)
            assert exchange.fault is not None
            wait = self._wait(exchange.fault, tries, requests[0].seed or 0)
            waited = None if wait is None else round(wait, 3)
            tries.append({"why": exchange.fault.reason, "waited_s": waited})
            if wait is None:
                self._count_unreached(exchange.fault)
                failed = [failed_reply(exchange.fault, len(tries))] * len(requests)
                return self._with_details(requests, failed, exchange, tries)
            await asyncio.sleep(wait)

    def _gives_one_at_a_time(self, exchange: _Exchange, wanted: int) -> bool:
        """Whether several samples in one call did not work; False of one sample alone.

        It is remembered where the endpoint rejected `n` or gave fewer. Another rejection, or one
        without a reason, may be due to this request alone.
        """
        if wanted == 1:
            return False
        is_certain = exchange.rejected == N_REPLIES or 0 < len(exchange.replies) < wanted
        self.capabilities.gives_several = self.capabilities.gives_several and not is_certain
        return is_certain or exchange.rejected is not None

    def _with_details(
        self,
        requests: Sequence[ChatRequest],
        replies: Sequence[Reply],
        exchange: _Exchange,
        tries: list[Any],
    ) -> list[Reply]:
        """The replies, perhaps fewer than requests, with what was sent, and how often."""
        details = {"tries": tries, "left_out": omitted_parameters(requests[0], exchange.body)}
        details = {name: value for name, value in details.items() if value}
        return [
            cleaned(
                replace(
                    reply,
                    request=self._shown_request(request, exchange.body),
                    detail={**reply.detail, **details},
                    latency_ms=exchange.latency_ms,
                )
            )
            for request, reply in zip(requests, with_usage(replies, exchange.usage), strict=False)
        ]

    def _shown_request(self, request: ChatRequest, body: Body) -> dict[str, Any]:
        """What was sent and where to, and the number of the sample; without the key."""
        where = {"endpoint": self.name, "base_url": self.endpoint.shown_url}
        return {**where, "sample": request.sample, **body}

    def _wait(self, fault: Fault, tries: list[Any], seed: int) -> float | None:
        """Seconds until the next try; None where there is none."""
        most = self.endpoint.tries
        if fault.failure is Failure.TIMEOUT:
            most = min(most, TRIES_AFTER_TIMEOUT)
        n_tries = len(tries) + 1
        if not fault.is_transient or n_tries >= most:
            return None
        # The throttle already holds all calls back for `retry_after`. The backoff on top keeps
        # those that were turned away from coming back at the same moment.
        wait = backoff(self.endpoint.first_wait_seconds, n_tries, seed)
        return wait + (fault.retry_after or 0.0)

    async def _exchange(self, request: ChatRequest, wanted: int) -> _Exchange:
        """One call; again at once in a simpler form where the endpoint rejects this one."""
        form, guessed, paid = self.capabilities.form, False, NO_USAGE
        while True:
            exchange = await self._post(request, form, wanted)
            paid += exchange.usage
            exchange = replace(exchange, usage=paid)
            if exchange.replies:
                self.capabilities.record_success(form, exchange.body, guessed=guessed)
            # What is rejected together with `n` may be taken without: some take no seed beside it.
            if exchange.rejected is None or wanted > 1:
                return exchange
            # Where the endpoint gives no reason, the schema is the most likely one.
            simpler = form.simpler(exchange.rejected or RESPONSE_FORMAT, exchange.body)
            if simpler is None:
                return exchange
            form, guessed = simpler, guessed or not exchange.rejected

    async def _post(self, request: ChatRequest, form: RequestForm, wanted: int) -> _Exchange:
        """One HTTP request, as soon as the throttle lets it through."""
        body = form.apply(request_body(request, self.model, wanted))
        async with self.throttle.slot() as started_at:
            started = time.monotonic()
            replies: list[Reply] = []
            error: ErrorReply | None = None
            fault: Fault | None = None
            try:
                async with asyncio.timeout(self.endpoint.timeout_seconds):
                    # Not `chat.completions.create`: it validates the whole request again, and
                    # builds objects from a reply that `read_replies` checks more strictly.
                    response = await self.client.post(
                        "/chat/completions", body=body, cast_to=httpx2.Response
                    )
                error = error_in_reply(response.content, response.headers.get("retry-after", ""))
                if not error:
                    replies = read_replies(
                        response.content,
                        wanted=wanted,
                        model=self.model,
                        price=self.price,
                        same_model=self.endpoint.same_model,
                    )
            except openai.APIStatusError as raised:
                error = error_of_status(raised)
            except (openai.APIConnectionError, TimeoutError) as raised:
                fault = fault_of_connection(raised, self.endpoint.timeout_seconds)
            fault = self._fault(error) if error else fault
            rejected = rejected_parameter(error.status, error.error, body) if error else None
            self._note_result(started_at, fault)
            latency = round(1000 * (time.monotonic() - started))
            usage = usage_in_text(error.body, self.price) if error else NO_USAGE
            return _Exchange(body, latency, replies, fault, rejected, usage)

    def _note_result(self, started_at: float, fault: Fault | None) -> None:
        """Adapt the throttle, and note whether the endpoint was reached."""
        if fault is None:
            self.throttle.record_success()
        elif fault.is_overload:
            self.throttle.record_overload(started_at, fault.retry_after)
        if fault is None or not (fault.is_unreachable or fault.failure is Failure.TIMEOUT):
            self.unreached, self.has_answered = 0, True

    def _fault(self, error: ErrorReply) -> Fault:
        """The fault for an error; Unusable where the endpoint will answer no call at all."""
        # Secrets are removed before the cut: the first half of a key is a secret as well.
        reason = self.secrets.removed_from(error.message)[:LONGEST_REASON]
        if error.is_permanent:
            raise Unusable(f"Endpoint {self.name}, model {self.model}: {reason}")
        return fault_of(error, reason, self.secrets.removed_from(error.body))

    def _count_unreached(self, fault: Fault) -> None:
        """Stop the run when the endpoint is gone, rather than let every call fail on its own."""
        if not fault.is_unreachable:
            return
        self.unreached += 1
        if not self.has_answered or self.unreached >= MOST_UNREACHED:
            raise Unusable(f"Endpoint {self.name}: {fault.reason}")
