"""The judges of a study: those that could answer its questions, and what each would take."""

from dataclasses import dataclass

from django import forms

from annotation.models import Question, Study
from desk.set_up.steps.forms import Keys, KeysForm
from imports.study_file.judge_entries import entry_name
from judges.definitions.study_judges import study_method
from judges.definitions.versions import BUILT_IN, BadJudge, UnknownJudge, study_definitions
from judges.methods.registry import title_of
from judges.runs.plans.plan import Forecast, forecast_method
from judges.runs.plans.scope import RunRefused
from judges.views.forms import JudgeForm, judge_names

# The questions that a forecast on the page goes through.
LOOKED_AT = 1000


@dataclass(frozen=True)
class PlannedJudge:
    """A judge that can be asked. why: why it cannot be run, or not yet. partly: the forecast is of
    the first `LOOKED_AT` questions."""

    name: str
    title: str
    chosen: bool
    forecast: Forecast | None
    why: str = ""
    partly: bool = False


def planned_judges(study: Study) -> list[PlannedJudge]:
    """Every judge whose method fills a task type of the study, with its calls and cost."""
    chosen = [entry_name(entry) for entry in study.judges]
    titles = _method_titles(study)
    partly = Question.objects.filter(study=study)[LOOKED_AT : LOOKED_AT + 1].exists()
    names = [*chosen, *(name for name in judge_names(study) if name not in chosen)]
    return [
        _planned(study, name, titles, name in chosen, partly) for name in names if "@" not in name
    ]


def _method_titles(study: Study) -> dict[str, str]:
    try:
        own = study_definitions(study)
    except BadJudge:
        own = []
    return {made.name: title_of(made.method) for made in (*BUILT_IN, *own)}


def _planned(
    study: Study, name: str, titles: dict[str, str], chosen: bool, partly: bool
) -> PlannedJudge:
    title = titles.get(name, "")
    try:
        method = study_method(study, name)
        forecast = forecast_method(study=study, method=method, limit=LOOKED_AT)
    except (RunRefused, BadJudge, UnknownJudge) as error:
        return PlannedJudge(name, title, chosen, None, str(error))
    return PlannedJudge(name, title, chosen, forecast, partly=partly)


class JudgesForm(KeysForm):
    """Which judges the study names."""

    names = ("judges",)
    judges = forms.MultipleChoiceField(
        label="Judges", widget=forms.CheckboxSelectMultiple, required=False
    )

    def __init__(self, standing: Keys, planned: list[PlannedJudge], data: object = None) -> None:
        super().__init__(standing, data)
        field = self.fields["judges"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(judge.name, judge.name) for judge in planned]
        self.planned = planned

    def typed_before(self, standing: Keys) -> dict[str, object]:
        return {"judges": [entry_name(entry) for entry in standing.get("judges", ())]}

    @property
    def lines(self) -> list[tuple[forms.boundfield.BoundWidget, PlannedJudge]]:
        """Each box with its judge."""
        return list(zip(self["judges"], self.planned, strict=True))

    def typed_keys(self) -> dict[str, object]:
        """Those that were there keep their definition."""
        before = {entry_name(entry): entry for entry in self.standing.get("judges", ())}
        return {"judges": [before.get(name, name) for name in self.cleaned_data["judges"]]}


class OwnJudgeForm(JudgeForm):
    """A judge of the study's own, such as a chat model under a name."""

    use_required_attribute = False
