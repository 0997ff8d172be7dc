"""Forms of the page of alerts."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from alerts.events import KINDS as EVENTS
from alerts.kinds import KINDS
from alerts.models import Subscription
from alerts.webhooks import BadAddress, check_address
from desk.monitoring.notifications.rules import Keys
from desk.set_up.study_files.beginnings import BeginningField
from imports.study_file.alert_parts import AlertsPart, BudgetPart

OFF = _("Empty: off.")


class RulesForm(forms.Form):
    """When alerts open, and the budget."""

    budget = forms.DecimalField(
        required=False, min_value=0.01, max_digits=10, decimal_places=2, label=_("Budget")
    )
    warn_at = forms.IntegerField(
        required=False, min_value=1, max_value=100, label=_("Warn at so many percent of it")
    )
    pause = forms.BooleanField(
        required=False, label=_("When it is spent, pause the study (open batches are paid)")
    )
    agreement_fall = forms.FloatField(
        required=False, min_value=0.001, max_value=2, label=_("Agreement (α) has fallen by")
    )
    agreement_below = forms.FloatField(
        required=False, min_value=-1, max_value=1, label=_("Agreement (α) is below")
    )
    fast_share = forms.FloatField(
        required=False, min_value=1, max_value=100, label=_("Faster than % of the expected minutes")
    )
    control_accuracy = forms.FloatField(
        required=False, min_value=1, max_value=100, label=_("Controls answered right, less than %")
    )
    judge_failures = forms.FloatField(
        required=False,
        min_value=1,
        max_value=100,
        label=_("Calls of a judge that fail, above %"),
    )
    silent_hours = forms.IntegerField(
        required=False, min_value=1, max_value=24 * 90, label=_("Hours without a submitted batch")
    )
    drift = forms.FloatField(
        required=False,
        min_value=0,
        max_value=99,
        label=_("A judge’s answers changed beyond chance, above %"),
    )
    begun = BeginningField()

    SHARES = ("fast_share", "control_accuracy", "judge_failures", "drift")
    BUDGET = ("budget", "warn_at", "pause")

    @classmethod
    def of(cls, keys: Keys, begun: Keys) -> "RulesForm":
        """The form with these rules; begun: those that the study has."""
        limits = AlertsPart.model_validate(keys["alerts"]).model_dump()
        for name in cls.SHARES:
            if limits[name] is not None:
                percent = round(limits[name] * 100, 6)
                limits[name] = int(percent) if percent == int(percent) else percent
        budget = BudgetPart.model_validate(keys["budget"]) if keys["budget"] else None
        money = (
            {"warn_at": 80}
            if budget is None
            else {
                "budget": budget.amount,
                "warn_at": round(budget.warn_at * 100),
                "pause": budget.pause,
            }
        )
        return cls(initial={**limits, **money, "begun": dict(begun)})

    @property
    def limits(self) -> list[forms.BoundField]:
        """The fields of thresholds."""
        return [self[name] for name in self.fields if name not in (*self.BUDGET, "begun")]

    @property
    def keys(self) -> Keys:
        """What is entered, as keys of the study file."""
        data = self.cleaned_data
        limits = {
            field.name: data[field.name] / 100
            if field.name in self.SHARES and data[field.name] is not None
            else data[field.name]
            for field in self.limits
        }
        budget: dict[str, Any] | None = None
        if data["budget"] is not None:
            share = (data["warn_at"] or 100) / 100
            part = BudgetPart(amount=data["budget"], warn_at=share, pause=data["pause"])
            budget = part.as_stored()
        return {"budget": budget, "alerts": AlertsPart.model_validate(limits).as_stored()}


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
