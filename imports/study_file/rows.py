"""Database rows from a study file."""

from typing import Any

from annotation.models import Block, Round, Study
from imports.study_file.fields import round_fields
from imports.study_file.schema import StudyRecord
from imports.study_file.study_fields import same_fields, same_keys


def row_fields(described: StudyRecord) -> dict[str, Any]:
    """The fields of the Study row that a description sets."""
    consent = described.consent
    return {
        **same_fields(described, same_keys()),
        "tips": list(described.tips),
        "comprehension": [part.model_dump(mode="json") for part in described.comprehension],
        "free_text": described.free_text.as_stored(),
        "questionnaire": described.questionnaire.as_stored(),
        "consent_text": consent.text if consent else "",
        "consent_version": consent.version if consent else "",
        "ethics": described.ethics.model_dump(exclude_defaults=True),
        "recruitment": described.recruitment.model_dump(mode="json", exclude_defaults=True),
        "judges": [
            judge if isinstance(judge, str) else judge.model_dump(exclude_defaults=True)
            for judge in described.judges
        ],
        "stop_rule": described.stop.as_stored() if described.stop else {},
        "budget": described.budget.as_stored() if described.budget else {},
        "alert_rules": described.alerts.as_stored(),
        "conclusions": [part.model_dump() for part in described.conclusions],
    }


def create_study(described: StudyRecord, **other: Any) -> Study:
    """A new study with its blocks and rounds, and no material yet. other: further fields."""
    study = Study.objects.create(slug=described.slug, **row_fields(described), **other)
    Block.objects.bulk_create(block_rows(study, described))
    Round.objects.bulk_create(
        Round(
            study=study,
            position=position,
            name=part.name,
            **round_fields(part, described.currency),
        )
        for position, part in enumerate(described.rounds)
    )
    return study


def block_rows(study: Study, described: StudyRecord) -> list[Block]:
    """The Block rows, not yet saved."""
    return [
        Block(
            study=study,
            position=position,
            key=key,
            task_type_slug=part.task_type,
            options=part.full_options,
        )
        for position, (key, part) in enumerate(
            zip(described.block_keys, described.blocks, strict=True)
        )
    ]
