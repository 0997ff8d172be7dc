"""The panel on a study's page about its judges."""

from typing import Any

from annotation.models import Rater, Study
from judges.runs.progress import run_progress

SHOWN = 5


def panel_context(study: Study) -> dict[str, Any]:
    """The context of `judges/_panel.html`: the study's newest runs and their progress, but for
    probes, and how many judges were imported with their answers."""
    runs = study.judge_runs.filter(probe_set=None).select_related("judge")[:SHOWN]
    return {
        "judge_progress": [run_progress(run) for run in runs],
        "imported_judges": imported_judges(study),
    }


def imported_judges(study: Study) -> int:
    """How many judges answered elsewhere."""
    return study.raters.filter(kind=Rater.Kind.JUDGE, origin=Rater.Origin.IMPORTED).count()
