"""Chat models behind any endpoint that speaks OpenAI's protocol: hosted, vLLM, Ollama, …"""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Protocol

import httpx2
import openai

from judges.backends.chat.habits import HELD, Body, Form, disliked, failure_of, habits_of
from judges.backends.chat.pacing import Throttle, backoff, retry_after
from judges.backends.chat.replies import read
from judges.backends.chat.requests import body_of, key_of, left_out
from judges.backends.cleaning import clean_text, cleaned
from judges.backends.contract import ChatRequest, Failure, Reply, Unusable
from judges.endpoints import BadEndpoint, Endpoint

# The only faults that pass by themselves. Too much at once:
TURNED_AWAY = frozenset({429, 503, 529})
# … a request that took too long to come in, a lock, a server or a proxy before it that stumbled.
STUMBLED = frozenset({408, 409, 500, 502, 504, 520, 521, 522, 523, 524})
# Nothing that is asked will be answered: a wrong key, no money, no such model or address.
HOPELESS = frozenset({401, 402, 403, 404})
NO_MONEY = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
# A call that hangs costs its whole time: it is made twice, not more.
TRIES_HANGING = 2
# So many calls in a row that did not even reach the endpoint: it is gone.
UNREACHED = 8


class SharedCache(Protocol):
    """Replies that were paid for, as a loop of talks looks into them."""

    async def get(self, key: str) -> Reply | None:
        """The reply kept under that key, marked as one that was kept."""

    async def put(self, key: str, reply: Reply) -> None:
        """Keep a reply; returns when it is kept."""


@dataclass(frozen=True)
class _Fault:
    """Why a call was not answered. passes: asking again may help."""

    why: str
    failure: Failure = Failure.ERROR
    passes: bool = False
    wait: float | None = None
    turned_away: bool = False
    unreached: bool = False
    body: str = ""


@dataclass(frozen=True)
class _Sent:
    """One request and what came of it: a reply or a fault.

    disliked: the parameter that the endpoint did not take; empty where it did not say which, None
    where it was not about the form of the request.
    """

    body: Body
    latency_ms: int
    reply: Reply | None
    fault: _Fault | None
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
        if self.cache is None:
            return await self._asked(request)
        key = key_of(request, self.model, self.name, self.endpoint.base_url)
        kept = await self.cache.get(key)
        if kept is not None:
            body = self.habits.form.written(body_of(request, self.model))
            return replace(kept, request=self._shown(request, body))
        reply = await self._asked(request)
        reply = replace(reply, detail={**reply.detail, "cache_key": key, "for": request.answer})
        if reply.failure is None or reply.cost:
            await self.cache.put(key, reply)
        return reply

    async def close(self) -> None:
        """Let go of connections."""
        await self.client.close()

    async def _asked(self, request: ChatRequest) -> Reply:
        """Ask until there is an answer, a fault that does not pass, or no try left."""
        tries: list[dict[str, Any]] = []
        while True:
            sent = await self._once(request)
            if sent.reply is not None:
                return self._told(request, sent.reply, sent, tries)
            assert sent.fault is not None
            wait = self._wait(sent.fault, tries, request.seed or 0)
            waited = None if wait is None else round(wait, 3)
            tries.append({"why": sent.fault.why, "waited_s": waited})
            if wait is None:
                self._count_unreached(sent.fault)
                return self._told(request, _failed(sent.fault, len(tries)), sent, tries)
            await asyncio.sleep(wait)

    def _told(self, request: ChatRequest, reply: Reply, sent: "_Sent", tries: list[Any]) -> Reply:
        told = {"tries": tries, "left_out": left_out(request, sent.body)}
        detail = {**reply.detail, **{name: value for name, value in told.items() if value}}
        shown = self._shown(request, sent.body)
        return cleaned(replace(reply, request=shown, detail=detail, latency_ms=sent.latency_ms))

    def _shown(self, request: ChatRequest, body: Body) -> dict[str, Any]:
        """What was sent and where to, and which of several; the key is not in it."""
        where = {"endpoint": self.name, "base_url": self.endpoint.shown_url}
        return {**where, "sample": request.sample, **body}

    def _wait(self, fault: _Fault, tries: list[Any], seed: int) -> float | None:
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

    async def _once(self, request: ChatRequest) -> "_Sent":
        """One call; another at once where the endpoint does not take the form of the request."""
        form, guessed = self.habits.form, False
        while True:
            sent = await self._sent(request, form)
            if sent.reply is not None:
                self.habits.took(form, sent.body, guessed=guessed)
            if sent.disliked is None:
                return sent
            # Most often it is the schema that is too much, where nothing is said.
            plainer = form.plainer(sent.disliked or HELD, sent.body)
            if plainer is None:
                return sent
            form, guessed = plainer, guessed or not sent.disliked

    async def _sent(self, request: ChatRequest, form: Form) -> "_Sent":
        """One request, as soon as there is a place for it."""
        body = form.written(body_of(request, self.model))
        async with self.throttle.place() as began:
            started = time.monotonic()
            reply, fault, not_taken = None, None, None
            try:
                async with asyncio.timeout(self.endpoint.timeout_seconds):
                    # Not `chat.completions.create`: it walks through the whole request again, and
                    # would make objects of a reply that we read with more suspicion ourselves.
                    response = await self.client.post(
                        "/chat/completions", body=body, cast_to=httpx2.Response
                    )
                reply = self._read(response.content)
            except openai.APIStatusError as error:
                fault = self._status_fault(error)
                not_taken = disliked(error.status_code, error.body, body)
            except (openai.APIConnectionError, TimeoutError) as error:
                fault = self._connection_fault(error)
            self._learn(began, fault)
            latency = round(1000 * (time.monotonic() - started))
            return _Sent(body, latency, reply, fault, not_taken)

    def _learn(self, began: float, fault: _Fault | None) -> None:
        """What a call says about the endpoint."""
        if fault is None:
            self.throttle.went_well()
        elif fault.turned_away:
            self.throttle.was_turned_away(began, fault.wait)
        if fault is None or not (fault.unreached or fault.failure is Failure.TIMEOUT):
            self.unreached, self.has_answered = 0, True

    def _read(self, content: bytes) -> Reply:
        same_model = self.endpoint.same_model
        return read(content, model=self.model, price=self.price, same_model=same_model)

    def _status_fault(self, error: openai.APIStatusError) -> _Fault:
        """What an HTTP status means; Unusable where it means that nothing will be answered."""
        status, why = error.status_code, self._hidden(_words(error))
        if status in HOPELESS or error.code in NO_MONEY:
            raise Unusable(f"Endpoint {self.name}, model {self.model}: {why}") from error
        after = retry_after(error.response.headers.get("retry-after", ""), datetime.now(UTC))
        return _Fault(
            why,
            failure_of(error.body),
            passes=status in TURNED_AWAY or status in STUMBLED,
            wait=after if status in TURNED_AWAY else None,
            turned_away=status in TURNED_AWAY,
            body=self._hidden(error.response.text),
        )

    def _connection_fault(self, error: Exception) -> _Fault:
        """What it means that nothing came back."""
        is_late = isinstance(error, openai.APITimeoutError | TimeoutError)
        # A connection that was refused is one that took too long, too, to the SDK's aiohttp.
        if is_late and not isinstance(error.__cause__, httpx2.ConnectTimeout):
            why = f"No reply within {self.endpoint.timeout_seconds:g} seconds."
            return _Fault(why, Failure.TIMEOUT, passes=True)
        why = f"The endpoint cannot be reached: {error.__cause__ or error}."
        return _Fault(why, passes=True, unreached=True)

    def _hidden(self, text: str) -> str:
        """The text without our key, should the endpoint repeat it."""
        return text.replace(self.key, "…") if self.key else text

    def _count_unreached(self, fault: _Fault) -> None:
        """Stop the run once the endpoint is gone, not call by call until none is left."""
        if not fault.unreached:
            return
        self.unreached += 1
        if not self.has_answered or self.unreached >= UNREACHED:
            raise Unusable(f"Endpoint {self.name}: {fault.why}")


def _failed(fault: _Fault, tries: int) -> Reply:
    times = f" Asked {tries} times." if tries > 1 else ""
    return Reply(text=fault.body).failed(fault.failure, f"{fault.why}{times}")


def _words(error: openai.APIStatusError) -> str:
    """`HTTP 400: the reason that the endpoint gives`."""
    said = error.body.get("message") if isinstance(error.body, Mapping) else None
    return clean_text(f"HTTP {error.status_code}: {str(said or error.message)[:500]}")
