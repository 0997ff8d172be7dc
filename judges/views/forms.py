"""The forms that start a run, and define and calibrate a judge."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Study
from imports.study_file.judge_entries import entry_name
from judges.calibration import MEASURES
from judges.definitions.families import imported_judges
from judges.definitions.versions import BUILT_IN, BadJudge, judge_for, study_definitions
from judges.methods.registry import find_method
from judges.models import Judge
from judges.probes.sets import LONGEST_DAYS, SIZE, ProbeChoice
from judges.runs.plans.asks import served_blocks

ALL_UNITS = ""
# An amount in USD, as a run keeps it.
AMOUNT: dict[str, Any] = {"min_value": 0, "max_digits": 12, "decimal_places": 6, "required": False}


class RunForm(forms.Form):
    """A run: which judge, on which part of the study, how often."""

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
        help_text=gettext_lazy("The number of questions, to try a judge out first."),
        min_value=1,
        required=False,
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        help_text=gettext_lazy("Empty: the study's seed."),
        min_value=0,
        max_value=2**31 - 1,
        required=False,
    )
    max_cost = forms.DecimalField(
        label=gettext_lazy("Cap in USD"),
        help_text=gettext_lazy("A run with a higher expected cost is not started."),
        **AMOUNT,
    )
    # NAME@VERSION: only the questions that this judge has answered.
    like = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)

    def __init__(self, study: Study, data: Any = None) -> None:
        super().__init__(data)
        self.study, self.study_seed = study, study.seed
        names = judge_names(study)
        wanted = str((data or {}).get("judge", ""))
        bare = {name.partition("@")[0] for name in names}
        if "@" in wanted and wanted not in names and wanted.partition("@")[0] in bare:
            names.append(wanted)  # a version that has not run yet
        self.names = names
        self.fields["judge"] = self._choice("judge", [(name, name) for name in names])
        # The first of those that the study's set-up names.
        chosen = (entry_name(entry) for entry in study.judges)
        self.fields["judge"].initial = next((name for name in chosen if name in names), None)
        subsets = [(s, s) for s in study.subsets.order_by("name").values_list("name", flat=True)]
        self.fields["subset"] = self._choice("subset", [(ALL_UNITS, _("all units")), *subsets])
        self.fields["subset"].initial = study.setting
        blocks = [(block.key, block.key) for block in study.blocks.all()]
        self.fields["block"] = self._choice("block", [("", _("all that it can answer")), *blocks])

    @property
    def scope(self) -> dict[str, Any]:
        """The arguments of `plan_run` and `forecast_run`; only after `is_valid()`. UnknownJudge
        where there is none of the name in `like`."""
        names = ("subset", "replicates", "limit", "max_cost")
        block = self.cleaned_data["block"]
        blocks = [block] if block else []
        like = self.cleaned_data["like"]
        return {
            "blocks": blocks,
            "like": judge_for(self.study, like) if like else None,
            **{name: self.cleaned_data[name] for name in names},
        }

    @property
    def chosen_seed(self) -> int:
        """The seed of the run; only after `is_valid()`."""
        seed: int | None = self.cleaned_data["seed"]
        return self.study_seed if seed is None else seed

    def _choice(self, name: str, choices: Sequence[tuple[str, Any]]) -> forms.ChoiceField:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices
        return field


class CapForm(forms.Form):
    """A higher cap, for a run that has reached its own."""

    max_cost = forms.DecimalField(label=gettext_lazy("New cap in USD"), **AMOUNT)


class FamiliesForm(forms.Form):
    """The model families of the study's imported judges, with a field for each judge."""

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
        label=gettext_lazy("Measure"), choices=[(name, name) for name in MEASURES]
    )
    share = forms.FloatField(
        label=gettext_lazy("Share to fit on"),
        help_text=gettext_lazy("The share of sources; the threshold is tested on the others."),
        min_value=0.01,
        max_value=0.99,
        initial=0.5,
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        help_text=gettext_lazy("For the random choice of sources."),
        min_value=0,
        max_value=2**31 - 1,
        initial=0,
    )


class ScheduleForm(forms.Form):
    """How often a probe set is asked again, and what one asking may cost."""

    every_days = forms.IntegerField(
        label=gettext_lazy("Days between askings"),
        help_text=gettext_lazy("0: only by hand."),
        min_value=0,
        max_value=LONGEST_DAYS,
        initial=0,
    )
    max_cost = forms.DecimalField(
        label=gettext_lazy("Cap in USD"),
        help_text=gettext_lazy(
            "For one asking, which is not started if a higher cost is expected."
        ),
        **AMOUNT,
    )


class ProbeForm(ScheduleForm):
    """Which units a judge is to be asked again."""

    field_order = ("size", "subset", "seed", "every_days", "max_cost")

    size = forms.IntegerField(
        label=gettext_lazy("Units to draw"),
        help_text=gettext_lazy("Those with a right answer come first."),
        min_value=1,
        max_value=10_000,
        initial=SIZE,
    )
    subset = forms.ChoiceField(
        label=gettext_lazy("Or all units of"),
        required=False,
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        help_text=gettext_lazy("Of the draw. Empty: the study's seed."),
        min_value=0,
        max_value=2**31 - 1,
        required=False,
    )

    def __init__(self, study: Study, data: Any = None) -> None:
        super().__init__(data, auto_id="probe_%s")
        self.study_seed = study.seed
        names = study.subsets.order_by("name").values_list("name", flat=True)
        subset = self.fields["subset"]
        assert isinstance(subset, forms.ChoiceField)
        subset.choices = [("", _("no subset: draw them")), *((name, name) for name in names)]

    @property
    def choice(self) -> ProbeChoice:
        """What is entered; only after `is_valid()`."""
        data = self.cleaned_data
        seed = self.study_seed if data["seed"] is None else data["seed"]
        return ProbeChoice(**{**data, "seed": seed})


def judge_names(study: Study) -> list[str]:
    """The judges that can answer something in the study: built-in ones, those that it defines, and
    each version of its own."""
    try:
        own = study_definitions(study)
    except BadJudge:
        own = []
    methods = {definition.name: definition.method for definition in (*BUILT_IN, *own)}
    methods.update({str(judge): judge.method for judge in Judge.objects.seen_in(study)})
    named = [name for name in study.judges if isinstance(name, str)]
    methods.update({j.name: j.method for j in study.judge_versions.filter(name__in=named)})
    return sorted(name for name, method in methods.items() if _can_serve(study, method))


def _can_serve(study: Study, name: str) -> bool:
    try:
        return bool(served_blocks(study, find_method(name)))
    except KeyError:
        return False
