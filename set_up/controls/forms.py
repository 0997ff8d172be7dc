"""The form that proposes controls."""

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Round, Study
from tasktypes.plans import ControlPool

ONE_PASSAGE, ONE_PART = "one_passage", "one_part"


class ProposalForm(forms.Form):
    """How many controls to propose, for which round, from which pool, by which seed."""

    round = forms.ModelChoiceField(Round.objects.none(), label=_("Round"), empty_label=None)
    positive = forms.IntegerField(min_value=0, max_value=1000, initial=0, label=_("Positive"))
    negative = forms.IntegerField(min_value=0, max_value=1000, initial=0, label=_("Negative"))
    pool = forms.ChoiceField(
        choices=[
            (ONE_PASSAGE, _("units whose selected evidence is one passage")),
            (ONE_PART, _("any unit whose right answer names one part")),
        ],
        label=_("Made from"),
    )
    seed = forms.IntegerField(initial=1, label=_("Seed of the draw"))

    def __init__(self, study: Study, data: Any = None) -> None:
        super().__init__(data)
        field = self.fields["round"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = study.rounds.all()

    def clean(self) -> None:
        super().clean()
        if not self.errors and not (self.cleaned_data["positive"] or self.cleaned_data["negative"]):
            self.add_error("positive", _("Enter a number for at least one kind."))

    @property
    def chosen_pool(self) -> ControlPool:
        return cast(ControlPool, self.cleaned_data["pool"])
