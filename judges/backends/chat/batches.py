"""The other route to a chat endpoint: many requests in one file, at a reduced price, within a day.

A talk runs until it needs a reply that is not kept. The request is put down for the next batch and
the talk is dropped; when the batch has come back its replies are kept, and the talk is run again
from its beginning, through them, as far as it gets. So a method of several steps needs one batch
for each of them, a restart loses nothing, and nothing here knows which method it is.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

import openai

from judges.backends.chat.batch_files import NOT_TAKEN, URL, Look, written
from judges.backends.chat.faults import NO_MONEY, STUMBLED, TURNED_AWAY
from judges.backends.chat.habits import NAMES, Body, Form, disliked, failure_of, habits_of
from judges.backends.chat.replies import read
from judges.backends.chat.requests import body_of, key_of, left_out
from judges.backends.contract import (
    Away,
    ChatRequest,
    Postponed,
    Reply,
    SharedCache,
    Unusable,
)
from judges.backends.endpoints import BadEndpoint, Endpoint
from judges.backends.received_text import clean_text, cleaned

WINDOW: Final = "24h"
# Calls that a talk makes beside the one that is missing are given so long to be put down as well.
BESIDE_SECONDS = 0.2
AT_ONCE = 500
TAG = "jurybox_job"
# In the detail of replies: in which form it was asked.
FORM = "form"


class BatchChat:
    """One model of one endpoint, asked by batches. `postponed`: requests by the keys of replies."""

    in_flight = AT_ONCE

    def __init__(self, name: str, endpoint: Endpoint, model: str, *, cache: SharedCache) -> None:
        self.name, self.endpoint, self.model, self.cache = name, endpoint, model, cache
        self.habits = habits_of(endpoint, model)
        self.postponed: dict[str, Body] = {}

    async def reply(self, request: ChatRequest) -> Reply:
        """The reply that was kept; Postponed where there is none yet."""
        key = key_of(request, self.model, self.name, self.endpoint.base_url)
        asked = body_of(request, self.model)
        body = self.habits.form.written(asked)
        kept = await self.cache.get(key)
        if kept is not None:
            return self._told(request, kept, asked)
        self.postponed[key] = {"for": request.answer, "body": body}
        await asyncio.sleep(BESIDE_SECONDS)
        raise Postponed

    async def replies(self, requests: Sequence[ChatRequest]) -> list[Reply]:
        """Each by a line of its own."""
        return list(await asyncio.gather(*(self.reply(request) for request in requests)))

    async def close(self) -> None:
        """There is nothing to let go of."""

    def _told(self, request: ChatRequest, kept: Reply, asked: Body) -> Reply:
        """A reply that was kept, with the request as it was sent."""
        form = Form.told(kept.detail[FORM]) if FORM in kept.detail else self.habits.form
        body = form.written(asked)
        where = {"endpoint": self.name, "base_url": self.endpoint.shown_url}
        missing = left_out(request, body)
        detail = {**kept.detail, "left_out": missing} if missing else kept.detail
        return replace(kept, request={**where, "sample": request.sample, **body}, detail=detail)


class Provider:
    """The batches of one endpoint. Away where it cannot be asked now, Unusable where it refuses."""

    def __init__(self, name: str, endpoint: Endpoint) -> None:
        self.name, self.endpoint = name, endpoint
        try:
            self.key = endpoint.key()
        except BadEndpoint as error:
            raise Unusable(f"Endpoint {name}: {error}.") from error
        self.client = openai.OpenAI(
            base_url=endpoint.base_url,
            api_key=self.key or "none",
            timeout=endpoint.timeout_seconds,
            max_retries=0,  # whoever asks comes again
        )

    def find(self, tag: str) -> str:
        """The newest batch that was made for this job of ours; empty where there is none."""
        with self._faults_told_apart():
            made = self.client.batches.list(limit=100).data
        for batch in made:
            if (batch.metadata or {}).get(TAG) == tag:
                return batch.id
        return ""

    def send(self, requests: Mapping[str, Body], tag: str) -> str:
        """Upload a file and have it worked; the provider's id of the batch."""
        with self._faults_told_apart():
            file = self.client.files.create(
                file=("requests.jsonl", written(requests)), purpose="batch"
            )
            batch = self.client.batches.create(
                input_file_id=file.id,
                endpoint=URL,
                completion_window=WINDOW,
                metadata={TAG: tag},
            )
        return batch.id

    def look(self, provider_id: str, model: str) -> Look:
        """How far a batch is, and its replies where it has ended, however it did."""
        try:
            with self._faults_told_apart():
                return self._look(provider_id, model)
        except Unusable as error:
            if isinstance(error.__cause__, openai.NotFoundError):
                return Look(has_ended=True, error=f"The batch is not to be found. {error}")
            raise

    def cancel(self, provider_id: str) -> None:
        """Have a batch stopped; what was worked until then is charged."""
        with self._faults_told_apart():
            self.client.batches.cancel(provider_id)

    def _look(self, provider_id: str, model: str) -> Look:
        batch = self.client.batches.retrieve(provider_id)
        if batch.status in ("validating", "in_progress", "finalizing", "cancelling"):
            is_worked = batch.status in ("validating", "in_progress")
            return Look(has_ended=False, can_be_stopped=is_worked)
        said = "; ".join(one.message or "" for one in (batch.errors and batch.errors.data) or [])
        error = (
            "" if batch.status == "completed" else f"The batch is {batch.status}. {said}".strip()
        )
        replies: dict[str, Reply] = {}
        for file_id in (batch.output_file_id, batch.error_file_id):
            if file_id:
                content = self.client.files.content(file_id).content
                replies |= dict(self._replies(content, model, provider_id))
        return Look(has_ended=True, error=self._hidden(error), replies=replies)

    @contextmanager
    def _faults_told_apart(self) -> Iterator[None]:
        """The client's errors as ours, by whether they pass by themselves."""
        try:
            yield
        except openai.APIStatusError as error:
            said = f"HTTP {error.status_code}: {self._hidden(error.message)[:500]}"
            passes = error.status_code in TURNED_AWAY | STUMBLED and error.code not in NO_MONEY
            raise (Away if passes else Unusable)(f"Endpoint {self.name}: {said}") from error
        except openai.APIConnectionError as error:
            why = self._hidden(str(error.__cause__ or error))
            raise Away(f"Endpoint {self.name} cannot be reached: {why}") from error
        except openai.APIError as error:
            raise Unusable(f"Endpoint {self.name}: {self._hidden(error.message)}") from error

    def _hidden(self, text: str) -> str:
        """The text without our key, should the endpoint repeat it, and fit for a row."""
        return clean_text(text.replace(self.key, "…") if self.key else text)

    def _replies(self, content: bytes, model: str, batch: str) -> Iterator[tuple[str, Reply]]:
        price = self.endpoint.price(model)
        reduced = price.reduced(self.endpoint.batch_factor) if price else None
        for line in content.splitlines():
            try:
                told = json.loads(line)
                key, response = told["custom_id"], told.get("response") or {}
                body = response.get("body")
            except (ValueError, KeyError, TypeError, AttributeError):
                continue  # whose line it is cannot be told: that call has no reply
            if response.get("status_code") == 200:
                reply = read(
                    json.dumps(body).encode(),
                    model=model,
                    price=reduced,
                    same_model=self.endpoint.same_model,
                )
            else:
                reply = self._refused(response.get("status_code"), body or told.get("error"))
            yield key, cleaned(replace(reply, detail={**reply.detail, "batch": batch}))

    def _refused(self, status: int | None, body: Any) -> Reply:
        """The failure that a line tells of, and what of the request it was that was not taken."""
        error = body.get("error", body) if isinstance(body, dict) else body
        said = self._hidden(json.dumps(body))
        reply = Reply(text=said).failed(failure_of(error), f"HTTP {status}: {said[:500]}")
        name = disliked(status, error, dict.fromkeys(NAMES))
        return reply if name is None else replace(reply, detail={NOT_TAKEN: name})
