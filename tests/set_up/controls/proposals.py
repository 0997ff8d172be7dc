"""Studies whose units can become controls, and proposals of such controls."""

from typing import Any

from annotation.models import (
    Study,
    Unit,
)
from set_up.controls.proposals import (
    propose_controls,
)


def select_one_passage(study: Study) -> Study:
    for question in study.questions.filter(block__position=0):
        for passage in question.payload["passages"]:
            passage["selected"] = passage["index"] == 1
        question.save()
    return study


def propose(study: Study, **wanted: Any) -> list[Unit]:
    wanted = {"positive": 0, "negative": 0, "seed": 1, **wanted}
    return propose_controls(study=study, round_=study.rounds.get(), **wanted)
