"""A backend that replays a file: for tests, and for running a past run again."""

import hashlib
import json
import time
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from judges.backends.contract import Failure, Reply, Request

NAME = "scripted"
Key = tuple[str, str, int, int]


class Line(BaseModel):
    """One reply of the file. Without `block` it is for every block of the unit."""

    model_config = ConfigDict(extra="forbid")

    unit: str
    block: str = ""
    replicate: int = Field(default=0, ge=0)
    sample: int = Field(default=0, ge=0)
    reply: str = ""
    failure: Failure | None = None
    error: str = ""
    tokens_in: int | None = Field(default=None, ge=0)
    tokens_out: int | None = Field(default=None, ge=0)
    cost: Decimal | None = Field(default=None, ge=0)

    @property
    def key(self) -> Key:
        return self.unit, self.block, self.replicate, self.sample


class ScriptedBackend:
    """Finds each reply in a file by unit, block, replicate and sample.

    `delay` makes every reply take that many seconds, as a model would.
    """

    def __init__(self, file: Path, *, sha256: str, delay: float = 0.0) -> None:
        self.file, self.delay = file, delay
        if fingerprint(file) != sha256:
            raise ValueError(f"{file}: has changed since the judge was defined")
        self.lines = _read(file, sha256)

    def reply(self, request: Request) -> Reply:
        started = time.monotonic()
        time.sleep(self.delay)
        line = self._line(request)
        asked = {"prompt": request.prompt, "seed": request.seed, "sample": request.sample}
        if line is None:
            reason = f"{self.file.name} has no reply for unit {request.unit}"
            return Reply(request=asked).failed(Failure.ERROR, reason)
        return Reply(
            text=line.reply,
            failure=line.failure,
            error=line.error or (f"scripted {line.failure}" if line.failure else ""),
            request=asked,
            tokens_in=line.tokens_in,
            tokens_out=line.tokens_out,
            cost=line.cost,
            latency_ms=round(1000 * (time.monotonic() - started)),
        )

    def _line(self, request: Request) -> Line | None:
        """The reply of this very replicate; where the file has none, that of the first."""
        for replicate in (request.replicate, 0):
            for block in (request.block, ""):
                found = self.lines.get((request.unit, block, replicate, request.sample))
                if found is not None:
                    return found
        return None


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
