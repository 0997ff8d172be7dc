"""The form by which an account makes a token."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Study, User
from api.scopes import Scope

DAYS = [(7, _("a week")), (30, _("30 days")), (90, _("90 days")), (365, _("a year"))]
USUAL_DAYS = 90


class TokenForm(forms.Form):
    name = forms.CharField(
        max_length=80,
        label=_("Name"),
        help_text=_("What will use it, such as “nightly import”."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        choices=Scope.choices,
        initial=[Scope.READ.value],
        label=_("It may"),
        widget=forms.CheckboxSelectMultiple,
    )
    study = forms.ModelChoiceField(
        Study.objects.none(),
        required=False,
        to_field_name="slug",
        label=_("In"),
        empty_label=_("all of your studies, also later ones"),
    )
    days = forms.TypedChoiceField(
        coerce=int, choices=DAYS, initial=USUAL_DAYS, label=_("It works for")
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        studies = self.fields["study"]
        assert isinstance(studies, forms.ModelChoiceField)
        studies.queryset = Study.objects.visible_to(user).filter(tryout_of=None).order_by("title")
