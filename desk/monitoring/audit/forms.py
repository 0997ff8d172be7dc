"""What of the change log is shown."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Study
from desk.monitoring.audit.changes import actions_of, in_words, people_of


class ChangeFilterForm(forms.Form):
    """By whom, what and when; what is not valid filters nothing."""

    who = forms.ChoiceField(required=False, label=_("Who"))
    action = forms.ChoiceField(required=False, label=_("What"))
    first = forms.DateField(
        required=False, label=_("From"), widget=forms.DateInput(attrs={"type": "date"})
    )
    last = forms.DateField(
        required=False, label=_("To"), widget=forms.DateInput(attrs={"type": "date"})
    )

    def __init__(self, study: Study, data: Any) -> None:
        super().__init__(data)
        actions = actions_of(study)
        groups = sorted({action.partition(".")[0] for action in actions})
        everything = [(group, f"{group.capitalize()}: all") for group in groups]
        self.fields["who"].choices = [("", _("everybody")), *people_of(study)]  # type: ignore[attr-defined]
        self.fields["action"].choices = [  # type: ignore[attr-defined]
            ("", _("everything")),
            *everything,
            *((action, in_words(action)) for action in actions),
        ]

    @property
    def filters(self) -> dict[str, Any]:
        """Arguments of `chosen_changes`."""
        self.is_valid()
        data = self.cleaned_data
        return {
            "who": data.get("who", ""),
            "action": data.get("action", ""),
            "first": data.get("first"),
            "last": data.get("last"),
        }
