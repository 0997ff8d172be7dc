"""Invitations and members, as researchers fill them in."""

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Member, User


class InvitationForm(forms.Form):
    personal = forms.BooleanField(
        required=False, label=_("For one person, who can also return by it")
    )
    number = forms.IntegerField(
        required=False,
        initial=1,
        min_value=1,
        max_value=1_000,
        label=_("How many links"),
        help_text=_("You can download them together below."),
    )
    max_uses = forms.IntegerField(
        required=False, min_value=1, max_value=1_000_000, label=_("Maximum number of people")
    )
    note = forms.CharField(required=False, max_length=200, label=_("Note for you"))

    def clean_number(self) -> int:
        return self.cleaned_data["number"] or 1


class MemberForm(forms.Form):
    username = forms.CharField(max_length=150, label=_("User name"))
    # No role comes first: whoever only types a name must not make an owner of them.
    role = forms.ChoiceField(
        choices=[("", _("choose a role")), *Member.Role.choices], label=_("Role")
    )

    def clean_username(self) -> User:
        user = User.objects.filter(username=self.cleaned_data["username"]).first()
        if user is None:
            raise forms.ValidationError(_("There is no user of this name."))
        return user
