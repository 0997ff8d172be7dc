"""Forms of the pages of prepared lists: the entries of one, filters, and a file."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Preparation
from tasktypes.prepared_lists import MOST_ENTRIES, EntryField, PreparedList

# Empty entries at the end, to be filled in; after saving there are new ones.
BLANK = 3
_ROWS = 2


class EntryRow(NamedTuple):
    """The fields of one entry. number: its place as shown; 0 for an empty one."""

    number: int
    texts: Sequence[forms.BoundField]
    place: forms.BoundField
    remove: forms.BoundField


class EntriesForm(forms.Form):
    """A list as entries to edit. An entry is moved by its place, and removed by a tick or by
    clearing all of its texts."""

    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    count = forms.IntegerField(min_value=0, max_value=MOST_ENTRIES, widget=forms.HiddenInput)

    def __init__(self, preparation: Preparation, data: Any = None) -> None:
        self.prepared: PreparedList = preparation.prepared_list
        stored = preparation.entries
        initial = {"version": preparation.version, "count": len(stored)}
        super().__init__(data, initial=initial)
        self._number = _count(data) if data is not None else len(stored)
        for number in range(min(self._number + BLANK, MOST_ENTRIES)):
            texts = self.prepared.texts(stored[number]) if number < len(stored) else ()
            self._add_entry(number, texts)

    def _add_entry(self, number: int, texts: Sequence[str]) -> None:
        for at, field in enumerate(self.prepared.fields):
            self.fields[f"text-{number}-{at}"] = _text_field(field, texts[at] if texts else "")
        place = forms.IntegerField(
            label=_("Place"), required=False, min_value=1, max_value=1000, initial=number + 1
        )
        self.fields[f"place-{number}"] = place
        self.fields[f"remove-{number}"] = forms.BooleanField(label=_("Remove"), required=False)

    @property
    def rows(self) -> list[EntryRow]:
        return [
            EntryRow(
                number=number + 1 if number < self._number else 0,
                texts=[
                    self[f"text-{number}-{at}"] for at, _field in enumerate(self.prepared.fields)
                ],
                place=self[f"place-{number}"],
                remove=self[f"remove-{number}"],
            )
            for number in self._numbers()
        ]

    def _numbers(self) -> list[int]:
        return [int(name.partition("-")[2]) for name in self.fields if name.startswith("place-")]

    def clean(self) -> None:
        super().clean()
        kept = []
        for number in self._numbers():
            texts = self._texts(number)
            if any(texts) and not self.cleaned_data.get(f"remove-{number}"):
                place = self.cleaned_data.get(f"place-{number}") or number + 1
                kept.append((place, number, self.prepared.entry_of(texts)))
        self.entries = [entry for _place, _number, entry in sorted(kept, key=lambda row: row[:2])]
        self._check()

    def _texts(self, number: int) -> list[str]:
        names = [f"text-{number}-{at}" for at, _field in enumerate(self.prepared.fields)]
        texts = [self.cleaned_data.get(name, "") for name in names]
        if any(texts) and not self.cleaned_data.get(f"remove-{number}"):
            for name, text in zip(names, texts, strict=True):
                if not text:
                    self.add_error(name, _("Enter this text, or remove the entry."))
        return texts

    def _check(self) -> None:
        if self.errors:
            return
        try:
            self.entries = self.prepared.checked(self.entries)
        except ValueError as error:
            self.add_error(None, str(error))


def _text_field(field: EntryField, initial: str) -> forms.Field:
    about: dict[str, Any] = {"label": field.title, "required": False, "initial": initial}
    if field.choices:
        return forms.ChoiceField(
            choices=[("", "–"), *((name, name) for name in field.choices)], **about
        )
    return forms.CharField(widget=forms.Textarea(attrs={"rows": _ROWS}), **about)


def _count(data: Any) -> int:
    text = data.get("count", "")
    return min(int(text), MOST_ENTRIES) if text.isdecimal() and len(text) < 5 else 0


class FilterForm(forms.Form):
    """Which lists to show. Invalid values are ignored."""

    MISSING = "missing"
    state = forms.ChoiceField(
        required=False,
        label=_("State"),
        choices=[
            (Preparation.State.PROPOSED, _("proposed, to be checked")),
            (Preparation.State.ACCEPTED, _("accepted")),
            (Preparation.State.REJECTED, _("rejected")),
            (MISSING, _("without a list")),
        ],
    )
    list = forms.ChoiceField(required=False, label=_("List"))

    def __init__(self, lists: Sequence[tuple[str, str]], data: Any) -> None:
        super().__init__(data)
        field = self.fields["list"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [*lists]
        self.is_valid()

    @property
    def chosen_state(self) -> str:
        return self.cleaned_data.get("state") or Preparation.State.PROPOSED

    @property
    def chosen_list(self) -> str:
        return self.cleaned_data.get("list") or ""


class FileForm(forms.Form):
    file = forms.FileField(
        label=_("File of lists"), help_text=_("JSON lines, as they are downloaded here.")
    )
    accept = forms.BooleanField(label=_("Accept the lists of the file"), required=False)
