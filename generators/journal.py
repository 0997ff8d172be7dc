"""The file that a generator writes: one line for each conversation, with all its calls."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from django.conf import settings

from judges.backends.contract import Reply
from judges.methods.asks import Ask, AskOutcome
from tasktypes.schemas import Schema

# Characters of the digest in a file's name.
_DIGEST_LENGTH = 12

W = TypeVar("W", bound=Schema)


class Planned(Protocol):
    """A conversation to hold. key: names what it makes; in the journal it is the line's `item`."""

    @property
    def key(self) -> str: ...

    @property
    def ask(self) -> Ask: ...

    def about(self, written: Schema | None) -> dict[str, Any]:
        """What its line says besides result and calls. written: the result, where there is one."""


class Journal(Generic[W]):
    """Appends lines, and reads the results of earlier runs, which are `Written`."""

    def __init__(self, file: Path, written: type[W]) -> None:
        self.file = file
        self.Written = written

    def written(self, planned: Iterable[Planned]) -> dict[str, tuple[str, W]]:
        """By key: where the line is, and its result. The last of several counts, and none that was
        written about other material of the same key."""
        return {
            key: (f"{self.file.name}:{number}", self.Written.model_validate(line["written"]))
            for key, (number, line) in self._results(planned).items()
        }

    def lines(self, planned: Iterable[Planned]) -> dict[str, Mapping[str, Any]]:
        """By key: the whole line of the result."""
        return {key: line for key, (_, line) in self._results(planned).items()}

    def _results(self, planned: Iterable[Planned]) -> dict[str, tuple[int, Mapping[str, Any]]]:
        wanted = {each.key: _digest(each.ask) for each in planned}
        return {
            line["item"]: (number, line)
            for number, line in self._lines()
            if line.get("written")
            and line["item"] in wanted
            # Lines of before this was kept have none.
            and line.get("material", wanted[line["item"]]) == wanted[line["item"]]
        }

    def add(self, planned: Planned, outcome: AskOutcome) -> None:
        """Append an outcome at once, so that a killed run loses nothing paid for."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(self._line(planned, outcome), ensure_ascii=False) + "\n")

    def _line(self, planned: Planned, outcome: AskOutcome) -> dict[str, Any]:
        answer = outcome.answer if isinstance(outcome.answer, self.Written) else None
        written = None if answer is None else answer.model_dump(mode="json")
        return {
            "item": planned.key,
            "material": _digest(planned.ask),
            "written": written,
            **planned.about(answer),
            "calls": [_call(reply) for reply in outcome.replies],
        }

    def _lines(self) -> Iterator[tuple[int, Mapping[str, Any]]]:
        return _lines_in(self.file)


def study_lines(study: str) -> Iterator[Mapping[str, Any]]:
    """The lines of all journals of a study."""
    for file in sorted(_folder(study).glob("*.jsonl")):
        for _, line in _lines_in(file):
            yield line


def _lines_in(file: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The complete lines with their numbers: a killed run may have left half of one."""
    if not file.is_file():
        return
    with file.open(encoding="utf-8") as lines:
        for number, text in enumerate(lines, 1):
            try:
                yield number, json.loads(text)
            except json.JSONDecodeError:
                continue


def _folder(study: str) -> Path:
    return Path(settings.DATA_DIR) / "generated" / study


def journal_file(study: str, generator: str, definition: Mapping[str, Any], prompt: str) -> Path:
    """The file for a study and a definition: another model or prompt has another file."""
    text = json.dumps({**definition, "prompt": prompt}, sort_keys=True)
    digest = hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_LENGTH]
    return _folder(study) / f"{generator}-{digest}.jsonl"


def _digest(ask: Ask) -> str:
    """What tells the material of a conversation from another of the same key."""
    text = json.dumps(ask.raw_payload, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_LENGTH]


def _call(reply: Reply) -> dict[str, Any]:
    return {
        "step": reply.step,
        "failure": reply.failure,
        "error": reply.error,
        "request": dict(reply.request),
        "reply": reply.text,
        "tokens_in": reply.tokens_in,
        "tokens_out": reply.tokens_out,
        "cost": None if reply.cost is None else str(reply.cost),
        "latency_ms": reply.latency_ms,
        "detail": dict(reply.detail),
    }
