"""A run's replies as a file for the backend `scripted`."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from judges.models import Call, JudgeRun

BATCH = 500


def replay_lines(run: JudgeRun) -> Iterator[str]:
    """One line of JSON for each call that ended, ordered by question.

    `sample` counts the calls of one step of an answer from 0, as the backend looks them up.
    """
    ended = run.calls.exclude(status__in=[Call.Status.PLANNED, Call.Status.SKIPPED])
    rows = ended.unsealed().select_related("question__unit", "question__block")
    rows = rows.defer("question__payload")
    ordered = rows.order_by("question", "replicate", "sample")
    previous, samples = None, Counter[str]()
    for call in ordered.iterator(chunk_size=BATCH):
        key = (call.question_id, call.replicate)
        if key != previous:
            previous, samples = key, Counter()
        sample = samples[call.step]
        samples[call.step] += 1
        yield json.dumps(_line(call, sample), ensure_ascii=False) + "\n"


def _line(call: Call, sample: int) -> dict[str, Any]:
    line: dict[str, Any] = {
        "unit": call.question.unit.key,
        "block": call.question.block.key,
        "replicate": call.replicate,
        "step": call.step,
        "sample": call.request.get("sample", sample),
        "reply": call.reply,
        "failure": call.status if call.has_failed else None,
        "error": call.error,
        "tokens_in": call.tokens_in,
        "tokens_out": call.tokens_out,
        "cost": None if call.cost is None else str(call.cost),
        "detail": call.detail,
    }
    return {name: value for name, value in line.items() if value not in (None, "", {})}
