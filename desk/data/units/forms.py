"""Forms of the data manager besides its filters: an action on units, a saved view."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from annotation.models import Place, Study
from annotation.rounds.subsets import LONGEST_NAME
from annotation.work.demand import MOST_MORE
from desk.models import UnitAction

# Units that are chosen one by one, on one page.
MOST_CHOSEN = 1_000
Kind = UnitAction.Kind
CHOSEN, ALL = "chosen", "all"


class ActionForm(forms.Form):
    """What to do with which units. all: with those that match the filter, not those chosen."""

    kind = forms.ChoiceField(choices=Kind.choices)
    of = forms.ChoiceField(
        choices=[(CHOSEN, _("the chosen units")), (ALL, _("all that match"))],
        widget=forms.RadioSelect,
        initial=CHOSEN,
        required=False,
    )
    subset = forms.CharField(required=False, max_length=LONGEST_NAME, label=_("Subset"))
    more = forms.IntegerField(
        required=False, min_value=1, max_value=MOST_MORE, initial=1, label=_("More answers")
    )
    priority = forms.TypedChoiceField(
        required=False,
        choices=Place.Priority.choices,
        coerce=int,
        initial=Place.Priority.SOONER,
        label=_("Priority"),
    )

    def __init__(self, study: Study, data: QueryDict | None = None) -> None:
        super().__init__(data, auto_id="action-%s")
        self.study = study
        self.fields["subset"].widget.attrs |= {"list": "subset-names", "autocomplete": "off"}

    def clean(self) -> dict[str, Any]:
        """The kind's own value has to be there, and some unit has to be chosen."""
        values = super().clean() or {}
        kind = values.get("kind")
        if kind in (Kind.ADD, Kind.REMOVE) and not values.get("subset"):
            self.add_error("subset", _("Name a subset."))
        if kind == Kind.REMOVE and values.get("subset") and not self._is_subset(values["subset"]):
            self.add_error("subset", _("The study has no subset of this name."))
        if kind == Kind.ASK_AGAIN and not values.get("more"):
            self.add_error("more", _("Say how many."))
        if values.get("of") != ALL and not self.units:
            self.add_error(None, _("Choose some units first, or all that match."))
        return values

    def _is_subset(self, name: str) -> bool:
        return self.study.subsets.filter(name=name).exists()

    @property
    def units(self) -> list[int]:
        """The units that were chosen one by one."""
        data = self.data
        keys = data.getlist("unit") if isinstance(data, QueryDict) else []
        fitting = (key for key in keys[:MOST_CHOSEN] if key.isascii() and key.isdecimal())
        return [int(key) for key in fitting if len(key) < 19]

    @property
    def parameters(self) -> dict[str, Any]:
        """What the kind needs."""
        values, kind = self.cleaned_data, self.cleaned_data["kind"]
        if kind in (Kind.ADD, Kind.REMOVE):
            return {"subset": values["subset"]}
        if kind == Kind.ASK_AGAIN:
            return {"more": values["more"]}
        return {"priority": values["priority"]} if kind == Kind.PRIORITY else {}


class SavedViewForm(forms.Form):
    """A name for the filters, the order and the columns that are shown."""

    name = forms.CharField(max_length=80, label=_("Name"))
    shared = forms.BooleanField(required=False, label=_("Share with all members"))
