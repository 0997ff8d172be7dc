"""Links by which a panel sends people, to a study that recruits there."""

from typing import Any

from django.urls import reverse

from annotation.models import Study
from tests.cast import make_study

IDS = {"PROLIFIC_PID": "5f2a", "STUDY_ID": "6b", "SESSION_ID": "7c"}
CODES = {"completion_code": "DONE-1", "screenout_code": "OUT-2", "return_code": "BACK-3"}


def recruiting(panel: str, slug: str = "small", **given: Any) -> Study:
    study = make_study(slug)
    study.recruitment = {"panel": panel, **CODES, **given}
    study.save()
    return study


def address(study: Study, panel: str = "prolific", ids: dict[str, str] | None = None) -> str:
    query = "&".join(f"{name}={value}" for name, value in (IDS if ids is None else ids).items())
    return reverse("annotation:arrive", args=[study.slug, panel]) + "?" + query
