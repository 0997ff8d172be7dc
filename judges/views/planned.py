"""The judges of a study: those that could answer its questions, and what each would take."""

from dataclasses import dataclass, replace

from annotation.models import Question, Study
from imports.study_file.judge_entries import entry_name
from judges.definitions.study_judges import study_method
from judges.definitions.versions import BUILT_IN, BadJudge, UnknownJudge, study_definitions
from judges.methods.registry import title_of
from judges.runs.plans.forecast import Forecast
from judges.runs.plans.plan import forecast_method
from judges.runs.plans.scope import RunRefused
from judges.views.forms import judge_names

# The questions that a forecast on the page goes through.
LOOKED_AT = 1000


@dataclass(frozen=True)
class PlannedJudge:
    """A judge that can be asked. chosen: the study names it. why: why it cannot be run, or not yet.
    partly: the forecast is of the first `LOOKED_AT` questions."""

    name: str
    title: str
    chosen: bool
    forecast: Forecast | None = None
    why: str = ""
    partly: bool = False


def planned_judges(study: Study, *, with_costs: bool) -> list[PlannedJudge]:
    """Every judge whose method fills a task type of the study; with_costs: with what each would
    take, which goes through many questions."""
    chosen = [entry_name(entry) for entry in study.judges]
    names = [*chosen, *(name for name in judge_names(study) if name not in chosen)]
    titles = _method_titles(study)
    planned = [
        PlannedJudge(name, titles.get(name, ""), name in chosen)
        for name in names
        if "@" not in name
    ]
    if not with_costs:
        return planned
    partly = Question.objects.filter(study=study)[LOOKED_AT : LOOKED_AT + 1].exists()
    return [_with_costs(study, judge, partly) for judge in planned]


def _method_titles(study: Study) -> dict[str, str]:
    try:
        own = study_definitions(study)
    except BadJudge:
        own = []
    return {made.name: title_of(made.method) for made in (*BUILT_IN, *own)}


def _with_costs(study: Study, judge: PlannedJudge, partly: bool) -> PlannedJudge:
    try:
        method = study_method(study, judge.name)
        forecast = forecast_method(study=study, method=method, limit=LOOKED_AT)
    except (RunRefused, BadJudge, UnknownJudge) as error:
        return replace(judge, why=str(error))
    return replace(judge, forecast=forecast, partly=partly)
