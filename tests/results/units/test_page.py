"""The answers to a unit, as pages show them beside each other."""

import json
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from annotation.models import Unit
from results.units.page import asked_about

EXAMPLE = Path(settings.BASE_DIR) / "examples" / "likert" / "study.yaml"


@pytest.mark.django_db
def test_what_is_rated_goes_by_the_words_of_its_part(tmp_path: Path) -> None:
    call_command("apply_study", str(EXAMPLE), verbosity=0)
    said = {"unit": "choir/birch", "rater": "ann", "kind": "human"}
    answers = [
        {**said, "block": "support", "answer": {"scores": {"consistency": ["yes", "no", "no"]}}},
        {**said, "block": "qualities", "answer": {"scores": {"coherence": 1, "relevance": 2}}},
    ]
    file = tmp_path / "answers.jsonl"
    file.write_text("\n".join(map(json.dumps, answers)), encoding="utf-8")
    call_command("import_answers", "likert", str(file), verbosity=0)
    support, qualities = asked_about(Unit.objects.get(key="choir/birch"))
    assert support.heads == [
        "consistency The choir sang its hundredth concert since 1947.",
        "consistency About fifty people came.",
        "consistency It was a fine evening.",
    ]
    assert qualities.heads == ["coherence", "relevance"]
