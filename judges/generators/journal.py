"""The file that a generator writes: one line for each text, with all its calls."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from judges.backends.contract import Reply
from judges.generators.generator import GeneratedText
from judges.generators.planned_texts import PlannedText
from judges.methods.contract import AskOutcome
from tasktypes.citations import cited


class Journal:
    """Appends lines, and reads the texts of earlier runs."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def written(self) -> dict[str, tuple[str, GeneratedText]]:
        """By the item's key: where its line is, and its text. The last of several counts."""
        texts: dict[str, tuple[str, GeneratedText]] = {}
        for number, line in self._lines():
            if line.get("written"):
                text = GeneratedText.model_validate(line["written"])
                texts[line["item"]] = (f"{self.file.name}:{number}", text)
        return texts

    def lengths(self) -> dict[str, dict[str, int]]:
        """By the item's key: the lengths of the evidence and of the text."""
        return {line["item"]: line["lengths"] for _, line in self._lines() if line.get("written")}

    def add(self, planned: PlannedText, outcome: AskOutcome) -> None:
        """Append the outcome of a text at once, so that a killed run loses nothing paid for."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(_line(planned, outcome), ensure_ascii=False) + "\n")

    def _lines(self) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """The complete lines: a killed run may have left half of one."""
        if not self.file.is_file():
            return
        for number, text in enumerate(self.file.read_text(encoding="utf-8").splitlines(), 1):
            try:
                yield number, json.loads(text)
            except json.JSONDecodeError:
                continue


def _line(planned: PlannedText, outcome: AskOutcome) -> dict[str, Any]:
    line: dict[str, Any] = {"item": planned.key, "source": planned.source.key, "written": None}
    if isinstance(outcome.answer, GeneratedText):
        generated = outcome.answer
        line["written"] = generated.model_dump(mode="json")
        line["cited"] = list(cited(generated.text))
        line["lengths"] = _lengths(planned, generated)
    return line | {"calls": [_call(reply) for reply in outcome.replies]}


def _lengths(planned: PlannedText, generated: GeneratedText) -> dict[str, int]:
    evidence = [p.text for p in planned.source.passages if p.index in generated.given]
    return {
        "claim_words": len(planned.source.claim.split()),
        "evidence_passages": len(evidence),
        "evidence_words": sum(len(text.split()) for text in evidence),
        "text_words": len(generated.text.split()),
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
