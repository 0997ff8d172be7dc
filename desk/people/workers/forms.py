"""Reasons, and amounts in a worker's ledger, as researchers fill them in."""

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.panels.contract import LONGEST_ID
from annotation.work.review import LONGEST_REASON


class ReasonForm(forms.Form):
    reason = forms.CharField(max_length=LONGEST_REASON)


class AdjustmentForm(forms.Form):
    """One more amount in a worker's ledger."""

    amount = forms.DecimalField(
        max_digits=8,
        decimal_places=2,
        label=_("Amount"),
        help_text=_("Use a minus sign to take back an amount given by mistake."),
    )
    note = forms.CharField(
        max_length=200, label=_("Note"), help_text=_("The worker reads it in their statement.")
    )
    after = forms.IntegerField(min_value=0, widget=forms.HiddenInput)


class LostLinkForm(forms.Form):
    external_id = forms.CharField(
        max_length=LONGEST_ID,
        label=_("Their id at the panel"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
