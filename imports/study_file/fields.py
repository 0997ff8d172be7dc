"""Keys of a study file as its rows have them: those of a round, and those that a study has now."""

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from annotation.models import Round, Study
from imports.study_file.parts import RoundPart
from imports.study_file.study_fields import same_fields, same_keys

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
    "calibration_sources": "calibration",
    "max_batches": "max_batches",
    "expected_minutes": "expected_minutes",
    "failing": "failing",
    "pass_accuracy": "pass_",
    "keep_accuracy": "keep",
    "min_controls": "min_controls",
    "base_pay": "pay.base",
    "bonus_pay": "pay.bonus",
}


def current_settings(study: Study) -> dict[str, Any]:
    """The blocks and plain fields of a study as its file would name them: what a file leaves out
    stays, and is checked together with what it names."""
    blocks = [
        {"task_type": block.task_type_slug, "options": block.options, "key": block.key}
        for block in study.blocks.order_by("position")
    ]
    return {**same_fields(study, same_keys()), "blocks": blocks}


def round_fields(part: RoundPart, currency: str) -> dict[str, Any]:
    """The fields of a Round row except its name and its position.

    Rounds that pay nothing are in the study's currency, too.
    """
    fields = {field: attrgetter(path)(part) for field, path in ROUND_FIELDS.items()}
    return fields | {"currency": currency}


def round_record(round_: Round, fields: Mapping[str, str] = SHARED_ROUND_FIELDS) -> dict[str, Any]:
    """A round as exports show it, or with all its fields, in the shape of the study file."""
    record: dict[str, Any] = {"name": round_.name}
    for field, path in fields.items():
        *within, key = path.split(".")
        place = record
        for name in within:
            place = place.setdefault(name, {})
        place[key.rstrip("_")] = getattr(round_, field)
    return record
