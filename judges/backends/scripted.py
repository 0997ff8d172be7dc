"""A backend that replays a file: for tests, and to repeat a past run."""

import hashlib
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from judges.backends.contract import ChatRequest, Failure, Reply, Request
from judges.backends.received_text import cleaned

NAME = "scripted"
ReplyKey = tuple[str, str, int, str, int]


class RecordedReply(BaseModel):
    """One reply of the file. Without `block` it serves every block of the unit."""

    model_config = ConfigDict(extra="forbid")

    unit: str
    block: str = ""
    replicate: int = Field(default=0, ge=0)
    step: str = ""
    sample: int = Field(default=0, ge=0)
    reply: str = ""
    failure: Failure | None = None
    error: str = ""
    tokens_in: int | None = Field(default=None, ge=0)
    tokens_out: int | None = Field(default=None, ge=0)
    cost: Decimal | None = Field(default=None, ge=0)
    detail: dict[str, Any] = Field(default_factory=dict)

    @property
    def key(self) -> ReplyKey:
        return self.unit, self.block, self.replicate, self.step, self.sample


class _ReplyFile:
    """A file of recorded replies, read."""

    def __init__(self, file: Path, sha256: str) -> None:
        self.file = file
        if fingerprint(file) != sha256:
            raise ValueError(f"{file}: has changed since the judge was defined")
        self.replies = _read(file, sha256)

    def reply(self, request: Request | ChatRequest, shown: Mapping[str, Any]) -> Reply:
        """The reply that the file holds for a request; a failure where it holds none."""
        step = request.step if isinstance(request, ChatRequest) else ""
        recorded = self._recorded(request, step)
        if recorded is None:
            where = f"unit {request.unit}" + (f", step {step}" if step else "")
            reason = f"{self.file.name} has no reply for {where}"
            return Reply(request=shown).failed(Failure.ERROR, reason)
        return cleaned(
            Reply(
                text=recorded.reply,
                failure=recorded.failure,
                error=recorded.error or (recorded.failure and f"scripted {recorded.failure}") or "",
                request=shown,
                tokens_in=recorded.tokens_in,
                tokens_out=recorded.tokens_out,
                cost=recorded.cost,
                detail=recorded.detail,
            )
        )

    def _recorded(self, request: Request | ChatRequest, step: str) -> RecordedReply | None:
        """The reply of this replicate; where the file has none, that of the first."""
        for replicate in (request.replicate, 0):
            for block in (request.block, ""):
                key = (request.unit, block, replicate, step, request.sample)
                if key in self.replies:
                    return self.replies[key]
        return None


class ScriptedBackend:
    """Finds each reply in a file by unit, block, replicate and sample.

    delay: seconds that every reply takes, to imitate a model.
    """

    def __init__(self, file: Path, *, sha256: str, delay: float = 0.0) -> None:
        self.file, self.delay = _ReplyFile(file, sha256), delay

    def reply(self, request: Request) -> Reply:
        started = time.monotonic()
        time.sleep(self.delay)
        shown = {"prompt": request.prompt, "seed": request.seed, "sample": request.sample}
        reply = self.file.reply(request, shown)
        return replace(reply, latency_ms=round(1000 * (time.monotonic() - started)))


class ScriptedChat:
    """The same file as a chat backend: finds each reply by its step as well."""

    in_flight = 8

    def __init__(self, file: Path, *, sha256: str) -> None:
        self.file = _ReplyFile(file, sha256)

    async def reply(self, request: ChatRequest) -> Reply:
        shown = {
            "messages": [dict(message) for message in request.messages],
            "seed": request.seed,
            "sample": request.sample,
            "temperature": request.temperature,
        }
        return replace(self.file.reply(request, shown), latency_ms=0)

    async def replies(self, requests: Sequence[ChatRequest]) -> list[Reply]:
        """The reply to each request."""
        return [await self.reply(request) for request in requests]

    async def close(self) -> None:
        """Do nothing: no connection is open."""


def fingerprint(file: Path) -> str:
    """SHA-256 of the file's bytes."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


@lru_cache(maxsize=4)
def _read(file: Path, sha256: str) -> dict[ReplyKey, RecordedReply]:
    """Every reply of a file; ValueError naming file, line and field where one is malformed.

    Read once per process and content, because every chunk opens the backend anew.
    """
    replies: dict[ReplyKey, RecordedReply] = {}
    for where, record in _records(file):
        try:
            reply = RecordedReply.model_validate(record)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, first["loc"]))
            raise ValueError(f"{where}: {field}: {first['msg']}") from error
        if reply.key in replies:
            raise ValueError(f"{where}: unit: {reply.unit} has a reply already")
        replies[reply.key] = reply
    return replies


def _records(file: Path) -> Iterator[tuple[str, Any]]:
    """The records of a JSON Lines file, or of a JSON file that holds one list."""
    text = file.read_text(encoding="utf-8")
    if text.lstrip().startswith("["):
        yield from ((f"{file}: record {n}", r) for n, r in enumerate(_parsed(text, str(file)), 1))
        return
    for number, row in enumerate(text.splitlines(), 1):
        if row.strip():
            yield f"{file}:{number}", _parsed(row, f"{file}:{number}")


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"{where}: not JSON: {error.msg}") from error
