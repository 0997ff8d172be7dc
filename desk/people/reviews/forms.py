"""Forms for review: filters, decisions and feedback."""

import re
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Assignment, Round, Study
from annotation.work.review import LONGEST_FEEDBACK, LONGEST_REASON


class ReviewFilterForm(forms.Form):
    """Which batches to list. Invalid values are ignored."""

    verdict = forms.ChoiceField(
        required=False,
        label=_("Verdict"),
        choices=[
            ("", _("any")),
            (Assignment.Verdict.OPEN, _("to review")),
            (Assignment.Verdict.ACCEPTED, _("accepted")),
            (Assignment.Verdict.EXCLUDED, _("excluded")),
        ],
    )
    round = forms.ModelChoiceField(Round.objects.none(), required=False, empty_label=_("any"))
    worker = forms.CharField(required=False, max_length=40, label=_("Worker"))

    def __init__(self, study: Study, data: Any) -> None:
        super().__init__(data)
        field = self.fields["round"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset, field.label = study.rounds.all(), _("Round")
        self.fields["worker"].widget.attrs["placeholder"] = "worker-1"

    def clean_worker(self) -> int | None:
        match = re.fullmatch(r"(?:worker-)?(\d{1,9})", self.cleaned_data["worker"].strip())
        return int(match[1]) if match else None

    @property
    def filters(self) -> dict[str, Any]:
        return self.cleaned_data if self.is_valid() else {}


class DecisionForm(forms.Form):
    """The decision about the chosen batches."""

    action = forms.ChoiceField(choices=[(name, name) for name in ("accept", "exclude", "undo")])
    reason = forms.CharField(required=False, max_length=LONGEST_REASON, label=_("Reason"))


class FeedbackForm(forms.Form):
    text = forms.CharField(
        required=False,
        max_length=LONGEST_FEEDBACK,
        label=_("Feedback to the worker"),
        help_text=_("The worker sees it on their next visit. Leave it empty to remove it."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )
