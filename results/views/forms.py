"""Forms of the pages of results."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from results.studies.plan import Wish
from tasktypes.facets import Facet


class PlanningForm(forms.Form):
    """The width that an interval is to have, and assumptions about the next study."""

    facet = forms.ChoiceField(
        required=False,
        label=_("Same kind of answers as"),
        help_text=_("Uses the answers and the agreement of this study as the pilot."),
    )
    stage = forms.ChoiceField(
        required=False,
        label=_("Round"),
        help_text=_("A pilot round can be used even if its answers enter no figure."),
    )
    width = forms.FloatField(
        min_value=0.005,
        max_value=2.0,
        initial=0.1,
        label=_("Width of the 95 % interval of α"),
        help_text=_("From the lower to the upper bound: 0.1 means ± 0.05."),
    )
    agreement = forms.FloatField(
        required=False,
        min_value=0.0,
        max_value=1.0,
        label=_("Expected α"),
        help_text=_("Empty: that of this study; 0.5 without a pilot."),
    )
    share = forms.FloatField(
        required=False,
        min_value=0.01,
        max_value=0.99,
        label=_("Expected share of the more common answer"),
        help_text=_("Only without a pilot; empty: 0.5."),
    )

    def __init__(
        self, *args: Any, facets: Sequence[Facet], rounds: Sequence[str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        named = [(facet.name, facet.title) for facet in facets]
        self._offer("facet", [*named, ("", _("no pilot: two possible answers, as assumed below"))])
        self._offer("stage", [("", _("all rounds that count")), *((name, name) for name in rounds)])

    def _offer(self, name: str, choices: Sequence[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    @property
    def wish(self) -> Wish:
        """The wish that a valid form states."""
        data = self.cleaned_data
        share = data["share"]
        return Wish(
            width=data["width"],
            facet=data["facet"],
            round_=data["stage"],
            share=0.5 if share is None else share,
            agreement=data["agreement"],
        )
