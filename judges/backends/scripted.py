"""A backend that replays a file: for tests, and for running a past run again."""

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
Key = tuple[str, str, int, str, int]


class Line(BaseModel):
    """One reply of the file. Without `block` it is for every block of the unit."""

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
    def key(self) -> Key:
        return self.unit, self.block, self.replicate, self.step, self.sample


class _Script:
    """A file of replies, opened."""

    def __init__(self, file: Path, sha256: str) -> None:
        self.file = file
        if fingerprint(file) != sha256:
            raise ValueError(f"{file}: has changed since the judge was defined")
        self.lines = _read(file, sha256)

    def reply(self, request: Request | ChatRequest, asked: Mapping[str, Any]) -> Reply:
        """What the file holds for a request; a failure where that is nothing."""
        step = request.step if isinstance(request, ChatRequest) else ""
        line = self._line(request, step)
        if line is None:
            where = f"unit {request.unit}" + (f", step {step}" if step else "")
            reason = f"{self.file.name} has no reply for {where}"
            return Reply(request=asked).failed(Failure.ERROR, reason)
        return cleaned(
            Reply(
                text=line.reply,
                failure=line.failure,
                error=line.error or (f"scripted {line.failure}" if line.failure else ""),
                request=asked,
                tokens_in=line.tokens_in,
                tokens_out=line.tokens_out,
                cost=line.cost,
                detail=line.detail,
            )
        )

    def _line(self, request: Request | ChatRequest, step: str) -> Line | None:
        """The reply of this very replicate; where the file has none, that of the first."""
        for replicate in (request.replicate, 0):
            for block in (request.block, ""):
                found = self.lines.get((request.unit, block, replicate, step, request.sample))
                if found is not None:
                    return found
        return None


class ScriptedBackend:
    """Finds each reply in a file by unit, block, replicate and sample.

    `delay` makes every reply take that many seconds, as a model would.
    """

    def __init__(self, file: Path, *, sha256: str, delay: float = 0.0) -> None:
        self.script, self.delay = _Script(file, sha256), delay

    def reply(self, request: Request) -> Reply:
        started = time.monotonic()
        time.sleep(self.delay)
        asked = {"prompt": request.prompt, "seed": request.seed, "sample": request.sample}
        found = self.script.reply(request, asked)
        return replace(found, latency_ms=round(1000 * (time.monotonic() - started)))


class ScriptedChat:
    """The same file as a partner to talk with: finds each reply by its step as well."""

    in_flight = 8

    def __init__(self, file: Path, *, sha256: str) -> None:
        self.script = _Script(file, sha256)

    async def reply(self, request: ChatRequest) -> Reply:
        asked = {
            "messages": [dict(message) for message in request.messages],
            "seed": request.seed,
            "sample": request.sample,
            "temperature": request.temperature,
        }
        return replace(self.script.reply(request, asked), latency_ms=0)

    async def replies(self, requests: Sequence[ChatRequest]) -> list[Reply]:
        """Each as the file has it."""
        return [await self.reply(request) for request in requests]

    async def close(self) -> None:
        """There is nothing to let go of."""


def fingerprint(file: Path) -> str:
    """SHA-256 of the file's bytes."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


@lru_cache(maxsize=4)
def _read(file: Path, sha256: str) -> dict[Key, Line]:
    """Every reply of a file; ValueError naming file, line and field where one is no reply.

    Read once per process and content: every chunk makes the backend anew.
    """
    lines: dict[Key, Line] = {}
    for where, record in _records(file):
        try:
            line = Line.model_validate(record)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, first["loc"]))
            raise ValueError(f"{where}: {field}: {first['msg']}") from error
        if line.key in lines:
            raise ValueError(f"{where}: unit: {line.unit} has a reply already")
        lines[line.key] = line
    return lines


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
