"""The studies in examples/: each loads and could open, and every control has its right answer."""

from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from annotation.models import Question, Study, Unit
from annotation.rounds.opening import missing_to_open
from judges.definitions.versions import judge_for

UNFILLED = (
    "round main: 1 normal units of different sources, so that no worker gets one twice in 1 "
    "batches (0 found)"
)
# Whoever uses the published set-up has a board and codes of their own.
PLACEHOLDERS = {
    "published": [
        "ethics entries: board, reference, contact, controller",
        "recruitment entries: completion_code, return_code, screenout_code",
    ],
    # A program fills it, night by night.
    "nightly": [UNFILLED],
}
FILES = sorted((Path(settings.BASE_DIR) / "examples").glob("*/study.yaml"))


@pytest.mark.django_db
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_an_example_study_loads_has_answers_to_its_controls_and_can_open(file: Path) -> None:
    call_command("apply_study", str(file), verbosity=0)
    study = Study.objects.get()
    assert study.units.filter(role=Unit.Role.NORMAL).exists() is (study.slug != "nightly")
    controls = study.units.filter(role__in=(Unit.Role.POSITIVE, Unit.Role.NEGATIVE))
    assert [
        unit.key
        for unit in controls
        if not Question.objects.filter(unit=unit).exclude(reference=None).exists()
    ] == []
    assert missing_to_open(study) == PLACEHOLDERS.get(study.slug, [])


@pytest.mark.django_db
def test_every_judge_of_an_example_study_can_be_defined() -> None:
    defined = []
    for file in FILES:
        call_command("apply_study", str(file), verbosity=0)
    for study in Study.objects.all():
        named = [one["name"] for one in study.judges if isinstance(one, dict)]
        defined += [judge_for(study, name) for name in named]
    assert {judge.method for judge in defined} >= {"zero_shot", "geval", "prometheus", "jury"}
