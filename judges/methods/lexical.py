"""The lexical judge: the sentence that shares most words with the passage, without a model."""

import re
import time

from judges.backends.contract import Reply
from judges.methods.asks import Ask, AskOutcome
from judges.methods.contract import Method, NoParameters
from tasktypes.citation_recovery import CITATION_RECOVERY
from tasktypes.texts.citations import without_markers

_TOKEN = re.compile(r"[a-z0-9]+")


def tokens(text: str) -> frozenset[str]:
    """The words and numbers of a text, lower-cased, without its citation markers."""
    return frozenset(_TOKEN.findall(without_markers(text).lower()))


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """The Jaccard similarity, in [0, 1]; 0 where both sets are empty."""
    return len(left & right) / len(left | right) if left or right else 0.0


class Lexical(Method[NoParameters]):
    """The sentence with most shared words, the first of several, or none."""

    name = "lexical"
    title = "Shared words"
    description = (
        "Compares the passage with each sentence by the words and numbers they share (Jaccard "
        "similarity of the sets of lower-cased tokens, without citation markers) and names the "
        "most similar sentence, the first of several; none where no sentence shares a word. "
        "It asks no model and is deterministic."
    )
    serves = (CITATION_RECOVERY,)
    opens_model = False
    Parameters = NoParameters

    def answer(self, ask: Ask) -> AskOutcome:
        started = time.monotonic()
        payload = CITATION_RECOVERY.Payload.model_validate(ask.payload)
        evidence = tokens(payload.passage_in_question.text)
        scores = {s.number: jaccard(evidence, tokens(s.text)) for s in payload.sentences}
        best = max(scores.values())
        chosen = [number for number, score in scores.items() if score == best and best > 0][:1]
        reply = Reply(
            text=", ".join(f"{number}: {score:.4f}" for number, score in scores.items()),
            latency_ms=round(1000 * (time.monotonic() - started)),
        )
        return AskOutcome(ask, (reply,), CITATION_RECOVERY.Answer(sentences=tuple(chosen)))
