"""What goes into a payment file."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Study
from annotation.pay.rewards import Covers


class CoversForm(forms.Form):
    covers = forms.ChoiceField(
        choices=Covers.choices,
        label=_("What goes into a file"),
        help_text=_("Choose according to what the panel itself pays."),
        widget=forms.Select,
    )

    def __init__(self, study: Study, data: Any) -> None:
        is_choice = data.get("covers") in Covers.values
        super().__init__({"covers": data["covers"] if is_choice else Covers.usual(study)})

    @property
    def value(self) -> Covers:
        return Covers(self.data["covers"])
