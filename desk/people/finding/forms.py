"""The form that makes invitation links."""

from django import forms
from django.utils.translation import gettext_lazy as _


class InvitationForm(forms.Form):
    personal = forms.BooleanField(
        required=False, label=_("For one person, who can also return by it")
    )
    number = forms.IntegerField(
        required=False,
        initial=1,
        min_value=1,
        max_value=1_000,
        label=_("How many links"),
        help_text=_("You can download them together below."),
    )
    max_uses = forms.IntegerField(
        required=False, min_value=1, max_value=1_000_000, label=_("Maximum number of people")
    )
    note = forms.CharField(required=False, max_length=200, label=_("Note for you"))

    def clean_number(self) -> int:
        return self.cleaned_data["number"] or 1
