"""Forms of recruitment: the draft, and decisions about submissions."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models.links import new_token
from annotation.panels.prolific_api.money import NotExact, digits_of, minor_units, whole_units
from recruitment.decisions import LONGEST_MESSAGE, SHORTEST_MESSAGE, Category
from recruitment.drafts import DEVICES, Proposal

MOST_PLACES = 100_000


class DraftForm(forms.Form):
    """The fields of a draft at Prolific, filled in from the study, or from a dropped draft."""

    key = forms.RegexField(r"^[-\w]{22}$", widget=forms.HiddenInput)
    name = forms.CharField(max_length=200, label=_("Title"))
    description = forms.CharField(
        max_length=10_000,
        label=_("Description"),
        help_text=_("People on Prolific read it before they take part."),
        widget=forms.Textarea(attrs={"rows": 6}),
    )
    minutes = forms.IntegerField(min_value=1, max_value=600, label=_("Estimated minutes"))
    reward = forms.DecimalField(min_value=Decimal("0.01"), max_digits=8, label=_("Reward"))
    places = forms.IntegerField(min_value=1, max_value=MOST_PLACES, label=_("Places"))
    devices = forms.MultipleChoiceField(
        choices=[(name, name) for name in DEVICES],
        label=_("Devices"),
        widget=forms.CheckboxSelectMultiple,
    )
    signed = forms.BooleanField(
        required=False,
        label=_("Prolific signs the address"),
        help_text=_("Workers who come back then see their own data without their personal link."),
    )

    def __init__(self, proposed: Proposal, data: Any = None, dropped: Any = None) -> None:
        self.currency = proposed.currency
        super().__init__(data, initial=_initial(proposed, dropped or {}))
        reward, places, minutes = (self.fields[name] for name in ("reward", "places", "minutes"))
        reward.label = _("Reward (%(currency)s)") % {"currency": proposed.currency}
        reward.help_text = _("The base pay of the first batch. All pay beyond it is a bonus.")
        places.help_text = _(
            "The answers still wanted make %(n)d batches; a worker does %(most)d at most. With "
            "fewer places, each worker does more."
        ) % {"n": proposed.batches, "most": proposed.most_per_worker}
        minutes.help_text = (
            _("The median of %(n)d measured batches.") % {"n": proposed.measured}
            if proposed.measured
            else _("As the study file declares.")
        )

    def clean_reward(self) -> Decimal:
        reward: Decimal = self.cleaned_data["reward"]
        try:
            minor_units(reward, self.currency)
        except NotExact as error:
            raise forms.ValidationError(str(error)) from None
        return reward

    @property
    def values(self) -> dict[str, Any]:
        """What `drafts.body_of` takes."""
        reward = minor_units(self.cleaned_data["reward"], self.currency)
        return {**self.cleaned_data, "reward_minor": reward}


def _initial(proposed: Proposal, dropped: dict[str, Any]) -> dict[str, Any]:
    reward = dropped.get("reward", proposed.reward_minor)
    return {
        "key": new_token(),
        "name": dropped.get("name", proposed.name),
        "description": dropped.get("description", proposed.description),
        "minutes": dropped.get("estimated_completion_time", proposed.minutes),
        "reward": whole_units(reward, proposed.currency)
        if digits_of(proposed.currency)
        else reward,
        "places": dropped.get("total_available_places", proposed.places),
        "devices": dropped.get("device_compatibility", DEVICES),
        "signed": dropped.get("is_external_study_url_secure", True),
    }


class DecisionForm(forms.Form):
    """A decision about chosen submissions. For an approval the total is confirmed."""

    action = forms.ChoiceField(choices=[(name, name) for name in ("approve", "reject", "ask")])
    category = forms.ChoiceField(
        required=False,
        label=_("Why Prolific may reject it"),
        choices=[("", _("choose")), *Category.choices],
    )
    message = forms.CharField(
        required=False,
        max_length=LONGEST_MESSAGE,
        label=_("What the participants are told"),
        help_text=_("For a rejection at least %(n)d characters.") % {"n": SHORTEST_MESSAGE},
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    total = forms.IntegerField(required=False, min_value=0)
