"""Evaluate three answers with inspect_ai, scored by two judges of `study.yaml`.

python make.py FOLDER: where inspect_ai is installed and Jurybox can be imported. No model is asked:
inspect_ai's own mockllm answers. Writes the log, and what inspect_ai reports on it.
"""

import json
import math
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate

from jurybox.scorers import judge_scorer

STUDY = Path(__file__).parent / "study.yaml"
OUT = Path(sys.argv[1])
ANSWERS = {
    "When does the pool open?": "At nine.",
    "When does the tram run?": "Soon.",
    "Does the ferry sail?": "No.",
}
STRICT = {"At nine.": {"says_when": 5}, "Soon.": {"says_when": 2}}
STYLE = {"At nine.": {"clarity": 3, "tone": "warm"}, "Soon.": {"clarity": 2, "tone": "dry"}}


def said(text: str, *, model: str) -> ModelOutput:
    output = ModelOutput.from_content(model, text)
    # Without it inspect_ai would count tokens, and look for a list of them on the net.
    output.usage = ModelUsage(input_tokens=7, output_tokens=3, total_tokens=10)
    return output


def answer(messages: list[ChatMessage], *_: Any) -> ModelOutput:
    return said(ANSWERS[messages[-1].text], model="mockllm/model")


def graded(scores: Mapping[str, Any], *, name: str) -> Any:
    """A grader that knows two of the answers; its reply about the third cannot be read."""

    def grade(messages: list[ChatMessage], *_: Any) -> ModelOutput:
        of = next((of for text, of in scores.items() if text in messages[-1].text), None)
        reason = {"reason": "I looked."} if "Give your reason" in messages[-1].text else {}
        reply = json.dumps(reason | {"scores": of}) if of else "I cannot say."
        return said(reply, model=f"mockllm/{name}")

    return model(name, grade)


def model(name: str, answers: Any) -> Any:
    return get_model(f"mockllm/{name}", custom_outputs=answers)


task = Task(
    name="hours",
    dataset=[Sample(id=question.split()[-2], input=question) for question in ANSWERS],
    solver=generate(),
    scorer=[
        judge_scorer(STUDY, "strict", block="when", model=graded(STRICT, name="strict")),
        judge_scorer(STUDY, "stylist", block="style"),
    ],
)
(log,) = evaluate(
    task, model=model("model", answer), model_roles={"grader": graded(STYLE, name="stylist")},
    log_dir=str(OUT), display="none",
)  # fmt: skip
assert log.status == "success", log.error
Path(log.location).rename(OUT / "hours.eval")
report = {
    score.name: {name: metric.value for name, metric in score.metrics.items()}
    | {"scored": score.scored_samples, "unscored": score.unscored_samples}
    for score in log.results.scores
}
assert not any(math.isnan(v) for of in report.values() for v in of.values())
(OUT / "report.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
