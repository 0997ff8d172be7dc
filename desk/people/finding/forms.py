"""The form that makes invitation links."""

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _


class InvitationForm(forms.Form):
    personal = forms.BooleanField(
        required=False, label=_("For one person, who can also return by it")
    )
    number = forms.IntegerField(
        required=False, min_value=1, max_value=1_000, label=_("How many links")
    )
    max_uses = forms.IntegerField(
        required=False, min_value=1, max_value=1_000_000, label=_("Maximum number of people")
    )
    note = forms.CharField(required=False, max_length=200, label=_("Note for you"))

    def __init__(self, people: int, data: QueryDict | None = None) -> None:
        """people: how many the study needs at least."""
        super().__init__(data)
        self._people = max(1, min(people, 1_000))
        text = _("Empty: one; or for one person each, the %(n)s that the study needs at least.")
        self.fields["number"].help_text = text % {"n": self._people}

    def clean_number(self) -> int:
        meant = self._people if self.cleaned_data["personal"] else 1
        return self.cleaned_data["number"] or meant
