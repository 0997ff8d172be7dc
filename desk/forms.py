"""What researchers fill in."""

import re
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Assignment, Member, Round, Study, User
from annotation.work.review import LONGEST_FEEDBACK, LONGEST_REASON
from desk.pay.rewards import Covers


class InvitationForm(forms.Form):
    personal = forms.BooleanField(
        required=False, label=_("For one person, who may come back through it")
    )
    number = forms.IntegerField(
        required=False,
        initial=1,
        min_value=1,
        max_value=1_000,
        label=_("How many links"),
        help_text=_("They can be downloaded together below."),
    )
    max_uses = forms.IntegerField(
        required=False, min_value=1, max_value=1_000_000, label=_("At most this many people")
    )
    note = forms.CharField(required=False, max_length=200, label=_("Note for you"))

    def clean_number(self) -> int:
        return self.cleaned_data["number"] or 1


class MemberForm(forms.Form):
    username = forms.CharField(max_length=150, label=_("User name"))
    role = forms.ChoiceField(choices=Member.Role.choices, label=_("Role"))

    def clean_username(self) -> User:
        user = User.objects.filter(username=self.cleaned_data["username"]).first()
        if user is None:
            raise forms.ValidationError(_("Nobody signs in under this name."))
        return user


class ReviewFilterForm(forms.Form):
    """Which batches to list. What makes no sense filters nothing."""

    verdict = forms.ChoiceField(
        required=False,
        label=_("Verdict"),
        choices=[
            ("", _("any")),
            (Assignment.Verdict.OPEN, _("to review")),
            (Assignment.Verdict.ACCEPTED, _("accepted")),
            (Assignment.Verdict.EXCLUDED, _("excluded")),
        ],
    )
    round = forms.ModelChoiceField(Round.objects.none(), required=False, empty_label=_("any"))
    worker = forms.CharField(required=False, max_length=40, label=_("Worker"))

    def __init__(self, study: Study, data: Any) -> None:
        super().__init__(data)
        field = self.fields["round"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset, field.label = study.rounds.all(), _("Round")
        self.fields["worker"].widget.attrs["placeholder"] = "worker-1"

    def clean_worker(self) -> int | None:
        found = re.fullmatch(r"(?:worker-)?(\d{1,9})", self.cleaned_data["worker"].strip())
        return int(found[1]) if found else None

    @property
    def filters(self) -> dict[str, Any]:
        return self.cleaned_data if self.is_valid() else {}


class DecisionForm(forms.Form):
    """What becomes of the chosen batches."""

    action = forms.ChoiceField(choices=[(name, name) for name in ("accept", "exclude", "undo")])
    reason = forms.CharField(required=False, max_length=LONGEST_REASON, label=_("Reason"))


class ReasonForm(forms.Form):
    reason = forms.CharField(max_length=LONGEST_REASON)


class FeedbackForm(forms.Form):
    text = forms.CharField(
        required=False,
        max_length=LONGEST_FEEDBACK,
        label=_("Feedback to the worker"),
        help_text=_("They read it when they come back. Leave it empty to take it back."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )


class AdjustmentForm(forms.Form):
    """One more amount in a worker's ledger."""

    amount = forms.DecimalField(
        max_digits=8,
        decimal_places=2,
        label=_("Amount"),
        help_text=_("With a minus to take back what was given by mistake."),
    )
    note = forms.CharField(
        max_length=200, label=_("Note"), help_text=_("The worker reads it in their statement.")
    )
    after = forms.IntegerField(min_value=0, widget=forms.HiddenInput)


class CoversForm(forms.Form):
    covers = forms.ChoiceField(
        choices=Covers.choices,
        label=_("What goes into a file"),
        help_text=_("Choose by what the panel pays of its own."),
        widget=forms.Select,
    )

    def __init__(self, study: Study, data: Any) -> None:
        known = data.get("covers") in Covers.values
        super().__init__({"covers": data["covers"] if known else Covers.usual(study)})

    @property
    def value(self) -> Covers:
        return Covers(self.data["covers"])
