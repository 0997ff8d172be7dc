"""The forms that start a run, and define a judge."""

from collections.abc import Sequence
from typing import Any

import yaml
from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Study
from judges.calibration.calibrate import MEASURES
from judges.definitions.families import imported_judges
from judges.definitions.versions import BUILT_IN, BadJudge, study_definitions
from judges.methods.registry import METHODS, method
from judges.models import Judge
from judges.runs.plan import served_blocks

ALL_UNITS = ""
# An amount in USD, as a run keeps it.
AMOUNT: dict[str, Any] = {"min_value": 0, "max_digits": 12, "decimal_places": 6, "required": False}


class RunForm(forms.Form):
    """Which judge, on which part of the study, how often."""

    judge = forms.ChoiceField(label=gettext_lazy("Judge"))
    subset = forms.ChoiceField(label=gettext_lazy("Units"), required=False)
    block = forms.ChoiceField(label=gettext_lazy("Questions"), required=False)
    replicates = forms.IntegerField(
        label=gettext_lazy("Answers per question"),
        help_text=gettext_lazy("More than one shows how far the judge agrees with itself."),
        min_value=1,
        max_value=20,
        initial=1,
    )
    limit = forms.IntegerField(
        label=gettext_lazy("Only the first"),
        help_text=gettext_lazy("So many questions, to see how a judge does before it goes on."),
        min_value=1,
        required=False,
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        help_text=gettext_lazy("Left open: the study's."),
        min_value=0,
        max_value=2**31 - 1,
        required=False,
    )
    max_cost = forms.DecimalField(
        label=gettext_lazy("Cap in USD"),
        help_text=gettext_lazy("A run that is expected to cost more is not started."),
        **AMOUNT,
    )

    def __init__(self, study: Study, data: Any = None) -> None:
        super().__init__(data)
        self.study_seed = study.seed
        self.fields["judge"] = self._choice("judge", [(name, name) for name in judge_names(study)])
        subsets = [(s, s) for s in study.subsets.order_by("name").values_list("name", flat=True)]
        self.fields["subset"] = self._choice("subset", [(ALL_UNITS, _("all units")), *subsets])
        self.fields["subset"].initial = study.setting
        blocks = [(block.key, block.key) for block in study.blocks.all()]
        self.fields["block"] = self._choice("block", [("", _("all that it answers")), *blocks])

    @property
    def scope(self) -> dict[str, Any]:
        """What part of the study, how often and for how much; only after `is_valid()`."""
        names = ("subset", "replicates", "limit", "max_cost")
        block = self.cleaned_data["block"]
        blocks = [block] if block else []
        return {"blocks": blocks, **{name: self.cleaned_data[name] for name in names}}

    @property
    def chosen_seed(self) -> int:
        """The seed of the run; only after `is_valid()`."""
        given: int | None = self.cleaned_data["seed"]
        return self.study_seed if given is None else given

    def _choice(self, name: str, choices: Sequence[tuple[str, Any]]) -> forms.ChoiceField:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices
        return field


class CapForm(forms.Form):
    """A higher cap, for a run that has spent its own."""

    max_cost = forms.DecimalField(label=gettext_lazy("New cap in USD"), **AMOUNT)


class JudgeForm(forms.Form):
    """A judge of a study, as its file would define it."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=80)
    method = forms.ChoiceField(label=gettext_lazy("Method"))
    backend = forms.ChoiceField(
        label=gettext_lazy("Backend"),
        help_text=gettext_lazy("Left open: the method's own."),
        required=False,
    )
    model = forms.CharField(label=gettext_lazy("Model"), max_length=200, required=False)
    family = forms.CharField(
        label=gettext_lazy("Model family"),
        help_text=gettext_lazy("Compared with the families of the systems that are judged."),
        max_length=200,
        required=False,
    )
    parameters = forms.CharField(
        label=gettext_lazy("Parameters"),
        help_text=gettext_lazy("YAML, such as: temperature: 0"),
        widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "false"}),
        required=False,
    )

    def __init__(self, study: Study, data: Any = None) -> None:
        super().__init__(data)
        serving = [one for one in METHODS if served_blocks(study, one)]
        backends = dict.fromkeys(backend for one in serving for backend in one.backends)
        self.fields["method"] = forms.ChoiceField(
            label=_("Method"), choices=[(one.name, one.title) for one in serving]
        )
        self.fields["backend"] = forms.ChoiceField(
            label=_("Backend"),
            help_text=_("Left open: the method's own."),
            choices=[("", _("the method's own")), *((name, name) for name in backends)],
            required=False,
        )

    def clean_parameters(self) -> dict[str, Any]:
        """The parameters as a mapping."""
        try:
            given = yaml.safe_load(self.cleaned_data["parameters"]) or {}
        except yaml.YAMLError as error:
            raise forms.ValidationError(_("This is not YAML.")) from error
        if not isinstance(given, dict) or not all(isinstance(key, str) for key in given):
            raise forms.ValidationError(_("This must be names with values, one to a line."))
        return given

    def add_reason(self, reason: str) -> None:
        """Show 'field: reason' beside its field; beside none where there is no such field."""
        name, _colon, said = reason.partition(": ")
        field, _dot, inner = name.partition(".")
        if field not in self.fields:
            self.add_error(None, reason)
        else:
            self.add_error(field, f"{inner}: {said}" if inner else said)


class FamiliesForm(forms.Form):
    """The model families of the study's imported judges, a field for each judge."""

    def __init__(self, study: Study, data: Any = None) -> None:
        super().__init__(data)
        self.raters = {f"family-{rater.pk}": rater for rater in imported_judges(study)}
        for name, rater in self.raters.items():
            self.fields[name] = forms.CharField(
                label=rater.name, initial=rater.family, max_length=200, required=False
            )

    @property
    def families(self) -> dict[int, str]:
        """By the rater's id; only after `is_valid()`."""
        return {rater.pk: self.cleaned_data[name] for name, rater in self.raters.items()}


class CalibrationForm(forms.Form):
    """How a judge's threshold is to be fitted."""

    measure = forms.ChoiceField(
        label=gettext_lazy("Best by"), choices=[(name, name) for name in MEASURES]
    )
    share = forms.FloatField(
        label=gettext_lazy("Share to fit on"),
        help_text=gettext_lazy("Of the sources; the fit is tested on the others."),
        min_value=0.01,
        max_value=0.99,
        initial=0.5,
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        help_text=gettext_lazy("Draws which sources."),
        min_value=0,
        max_value=2**31 - 1,
        initial=0,
    )


def judge_names(study: Study) -> list[str]:
    """The judges that can answer something in the study: its own, the built-in, those that ran."""
    try:
        own = study_definitions(study)
    except BadJudge:
        own = []
    methods = {definition.name: definition.method for definition in (*BUILT_IN, *own)}
    ran = Judge.objects.filter(runs__study=study).distinct()
    methods.update({str(judge): judge.method for judge in ran})
    plain = [name for name in study.judges if isinstance(name, str)]
    methods.update({j.name: j.method for j in Judge.objects.filter(name__in=plain)})
    return sorted(name for name, used in methods.items() if _can_serve(study, used))


def _can_serve(study: Study, name: str) -> bool:
    try:
        return bool(served_blocks(study, method(name)))
    except KeyError:
        return False
