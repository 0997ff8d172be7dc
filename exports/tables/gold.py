"""Gold answers as lines, with what they replaced."""

import json
from collections.abc import Iterator

from annotation.models import GoldAnswer, Study

CHUNK = 2000


def gold_lines(study: Study) -> Iterator[str]:
    """One line per gold answer, superseded ones too, in the order in which they were decided.

    Adjudicators are numbered in the order of their first decision: accounts have names of people.
    """
    rows = GoldAnswer.objects.filter(study=study).order_by("pk")
    fields = ("question__unit__key", "question__block__key", "answer", "reason", "blind", "by_id")
    numbers: dict[int | None, int] = {}
    for unit, block, answer, reason, blind, by, at, superseded in rows.values_list(
        *fields, "at", "superseded_at"
    ).iterator(CHUNK):
        record = {
            "unit": unit,
            "block": block,
            "answer": answer,
            "reason": reason,
            "blind": blind,
            "adjudicator": numbers.setdefault(by, len(numbers) + 1),
            "decided_at": at.isoformat(timespec="seconds"),
            "current": superseded is None,
        }
        yield json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"
