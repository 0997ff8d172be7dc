"""Answers to controls are right as a whole, and criterion by criterion."""

from dataclasses import dataclass
from typing import Any

from estimates.data.facts.controls import check_controls
from estimates.data.records import BlockRecord, ControlRecord, StoredReference
from tasktypes.likert import LIKERT
from tasktypes.likert.example import EXAMPLE

OPTIONS = LIKERT.Options.model_validate(EXAMPLE.options)
PAYLOAD = LIKERT.payload(EXAMPLE.source, EXAMPLE.items, EXAMPLE.focus, OPTIONS)
BLOCK = BlockRecord.of(1, "quality", "likert", EXAMPLE.options)


@dataclass(frozen=True)
class Stored:
    """One control whose right answer is that of the example, and the answers to it."""

    answers: list[dict[str, Any]]

    def control_questions(self) -> list[StoredReference]:
        payload = PAYLOAD.model_dump(mode="json")
        return [StoredReference(1, 1, 1, BLOCK.pk, payload, EXAMPLE.answer)]

    def control_answers(self) -> list[ControlRecord]:
        return [ControlRecord(1, 7, {"scores": scores}, "main", True) for scores in self.answers]


def test_a_control_is_right_where_every_criterion_is_within_its_tolerance() -> None:
    """Right are refuted and 3; clarity tolerates a point, the verdict, which has names, none."""
    scores = [
        {"label_from_text": "refuted", "clarity": 4.0},
        {"label_from_text": "refuted", "clarity": 1.0},
        {"label_from_text": "supported", "clarity": 3.0},
    ]
    checked = list(check_controls(Stored(scores), [BLOCK]))  # type: ignore[arg-type]  # two of its methods
    assert [answer.right for answer in checked] == [True, False, False]
    assert [dict(answer.right_in) for answer in checked] == [
        {"label_from_text": True, "clarity": True},
        {"label_from_text": True, "clarity": False},
        {"label_from_text": False, "clarity": True},
    ]
