"""The form that starts a run."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Study
from judges.defining import BUILT_IN, BadJudge, study_definitions
from judges.methods.registry import method
from judges.models import Judge
from judges.planning import served_blocks

ALL_UNITS = ""


class RunForm(forms.Form):
    """Which judge, on which part of the study, how often."""

    judge = forms.ChoiceField(label=gettext_lazy("Judge"))
    subset = forms.ChoiceField(label=gettext_lazy("Units"), required=False)
    replicates = forms.IntegerField(
        label=gettext_lazy("Answers per question"),
        help_text=gettext_lazy("More than one shows how far the judge agrees with itself."),
        min_value=1,
        max_value=20,
        initial=1,
    )

    def __init__(self, study: Study, data: Any = None) -> None:
        super().__init__(data)
        self.fields["judge"] = self._choice("judge", [(name, name) for name in judge_names(study)])
        subsets = [(s, s) for s in study.subsets.order_by("name").values_list("name", flat=True)]
        self.fields["subset"] = self._choice("subset", [(ALL_UNITS, _("all units")), *subsets])
        self.fields["subset"].initial = study.setting

    def _choice(self, name: str, choices: Sequence[tuple[str, Any]]) -> forms.ChoiceField:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices
        return field


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
