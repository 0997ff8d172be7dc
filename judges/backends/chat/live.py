"""One request after the other to an endpoint that speaks OpenAI's protocol."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import httpx2
import openai

from judges.backends.chat.faults import Fault, failed, is_hopeless, status_fault, words
from judges.backends.chat.habits import HELD, SEVERAL, Body, Form, disliked, habits_of
from judges.backends.chat.pacing import Throttle, backoff
from judges.backends.chat.replies import read_all
from judges.backends.chat.requests import body_of, key_of, left_out
from judges.backends.contract import ChatRequest, Failure, Reply, SharedCache, Unusable
from judges.backends.endpoints import BadEndpoint, Endpoint
from judges.backends.received_text import cleaned

# A call that hangs costs its whole time: it is made twice, not more.
TRIES_HANGING = 2
# So many calls in a row that did not even reach the endpoint: it is gone.
UNREACHED = 8
# Characters of what an endpoint says of a fault.
LONGEST_WHY = 500


@dataclass(frozen=True)
class _Sent:
    """One request and what came of it: replies or a fault.

    disliked: the parameter that the endpoint did not take; empty where it did not say which, None
    where it was not about the form of the request.
    """

    body: Body
    latency_ms: int
    replies: list[Reply]
    fault: Fault | None
    disliked: str | None


class EndpointChat:
    """One model of one endpoint. `cache`: None does without kept replies."""

    def __init__(
        self,
        name: str,
        endpoint: Endpoint,
        model: str,
        *,
        cache: SharedCache | None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name, self.endpoint, self.model, self.cache = name, endpoint, model, cache
        self.in_flight = endpoint.in_flight
        self.price = endpoint.price(model)
        self.throttle = Throttle(endpoint.in_flight, clock)
        self.habits = habits_of(endpoint, model)
        self.unreached, self.has_answered = 0, False
        try:
            self.key = endpoint.key()
        except BadEndpoint as error:
            raise Unusable(f"Endpoint {name}: {error}.") from error
        self.client = openai.AsyncOpenAI(
            base_url=endpoint.base_url,
            api_key=self.key or "none",  # the client wants one even where the endpoint does not
            max_retries=0,  # retrying is ours
            timeout=endpoint.timeout_seconds,
            http_client=openai.DefaultAioHttpClient(),  # half the processor time of the default
        )

    async def reply(self, request: ChatRequest) -> Reply:
        """The reply that was kept, or that of the endpoint; that one is kept where it cost."""
        kept = await self._kept(request)
        return kept or (await self._heard([request]))[0]

    async def replies(self, requests: Sequence[ChatRequest]) -> list[Reply]:
        """The same for several samples; what is missing in one call, where the endpoint can."""
        replies = await asyncio.gather(*(self._kept(request) for request in requests))
        missing = [one for one, kept in zip(requests, replies, strict=True) if kept is None]
        came: list[Reply] = []
        if len(missing) > 1 and self.habits.gives_several:
            came = await self._heard(missing)
        rest = (self._heard([request]) for request in missing[len(came) :])
        came += [one for (one,) in await asyncio.gather(*rest)]
        coming = iter(came)
        return [kept or next(coming) for kept in replies]

    async def close(self) -> None:
        """Let go of connections."""
        await self.client.close()

    async def _kept(self, request: ChatRequest) -> Reply | None:
        if self.cache is None:
            return None
        kept = await self.cache.get(self._key(request))
        if kept is None:
            return None
        body = self.habits.form.written(body_of(request, self.model))
        return replace(kept, request=self._shown(request, body))

    async def _heard(self, requests: Sequence[ChatRequest]) -> list[Reply]:
        """What the endpoint replies, once it is kept."""
        replies = await self._asked(requests)
        heard = zip(requests, replies, strict=False)  # there may be fewer
        return list(await asyncio.gather(*(self._keep(one, reply) for one, reply in heard)))

    async def _keep(self, request: ChatRequest, reply: Reply) -> Reply:
        if self.cache is None:
            return reply
        key = self._key(request)
        reply = replace(reply, detail={**reply.detail, "cache_key": key, "for": request.answer})
        if reply.failure is None or reply.cost:
            await self.cache.put(key, reply)
        return reply

    def _key(self, request: ChatRequest) -> str:
        return key_of(request, self.model, self.name, self.endpoint.base_url)

    async def _asked(self, requests: Sequence[ChatRequest]) -> list[Reply]:
        """Ask until there is an answer, a fault that does not pass, or no try left.

        Of several samples fewer replies, or none, where the endpoint gives one at a time.
        """
        tries: list[dict[str, Any]] = []
        while True:
            sent = await self._once(requests[0], len(requests))
            if len(requests) > 1 and self._gives_one_at_a_time(sent, len(requests)):
                return self._told(requests, sent.replies, sent, tries)
            if sent.replies:
                return self._told(requests, sent.replies, sent, tries)
            assert sent.fault is not None
            wait = self._wait(sent.fault, tries, requests[0].seed or 0)
            waited = None if wait is None else round(wait, 3)
            tries.append({"why": sent.fault.why, "waited_s": waited})
            if wait is None:
                self._count_unreached(sent.fault)
                none = [failed(sent.fault, len(tries))] * len(requests)
                return self._told(requests, none, sent, tries)
            await asyncio.sleep(wait)

    def _gives_one_at_a_time(self, sent: "_Sent", wanted: int) -> bool:
        """Whether a call for several samples shows that; one that was not taken for another
        reason, or with no word on why, shows it for itself alone."""
        shows = sent.disliked == SEVERAL or 0 < len(sent.replies) < wanted
        self.habits.gives_several = self.habits.gives_several and not shows
        return shows or sent.disliked is not None

    def _told(
        self,
        requests: Sequence[ChatRequest],
        replies: Sequence[Reply],
        sent: "_Sent",
        tries: list[Any],
    ) -> list[Reply]:
        """The replies with what was sent, and how often."""
        told = {"tries": tries, "left_out": left_out(requests[0], sent.body)}
        more = {name: value for name, value in told.items() if value}
        return [
            cleaned(
                replace(
                    reply,
                    request=self._shown(request, sent.body),
                    detail={**reply.detail, **more},
                    latency_ms=sent.latency_ms,
                )
            )
            for request, reply in zip(requests, replies, strict=False)  # there may be fewer
        ]

    def _shown(self, request: ChatRequest, body: Body) -> dict[str, Any]:
        """What was sent and where to, and which of several; the key is not in it."""
        where = {"endpoint": self.name, "base_url": self.endpoint.shown_url}
        return {**where, "sample": request.sample, **body}

    def _wait(self, fault: Fault, tries: list[Any], seed: int) -> float | None:
        """Seconds until the next try; None where there is to be none."""
        most = self.endpoint.tries
        if fault.failure is Failure.TIMEOUT:
            most = min(most, TRIES_HANGING)
        made = len(tries) + 1
        if not fault.passes or made >= most:
            return None
        # The throttle holds everybody back for `fault.wait`; those that were turned away do not
        # come back at that very moment.
        own = backoff(self.endpoint.first_wait_seconds, made, seed)
        return own + (fault.wait or 0.0)

    async def _once(self, request: ChatRequest, wanted: int) -> "_Sent":
        """One call; another at once where the endpoint does not take the form of the request."""
        form, guessed = self.habits.form, False
        while True:
            sent = await self._sent(request, form, wanted)
            if sent.replies:
                self.habits.took(form, sent.body, guessed=guessed)
            # What is wrong with a call for several may not be with one: some take no seed there.
            if sent.disliked is None or wanted > 1:
                return sent
            # Most often it is the schema that is too much, where nothing is said.
            plainer = form.plainer(sent.disliked or HELD, sent.body)
            if plainer is None:
                return sent
            form, guessed = plainer, guessed or not sent.disliked

    async def _sent(self, request: ChatRequest, form: Form, wanted: int) -> "_Sent":
        """One request, as soon as there is a place for it."""
        body = form.written(body_of(request, self.model, wanted))
        async with self.throttle.place() as began:
            started = time.monotonic()
            replies: list[Reply] = []
            fault, not_taken = None, None
            try:
                async with asyncio.timeout(self.endpoint.timeout_seconds):
                    # Not `chat.completions.create`: it walks through the whole request again, and
                    # would make objects of a reply that we read with more suspicion ourselves.
                    response = await self.client.post(
                        "/chat/completions", body=body, cast_to=httpx2.Response
                    )
                replies = self._read(response.content, wanted)
            except openai.APIStatusError as error:
                fault = self._status_fault(error)
                not_taken = disliked(error.status_code, error.body, body)
            except (openai.APIConnectionError, TimeoutError) as error:
                fault = self._connection_fault(error)
            self._learn(began, fault)
            latency = round(1000 * (time.monotonic() - started))
            return _Sent(body, latency, replies, fault, not_taken)

    def _learn(self, began: float, fault: Fault | None) -> None:
        """What a call says about the endpoint."""
        if fault is None:
            self.throttle.went_well()
        elif fault.turned_away:
            self.throttle.was_turned_away(began, fault.wait)
        if fault is None or not (fault.unreached or fault.failure is Failure.TIMEOUT):
            self.unreached, self.has_answered = 0, True

    def _read(self, content: bytes, wanted: int) -> list[Reply]:
        return read_all(
            content,
            wanted=wanted,
            model=self.model,
            price=self.price,
            same_model=self.endpoint.same_model,
        )

    def _status_fault(self, error: openai.APIStatusError) -> Fault:
        """What an HTTP status means; Unusable where it means that nothing will be answered."""
        why = self._hidden(words(error))[:LONGEST_WHY]  # cut last: half a key is one, too
        if is_hopeless(error):
            raise Unusable(f"Endpoint {self.name}, model {self.model}: {why}") from error
        return status_fault(error, why, self._hidden(error.response.text))

    def _connection_fault(self, error: Exception) -> Fault:
        """What it means that nothing came back."""
        is_late = isinstance(error, openai.APITimeoutError | TimeoutError)
        # A connection that was refused is one that took too long, too, to the SDK's aiohttp.
        if is_late and not isinstance(error.__cause__, httpx2.ConnectTimeout):
            why = f"No reply within {self.endpoint.timeout_seconds:g} seconds."
            return Fault(why, Failure.TIMEOUT, passes=True)
        why = f"The endpoint cannot be reached: {error.__cause__ or error}."
        return Fault(why, passes=True, unreached=True)

    def _hidden(self, text: str) -> str:
        """The text without our key, should the endpoint repeat it."""
        return text.replace(self.key, "…") if self.key else text

    def _count_unreached(self, fault: Fault) -> None:
        """Stop the run once the endpoint is gone, not call by call until none is left."""
        if not fault.unreached:
            return
        self.unreached += 1
        if not self.has_answered or self.unreached >= UNREACHED:
            raise Unusable(f"Endpoint {self.name}: {fault.why}")
