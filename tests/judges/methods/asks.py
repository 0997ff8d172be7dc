"""Questions that the tests of methods put: one passage, four sentences."""

from collections.abc import Sequence
from typing import Any

from judges.methods.asks import Ask, AskOutcome
from tasktypes.citation_recovery import CITATION_RECOVERY
from tasktypes.likert import LIKERT
from tasktypes.slider import SLIDER

PASSAGE = "The bridge was closed last year."
SENTENCES = (
    "Traffic crossed the river elsewhere.",
    "Taxes rose in May.",
    "The mayor closed the bridge.",
    "Nobody was there.",
)


def recovery(passage: str = PASSAGE, sentences: Sequence[str] = SENTENCES) -> Ask:
    payload = {
        "claim": "The bridge was open.",
        "verdict": "false",
        "passages": [{"index": 3, "text": passage}],
        "passage": 3,
        "sentences": [{"number": n, "text": text} for n, text in enumerate(sentences)],
    }
    return Ask(1, "unit", "recovery", CITATION_RECOVERY, payload)


def rating(
    *,
    labels: Sequence[str] = (),
    document: str = PASSAGE,
    sentences: Sequence[str] = SENTENCES,
    per_sentence: bool = False,
    keys: Sequence[str] = ("quality",),
) -> Ask:
    """Points 1 to 5, or the labels; a criterion per key."""
    points: list[Any] = [{"value": label} for label in labels]
    points = points or [{"value": value} for value in range(1, 6)]
    distance = "nominal" if labels else "interval"
    criteria = [
        {"key": key, "question": "How good?", "distance": distance, "points": points}
        for key in keys
    ]
    payload = {
        "criteria": criteria,
        "per_sentence": per_sentence,
        "sentences": list(sentences),
        "document": document,
    }
    return Ask(2, "unit", "rating", LIKERT, payload)


def slider(document: str = PASSAGE) -> Ask:
    payload = {
        "claim": "",
        "verdict": "",
        "query": "",
        "document": document,
        "passages": [],
        "sentences": list(SENTENCES),
    }
    return Ask(3, "unit", "slider", SLIDER, payload)


def answered(outcome: AskOutcome) -> Any:
    assert outcome.answer is not None, outcome.replies[0].error
    return outcome.answer
