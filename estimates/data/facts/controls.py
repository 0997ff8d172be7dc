"""Answers to control questions, each checked against the right one."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from estimates.data.records import BlockRecord, Records, StoredReference

_Judged = tuple[bool, Mapping[str, bool]]


@dataclass(frozen=True)
class ControlAnswer:
    """One answer to a control question, and whether it was right. counts: not in a pilot. right_in:
    facet -> whether its part of the answer was right, where the block has several facets."""

    block: int
    unit: int
    source: int
    rater: int
    round: str
    counts: bool
    right: bool
    right_in: Mapping[str, bool] = field(default_factory=dict)


def check_controls(records: Records, blocks: Sequence[BlockRecord]) -> Iterator[ControlAnswer]:
    """Every standing answer to a control question of every round; pilots are told apart."""
    by_id = {block.pk: block for block in blocks}
    questions = {stored.question: stored for stored in records.control_questions()}
    judged: dict[tuple[int, str], _Judged] = {}  # thousands give the same answer to one control
    for record in records.control_answers():
        stored, content = questions[record.question], (record.question, json.dumps(record.answer))
        if content not in judged:
            judged[content] = _judged(by_id[stored.block], stored, record.answer)
        right, right_in = judged[content]
        yield ControlAnswer(
            block=stored.block,
            unit=stored.unit,
            source=stored.source,
            rater=record.rater,
            round=record.round or "",
            counts=record.counts is not False,
            right=right,
            right_in=right_in,
        )


def _judged(block: BlockRecord, stored: StoredReference, answer: object) -> _Judged:
    """Whether an answer is right, and facet by facet."""
    task_type = block.task_type
    payload = task_type.Payload.model_validate(stored.payload)
    own = task_type.Answer.model_validate(answer)
    reference = task_type.Answer.model_validate(stored.reference)
    right_in: dict[str, bool] = {}
    if len(block.facets) > 1:
        names = {facet.name for facet in block.facets}
        for part in task_type.compared(payload, own, reference):
            name = part.part.partition(".")[0]
            if name in names:
                is_right = part.verdict in ("right", "open")
                right_in[name] = right_in.get(name, True) and is_right
    return task_type.is_right(payload, own, reference), right_in
