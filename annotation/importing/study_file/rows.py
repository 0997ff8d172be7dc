"""From the parts of a study file to the rows that hold them."""

from typing import Any

from annotation.importing.study_file.parts import RoundPart
from annotation.importing.study_file.schema import StudyRecord
from annotation.models import Block, Round, Study


def study_fields(described: StudyRecord) -> dict[str, Any]:
    """The fields of the Study row that a description sets."""
    consent = described.consent
    return {
        "title": described.title,
        "language": described.language,
        "instructions": described.instructions,
        "tips": list(described.tips),
        "content_warning": described.content_warning,
        "debrief": described.debrief,
        "comprehension": [part.model_dump(mode="json") for part in described.comprehension],
        "comprehension_tries": described.comprehension_tries,
        "consent_text": consent.text if consent else "",
        "consent_version": consent.version if consent else "",
        "ethics": described.ethics.model_dump(exclude_defaults=True),
        "verdicts": described.verdicts,
        "recruitment": described.recruitment.model_dump(mode="json", exclude_defaults=True),
        "judges": [
            one if isinstance(one, str) else one.model_dump(exclude_defaults=True)
            for one in described.judges
        ],
        "conclusions": [part.model_dump() for part in described.conclusions],
        "setting": described.setting,
        "epsilon": described.epsilon,
        "overlap": described.overlap,
        "lease_minutes": described.lease_minutes,
        "max_extensions": described.max_extensions,
        "max_batches_per_worker": described.max_batches_per_worker,
        "batches": described.batches,
        "screenout_pay": described.screenout_pay,
        "minimum_hourly_pay": described.minimum_hourly_pay,
        "seed": described.seed,
    }


def round_fields(part: RoundPart, described: StudyRecord) -> dict[str, Any]:
    """The fields of a Round row, but for its place among the rounds. A round that pays nothing
    is in the study's currency, too."""
    return {
        "counts": part.counts,
        "shows_answers": part.shows_answers,
        "max_batches": part.max_batches,
        "expected_minutes": part.expected_minutes,
        "failing": part.failing,
        "normal_per_batch": part.batch.normal,
        "positive_per_batch": part.batch.positive,
        "negative_per_batch": part.batch.negative,
        "pass_accuracy": part.pass_,
        "keep_accuracy": part.keep,
        "min_controls": part.min_controls,
        "base_pay": part.pay.base,
        "bonus_pay": part.pay.bonus,
        "currency": described.currency,
    }


def create_study(described: StudyRecord) -> Study:
    """A new study with its blocks and rounds, and no material yet."""
    study = Study.objects.create(slug=described.slug, **study_fields(described))
    Block.objects.bulk_create(block_rows(study, described))
    Round.objects.bulk_create(
        Round(study=study, position=position, name=part.name, **round_fields(part, described))
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
