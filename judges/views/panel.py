"""The panel on a study's page about its judges."""

from typing import Any

from annotation.models import Study
from judges.runs.progress import run_progress

SHOWN = 5


def panel_context(study: Study) -> dict[str, Any]:
    """The context of `judges/_panel.html`: the study's newest runs and their progress."""
    runs = study.judge_runs.select_related("judge")[:SHOWN]
    return {"judge_progress": [run_progress(run) for run in runs]}
