"""Answers to any question, drawn by chance."""

from random import Random
from typing import Any

from annotation.answers.record import GivenAnswer, record_answers
from annotation.models import Rater, Study


def answer_by_chance(study: Study, rater: Rater, draw: Random, *, but: int = 0) -> None:
    """Answer every normal question, except the first so many."""
    questions = study.questions.filter(unit__role="normal").select_related("block", "unit")
    given = [
        GivenAnswer(question, question.typed_answer(_ANSWERS[kind](question.payload, draw)))
        for question in questions.order_by("pk")[but:]
        for kind in [question.block.task_type_slug]
    ]
    record_answers(rater=rater, given=given)


def _yes(draw: Random) -> bool:
    return draw.random() < 0.5


def _scores(payload: Any, draw: Random) -> dict[str, Any]:
    def drawn(scale: Any) -> Any:
        return draw.choice(scale["points"])["value"]

    size = len(payload["candidates"] or (payload["sentences"] if payload["per_sentence"] else ()))
    return {
        scale["key"]: [drawn(scale) for _ in range(size)] if size else drawn(scale)
        for scale in payload["criteria"]
    }


def _rubric(payload: Any, draw: Random) -> dict[str, Any]:
    return {
        "errors": [
            {"error": at, "points_out": _yes(draw), "corrects": _yes(draw)}
            for at in range(len(payload["errors"]))
        ],
        "links": [
            {"link": at, "exists": _yes(draw), "relevant": _yes(draw), "supports": _yes(draw)}
            for at in range(len(payload["links"]))
        ],
    }


def _importance(payload: Any, draw: Random) -> dict[str, Any]:
    claims = range(len(payload["claims"]))
    labels, support = ("vital", "okay", "less-important"), ("supported", "unsupported")
    facts = ("supported", "partly", "not")
    return {
        "claims": [
            {"claim": at, "importance": draw.choice(labels), "support": draw.choice(support)}
            for at in claims
        ],
        "order": draw.sample(claims, len(claims)),
        "nuggets": [
            {"nugget": at, "support": draw.choice(facts)} for at in range(len(payload["nuggets"]))
        ],
    }


def _ranks(payload: Any, draw: Random) -> dict[str, Any]:
    places = range(1, len(payload["candidates"]) + 1)
    return {c["key"]: draw.sample(places, len(places)) for c in payload["criteria"]}


_ANSWERS: dict[str, Any] = {
    "citation_recovery": lambda payload, draw: {
        "sentences": [at for at in range(len(payload["sentences"])) if _yes(draw)]
    },
    "slider": lambda payload, draw: {"value": draw.uniform(payload["low"], payload["high"])},
    "likert": lambda payload, draw: {"scores": _scores(payload, draw)},
    "ranking": lambda payload, draw: {"ranks": _ranks(payload, draw)},
    "pairwise": lambda payload, draw: {
        "preferred": {c["key"]: draw.choice(("first", "second")) for c in payload["criteria"]}
    },
    "actionability": _rubric,
    "importance": _importance,
}
