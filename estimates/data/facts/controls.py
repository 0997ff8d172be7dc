"""Answers to control questions, each checked against the right one."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from estimates.data.records import BlockRecord, Records, StoredReference


@dataclass(frozen=True)
class ControlAnswer:
    """One answer to a control question, and whether it was right. counts: not in a pilot."""

    block: int
    unit: int
    source: int
    rater: int
    round: str
    counts: bool
    right: bool


def check_controls(records: Records, blocks: Sequence[BlockRecord]) -> Iterator[ControlAnswer]:
    """Every standing answer to a control question of every round; pilots are told apart."""
    by_id = {block.pk: block for block in blocks}
    questions = {stored.question: stored for stored in records.control_questions()}
    judged: dict[tuple[int, str], bool] = {}  # thousands give the same answer to one control
    for record in records.control_answers():
        stored, content = questions[record.question], (record.question, json.dumps(record.answer))
        if content not in judged:
            judged[content] = _is_right(by_id[stored.block], stored, record.answer)
        yield ControlAnswer(
            block=stored.block,
            unit=stored.unit,
            source=stored.source,
            rater=record.rater,
            round=record.round or "",
            counts=record.counts is not False,
            right=judged[content],
        )


def _is_right(block: BlockRecord, stored: StoredReference, answer: object) -> bool:
    task_type = block.task_type
    return task_type.is_right(
        task_type.Payload.model_validate(stored.payload),
        task_type.Answer.model_validate(answer),
        task_type.Answer.model_validate(stored.reference),
    )
