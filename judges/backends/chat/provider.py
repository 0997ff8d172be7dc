"""The Batch API of one endpoint: upload requests, see how far a batch is, fetch its replies."""

import json
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

import openai

from endpoints.capabilities import NAMES, Body, rejected_parameter
from endpoints.clients import batch_client
from endpoints.endpoint import Endpoint, Price
from judges.backends.chat.batches import NOT_TAKEN, URL, BatchStatus, batch_file
from judges.backends.chat.faults import (
    NO_MONEY,
    OVERLOADED,
    TRANSIENT,
    error_in_reply,
    failure_of,
    secrets_of,
)
from judges.backends.chat.replies import read_reply
from judges.backends.chat.usage import usage_of, with_usage
from judges.backends.contract import Reply, Unavailable, Unusable
from judges.backends.received_text import clean_text, cleaned, parsed_json

WINDOW: Final = "24h"
# The key of our own mark in a batch's metadata.
TAG = "jurybox_job"
# Characters of what an endpoint says of a fault.
LONGEST_REASON = 500


class OpenAIBatches:
    """A `BatchProvider` by the openai SDK."""

    def __init__(self, name: str, endpoint: Endpoint) -> None:
        self.name, self.endpoint = name, endpoint
        self.secrets = secrets_of(name, endpoint)
        self.client = batch_client(endpoint, self.secrets)  # the sweep tries again
        weakref.finalize(self, self.client.close)

    def find(self, tag: str) -> str:
        """The id of the newest batch with that tag; empty where there is none."""
        with self._translated_errors():
            newest = self.client.batches.list(limit=100).data
        for batch in newest:
            if (batch.metadata or {}).get(TAG) == tag:
                return batch.id
        return ""

    def send(self, requests: Mapping[str, Body], tag: str) -> str:
        """Upload a file and start a batch with it; the provider's id of the batch."""
        with self._translated_errors():
            file = self.client.files.create(
                file=("requests.jsonl", batch_file(requests)), purpose="batch"
            )
            batch = self.client.batches.create(
                input_file_id=file.id,
                endpoint=URL,
                completion_window=WINDOW,
                metadata={TAG: tag},
            )
        return batch.id

    def status(self, provider_id: str, model: str) -> BatchStatus:
        """How far a batch is, and its replies once it has ended, whether it completed or not."""
        try:
            with self._translated_errors():
                return self._status(provider_id, model)
        except Unusable as error:
            if isinstance(error.__cause__, openai.NotFoundError):
                reason = f"The provider does not find the batch. {error}"
                return BatchStatus(has_ended=True, error=reason)
            raise

    def cancel(self, provider_id: str) -> None:
        """Stop a batch; the calls that were made until then are charged."""
        with self._translated_errors():
            self.client.batches.cancel(provider_id)

    def _status(self, provider_id: str, model: str) -> BatchStatus:
        batch = self.client.batches.retrieve(provider_id)
        if batch.status in ("validating", "in_progress", "finalizing", "cancelling"):
            can_be_stopped = batch.status in ("validating", "in_progress")
            return BatchStatus(has_ended=False, can_be_stopped=can_be_stopped)
        error = ""
        if batch.status != "completed":
            errors = (batch.errors and batch.errors.data) or []
            messages = "; ".join(error.message or "" for error in errors)
            error = f"The batch is {batch.status}. {messages}".strip()
        replies: dict[str, Reply] = {}
        for file_id in (batch.output_file_id, batch.error_file_id):
            if file_id:
                content = self.client.files.content(file_id).content
                replies |= dict(self._replies(content, model, provider_id))
        return BatchStatus(has_ended=True, error=self._without_secrets(error), replies=replies)

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        """Raise the client's transient errors as Unavailable, the others as Unusable."""
        try:
            yield
        except openai.APIStatusError as error:
            message = self._without_secrets(error.message)[:LONGEST_REASON]
            reason = f"Endpoint {self.name}: HTTP {error.status_code}: {message}"
            is_transient = error.status_code in OVERLOADED | TRANSIENT
            if is_transient and error.code not in NO_MONEY:
                raise Unavailable(reason) from error
            raise Unusable(reason) from error
        except openai.APIConnectionError as error:
            cause = self._without_secrets(str(error.__cause__ or error))
            raise Unavailable(f"Endpoint {self.name} cannot be reached: {cause}") from error
        except openai.APIError as error:
            message = self._without_secrets(error.message)
            raise Unusable(f"Endpoint {self.name}: {message}") from error

    def _without_secrets(self, text: str) -> str:
        """The text without our secrets, in case the endpoint repeats one, fit for the database."""
        return clean_text(self.secrets.removed_from(text))

    def _replies(self, content: bytes, model: str, batch: str) -> Iterator[tuple[str, Reply]]:
        price = self.endpoint.price(model)
        reduced = price.reduced(self.endpoint.batch_factor) if price else None
        for line in content.splitlines():
            try:
                record = parsed_json(line)
                key, response = record["custom_id"], record.get("response") or {}
                status, body = response.get("status_code"), response.get("body")
            except (ValueError, KeyError, TypeError, AttributeError):
                # Without an id the line belongs to no call, and that call has no reply.
                continue
            if status == 200:
                reply = self._read(body, model, reduced)
            else:
                body = body or record.get("error")
                error = body.get("error", body) if isinstance(body, dict) else body
                reply = self._refused(status, f"HTTP {status}", error, body)
                reply = with_usage([reply], usage_of(body, reduced))[0]
            yield key, cleaned(replace(reply, detail={**reply.detail, "batch": batch}))

    def _read(self, body: Any, model: str, price: Price | None) -> Reply:
        """The reply in the body of a line, or its error."""
        content = json.dumps(body).encode()
        error = error_in_reply(content)
        if error is not None:
            label = f"HTTP 200 with error {error.status or 'of no status'}"
            refused = self._refused(error.status, label, error.error, body)
            return with_usage([refused], usage_of(body, price))[0]
        return read_reply(content, model=model, price=price, same_model=self.endpoint.same_model)

    def _refused(self, status: int | None, label: str, error: Any, body: Any) -> Reply:
        """The failed reply of a line with an error, with the parameter that was rejected."""
        text = self._without_secrets(json.dumps(body))
        reply = Reply(text=text).failed(failure_of(error), f"{label}: {text[:LONGEST_REASON]}")
        name = rejected_parameter(status, error, dict.fromkeys(NAMES))
        return reply if name is None else replace(reply, detail={NOT_TAKEN: name})
