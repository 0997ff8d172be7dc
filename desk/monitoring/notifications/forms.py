"""Forms of the page of alerts."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from alerts.events import KINDS as EVENTS
from alerts.kinds import KINDS
from alerts.models import Subscription
from alerts.webhooks import BadAddress, check_address
from imports.study_file.alert_parts import AlertsPart
from set_up.steps.forms import Keys, PlainForm, mapping
from set_up.study_files.beginnings import BeginningField


class RulesForm(PlainForm):
    """When alerts open, and the budget. begun: the rules that the study has, where it shows
    others."""

    form = "alerts"
    begun = BeginningField()

    def __init__(
        self, rules: Keys, data: QueryDict | None = None, *, begun: Keys | None = None
    ) -> None:
        super().__init__(rules, data)
        self.initial["begun"] = dict(begun or rules)
        self.fields["budget"].required = False

    def name_of(self, *path: str) -> str:
        name = super().name_of(*path)
        return "budget" if name == "amount" else name

    def completed(self, record: dict[str, Any]) -> dict[str, Any]:
        has_budget = mapping(record, "budget").get("amount") is not None
        return record if has_budget else {**record, "budget": None}

    @property
    def keys(self) -> Keys:
        """What is entered, as keys of the study file."""
        budget, alerts = (self.cleaned_settings()[name] for name in ("budget", "alerts"))
        return {"budget": budget, "alerts": AlertsPart.model_validate(alerts).as_stored()}


class SubscriptionForm(forms.Form):
    """How one member hears of alerts."""

    by_email = forms.BooleanField(required=False, label=_("Send me an e-mail"))
    kinds = forms.MultipleChoiceField(
        required=False,
        choices=[(kind.name, kind.title) for kind in KINDS],
        widget=forms.CheckboxSelectMultiple,
        label=_("About"),
    )

    @classmethod
    def of(cls, subscription: Subscription | None) -> "SubscriptionForm":
        """The form as a member has filled it in; without a subscription, all kinds."""
        without = [] if subscription is None else subscription.without
        kinds = [kind.name for kind in KINDS if kind.name not in without]
        by_email = subscription is not None and subscription.by_email
        return cls(initial={"by_email": by_email, "kinds": kinds})

    @property
    def without(self) -> list[str]:
        """The kinds that are not ticked."""
        return [kind.name for kind in KINDS if kind.name not in self.cleaned_data["kinds"]]


class WebhookForm(forms.Form):
    url = forms.CharField(
        max_length=500,
        label=_("Address"),
        widget=forms.URLInput(attrs={"placeholder": "https://", "autocomplete": "off"}),
    )

    def clean_url(self) -> str:
        url: str = self.cleaned_data["url"]
        try:
            check_address(url)
        except BadAddress as error:
            raise forms.ValidationError(str(error)) from error
        return url


class EventsForm(forms.Form):
    """What a webhook is told of."""

    events = forms.MultipleChoiceField(
        required=False,
        choices=[(kind.name, kind.about) for kind in EVENTS],
        widget=forms.CheckboxSelectMultiple,
        label=_("Post a message when"),
    )
