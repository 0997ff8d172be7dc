"""Members, as researchers fill them in."""

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Member, User


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
