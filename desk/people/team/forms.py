"""The forms of a team's page: a member's name, and the assignment table as a file."""

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Seat
from annotation.rounds.team.table import MOST_BYTES


class NameForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Seat
        fields = ("name",)
        labels = {"name": _("Name")}


class TableForm(forms.Form):
    file = forms.FileField(
        label=_("Assignment table (CSV)"),
        help_text=_(
            "Columns: member, unit, and, if you like, round and position. Each unit then gets the "
            "answers that the table names, and units that it leaves out get none."
        ),
    )

    def clean_file(self) -> str:
        file = self.cleaned_data["file"]
        if (file.size or 0) > MOST_BYTES:
            raise forms.ValidationError(
                _("The file is larger than %(n)s MB."),
                params={"n": MOST_BYTES // 1024 // 1024},
            )
        try:
            return str(file.read(), "utf-8-sig")
        except UnicodeDecodeError:
            raise forms.ValidationError(_("Save the file as CSV in UTF-8.")) from None
