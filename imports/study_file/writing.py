"""The study file of a study as it stands: the same keys that `apply_study` reads."""

from typing import Any

import yaml

from annotation.models import Round, Study
from files.errors import ImportFailure
from imports.study_file.fields import ROUND_FIELDS, current_settings, round_record
from imports.study_file.picked import picked_units
from imports.study_file.schema import StudyFile

# Named in this order; what stands at its default is left out.
_FIRST = ("slug", "title", "blocks", "items", "columns", "instructions", "consent", "ethics")


class _Dumper(yaml.SafeDumper):
    """Texts of several lines are written as such, and what stands twice is written twice."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def study_yaml(study: Study) -> str:
    """The study's file: applied to the study it changes nothing, applied elsewhere it makes the
    same one, with the files of items beside it."""
    return as_yaml(study_keys(study))


def as_yaml(keys: dict[str, Any]) -> str:
    """Keys of a study file as a file; ImportFailure where they are nested too deeply for one."""
    try:
        return yaml.dump(keys, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=100)
    except RecursionError as error:
        raise ImportFailure("study.yaml", "YAML", "too many parts within one another") from error


def study_keys(study: Study) -> dict[str, Any]:
    """The keys of the study's file, without those that stand at their default."""
    consent = {"text": study.consent_text, "version": study.consent_version}
    imported = study.imported
    keys = current_settings(study) | {
        "slug": study.slug,
        "tips": study.tips,
        "comprehension": study.comprehension,
        "free_text": study.free_text,
        "questionnaire": study.questionnaire,
        "consent": consent if study.consent_text else None,
        "ethics": study.ethics,
        "rounds": [_round(row) for row in study.rounds.order_by("position")],
        "recruitment": study.recruitment,
        "judges": study.judges,
        "conclusions": study.conclusions,
        "stop": study.stop_rule or None,
        "budget": study.budget or None,
        "alerts": study.alert_rules,
        "items": list(imported.get("items", {})),
        "columns": imported.get("columns"),
        "picked": picked_units(study),
    }
    described = StudyFile.model_validate(keys)
    written = described.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return {name: written[name] for name in (*_FIRST, *written) if name in written}


def _round(row: Round) -> dict[str, Any]:
    """A round whole, in the shape of the study file."""
    record = round_record(row, ROUND_FIELDS)
    record["pay"] = {name: str(amount) for name, amount in record["pay"].items()}
    record["pay"]["currency"] = row.currency
    return record
