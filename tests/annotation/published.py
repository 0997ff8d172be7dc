"""The published example, with entries of somebody's own where it has placeholders."""

from pathlib import Path

from django.conf import settings
from django.core.management import call_command

from annotation.models import Study
from annotation.rounds.opening import open_study

FILE = Path(settings.BASE_DIR) / "examples" / "published" / "study.yaml"
ETHICS = {
    "board": "Example board",
    "reference": "E-1",
    "contact": "contact@example.org",
    "controller": "Example university",
}
CODES = {
    "completion_code": "OWN-COMPLETED",
    "screenout_code": "OWN-SCREENED",
    "return_code": "OWN-RETURNED",
}


def open_published() -> Study:
    """The study as `examples/published` describes it, open to workers."""
    study = apply_published()
    open_study(study=study)
    study.refresh_from_db()
    return study


def apply_published() -> Study:
    """The same, still a draft."""
    call_command("apply_study", str(FILE), verbosity=0)
    study = Study.objects.get(slug="published")
    study.ethics |= ETHICS
    study.recruitment |= CODES
    study.save(update_fields=["ethics", "recruitment"])
    return study
