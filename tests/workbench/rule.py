"""A study with people's answers, and a chat model whose answers go by a rule that a prompt reaches.

People say 80 of bridges with an odd number and 20 of the others. The model knows that once its
system message names the rule; it gets every second one right where the message is half of it.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from annotation.models import Question, Rater, Study
from judges.definitions.versions import define_judge
from judges.models import Judge
from tests.cast import make_study
from tests.judges.endpoints import MODEL
from tests.results.answers import rate

SLIDER: tuple[tuple[str, dict[str, Any]], ...] = (("slider", {}),)
POOR, HALF, GOOD = "Be quick.", "Look at the number.", "Odd numbers are good, others are bad."


def split_study(sources: int = 24, **fields: Any) -> Study:
    """A study of one slider with the answers of two people."""
    study = make_study("loop", sources=sources, blocks=SLIDER, **fields)
    for name in ("ann", "bo"):
        answer_all(study, Rater.objects.create(study=study, name=name, kind="human"), good_value)
    return study


def answer_all(study: Study, rater: Rater, value_of: Any) -> None:
    for question in questions(study):
        rate(rater, question, value_of(number_in(question.unit.source.claim)))


def questions(study: Study) -> list[Question]:
    rows = Question.objects.filter(study=study, unit__role="normal").order_by("pk")
    return list(rows.select_related("unit__source", "block"))


def good_value(number: int) -> float:
    return 80.0 if number % 2 else 20.0


def half_value(number: int) -> float:
    return good_value(number) if number % 4 < 2 else 50.0


def number_in(text: str) -> int:
    found = re.search(r"ridge (?:number )?(\d+)", text)
    assert found, text
    return int(found[1])


def by_the_rule(asked: Mapping[str, Any]) -> str:
    """The model's reply."""
    told = " ".join(m["content"] for m in asked["messages"] if m["role"] == "system")
    number = number_in(asked["messages"][-1]["content"])
    value = good_value(number) if GOOD in told else half_value(number) if HALF in told else 50.0
    because = {"reason": f"It is bridge {number}."} if '"reason"' in json.dumps(asked) else {}
    return json.dumps({**because, "value": value})


def chat_judge(study: Study, system: str, **parameters: Any) -> Judge:
    return define_judge(
        study=study,
        name="marker",
        method="zero_shot",
        backend="chat",
        model=MODEL,
        parameters={"system": system, **parameters},
    )
