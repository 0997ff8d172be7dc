"""The forms of a team's page: the members' names, and the assignment table as a file."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Seat
from annotation.rounds.team.allotments import Takers
from annotation.rounds.team.table import MOST_BYTES


class NamesForm(forms.Form):
    """The researcher's words for the members, which a table may use in place of their numbers."""

    def __init__(self, seats: Sequence[Seat], data: Any = None) -> None:
        super().__init__(data)
        self.seats = seats
        for seat in seats:
            label = _("Name of member %(n)s") % {"n": seat.number}
            self.fields[str(seat.number)] = forms.CharField(
                max_length=80,
                required=False,
                initial=seat.name,
                label=label,
                widget=forms.TextInput({"form": "names", "class": "input", "aria-label": label}),
            )

    def clean(self) -> dict[str, Any]:
        taken: set[str] = set()
        for number, name in list(self.cleaned_data.items()):
            if name in taken:
                self.add_error(number, _("Another member has this name."))
            elif name.isdigit():
                self.add_error(number, _("A name is not a number: numbers stand for members."))
            taken |= {name} - {""}
        return self.cleaned_data

    def save(self) -> None:
        """Only after `is_valid()`."""
        for seat in self.seats:
            seat.name = self.cleaned_data[str(seat.number)]
        Seat.objects.bulk_update(self.seats, ["name"])


class SettlingForm(forms.Form):
    """Who gives answers that nobody has in their table."""

    to = forms.ChoiceField(choices=[(each.value, each.value) for each in Takers])


class TableForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("Assignment table (CSV)"),
        help_text=gettext_lazy(
            "Columns: member, unit, and, if you like, round and position. Each unit then gets the "
            "answers that the table names, and units that it leaves out get none. What members "
            "have begun stays."
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
