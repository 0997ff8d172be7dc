"""What a question has to show before an answer can be about something.

Files of ratings often hold no texts. Their questions can take imported answers; but neither people
nor machines can answer them.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel

from tasktypes.texts.material import NO_TEXT, is_known

# text: the text or texts in question. claim: the claim that was checked. evidence: something to
# hold the text against, a document or passages.
Need = Literal["text", "claim", "evidence"]
NAMES: Mapping[Need, str] = {
    "text": "the text to judge",
    "claim": "the claim",
    "evidence": "a document or passages",
}
TEXT: frozenset[Need] = frozenset({"text"})
CLAIM: frozenset[Need] = frozenset({"claim"})
EVIDENCE: frozenset[Need] = frozenset({"evidence"})


def named(needs: Iterable[Need]) -> str:
    """The needs in words: "the text to judge and the claim"."""
    wanted = set(needs)
    return " and ".join(name for need, name in NAMES.items() if need in wanted)


def absent(payload: BaseModel, needs: Iterable[Need]) -> tuple[Need, ...]:
    """Those of the needs that the question does not show."""
    there = {"text": _shows_text, "claim": _shows_claim, "evidence": _shows_evidence}
    return tuple(need for need in sorted(needs) if not there[need](payload))


def without_stand_in(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """A stored payload without a document that only stands for a missing one: no machine is to
    read it as a document."""
    return {**payload, "document": ""} if payload.get("document") == NO_TEXT else payload


def _shows_text(payload: BaseModel) -> bool:
    """Some words, and every text that is compared. A sentence may be empty: one that consists of
    its citation alone is, once that is taken out."""
    texts = _texts(payload)
    return NO_TEXT not in texts and any(map(is_known, texts))


def _texts(payload: BaseModel) -> Sequence[str]:
    parts = getattr(payload, "candidates", ()) or getattr(payload, "sentences", ())
    return [part if isinstance(part, str) else part.text for part in parts]


def _shows_claim(payload: BaseModel) -> bool:
    return is_known(getattr(payload, "claim", ""))


def _shows_evidence(payload: BaseModel) -> bool:
    passages = [passage.text for passage in getattr(payload, "passages", ())]
    return any(map(is_known, (getattr(payload, "document", ""), *passages)))
