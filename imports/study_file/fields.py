"""Which key of a study file sets which field of a row: one table for reading and for writing."""

from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any

from annotation.models import Round, Study
from imports.study_file.parts import RoundPart

# Fields of a Study that its file holds under the same names and as they are.
STUDY_FIELDS = (
    "title",
    "language",
    "instructions",
    "content_warning",
    "debrief",
    "comprehension_tries",
    "verdicts",
    "setting",
    "epsilon",
    "margins",
    "overlap",
    "lease_minutes",
    "max_extensions",
    "max_batches_per_worker",
    "batches",
    "screenout_pay",
    "minimum_hourly_pay",
    "show_hourly_rate",
    "tell_controls",
    "tell_missed",
    "collect_paradata",
    "seed",
)
# Those of them that exports give.
SHARED_STUDY_FIELDS = (
    *("instructions", "verdicts", "setting", "epsilon", "margins", "overlap", "seed"),
)
# Fields of a Round, and where a round of the file holds them. Exports give those up to `batch`;
# who passes and what it pays stays here.
SHARED_ROUND_FIELDS = {
    "counts": "counts",
    "shows_answers": "shows_answers",
    "normal_per_batch": "batch.normal",
    "positive_per_batch": "batch.positive",
    "negative_per_batch": "batch.negative",
}
ROUND_FIELDS = SHARED_ROUND_FIELDS | {
    "max_batches": "max_batches",
    "expected_minutes": "expected_minutes",
    "failing": "failing",
    "pass_accuracy": "pass_",
    "keep_accuracy": "keep",
    "min_controls": "min_controls",
    "base_pay": "pay.base",
    "bonus_pay": "pay.bonus",
}


# Fields of a Study that hold another key of its file.
_KEYS = {
    "consent_text": "consent",
    "consent_version": "consent",
    "stop_rule": "stop",
    "alert_rules": "alerts",
}


def key_of(field: str) -> str:
    """The key of the study file that sets a field of the Study."""
    return _KEYS.get(field, field)


def standing_keys(study: Study) -> dict[str, Any]:
    """The blocks and plain fields of a study as its file would name them: what a file leaves out
    stays, and is checked together with what it names."""
    blocks = [
        {"task_type": block.task_type_slug, "options": block.options, "key": block.key}
        for block in study.blocks.order_by("position")
    ]
    return {**same_fields(study, STUDY_FIELDS), "blocks": blocks}


def round_fields(part: RoundPart, currency: str) -> dict[str, Any]:
    """The fields of a Round row except its name and its position.

    Rounds that pay nothing are in the study's currency, too.
    """
    fields = {field: attrgetter(path)(part) for field, path in ROUND_FIELDS.items()}
    return fields | {"currency": currency}


def round_record(round_: Round) -> dict[str, Any]:
    """A round as exports show it, in the shape of the study file."""
    record: dict[str, Any] = {"name": round_.name}
    for field, path in SHARED_ROUND_FIELDS.items():
        *within, key = path.split(".")
        place = record
        for name in within:
            place = place.setdefault(name, {})
        place[key] = getattr(round_, field)
    return record


def same_fields(row: object, names: Iterable[str]) -> Mapping[str, Any]:
    """The named fields of a row, for a record that holds them under the same names."""
    return {name: getattr(row, name) for name in names}
