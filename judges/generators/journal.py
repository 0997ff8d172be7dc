"""The file that a generator writes: a line per text, with every call that led to it."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from judges.backends.contract import Reply
from judges.generators.pieces import Piece
from judges.generators.text import Written
from judges.methods.contract import Outcome
from tasktypes.citations import cited


class Journal:
    """Appends lines, and finds the texts that an earlier run has left there."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def written(self) -> dict[str, tuple[str, Written]]:
        """Item key to its line's place and its text; of several the last, failures left out."""
        found: dict[str, tuple[str, Written]] = {}
        for number, line in self._lines():
            if line.get("written"):
                text = Written.model_validate(line["written"])
                found[line["item"]] = (f"{self.file.name}:{number}", text)
        return found

    def lengths(self) -> dict[str, dict[str, int]]:
        """Item key to the lengths of what was given and written."""
        return {line["item"]: line["lengths"] for _, line in self._lines() if line.get("written")}

    def add(self, piece: Piece, outcome: Outcome) -> None:
        """Write down what came of a piece, at once."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(_line(piece, outcome), ensure_ascii=False) + "\n")

    def _lines(self) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """The whole lines: a killed run may have left half of one."""
        if not self.file.is_file():
            return
        for number, text in enumerate(self.file.read_text(encoding="utf-8").splitlines(), 1):
            try:
                yield number, json.loads(text)
            except json.JSONDecodeError:
                continue


def _line(piece: Piece, outcome: Outcome) -> dict[str, Any]:
    line: dict[str, Any] = {"item": piece.key, "source": piece.source.key, "written": None}
    if isinstance(outcome.answer, Written):
        written = outcome.answer
        line["written"] = written.model_dump(mode="json")
        line["cited"] = list(cited(written.text))
        line["lengths"] = _lengths(piece, written)
    return line | {"calls": [_call(reply) for reply in outcome.replies]}


def _lengths(piece: Piece, written: Written) -> dict[str, int]:
    """In words, and for evidence in passages too."""
    given = [p.text for p in piece.source.passages if p.index in written.given]
    return {
        "claim_words": len(piece.source.claim.split()),
        "evidence_passages": len(given),
        "evidence_words": sum(len(text.split()) for text in given),
        "text_words": len(written.text.split()),
    }


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
