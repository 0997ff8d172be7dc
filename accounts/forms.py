"""Forms about accounts."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth.forms import BaseUserCreationForm
from django.utils.translation import gettext_lazy as _

from annotation.models import Member, User

if TYPE_CHECKING:
    CreationForm = BaseUserCreationForm[User]
else:
    CreationForm = BaseUserCreationForm

ROLES = [("", _("choose a role")), *Member.Role.choices]
CODE = {"autocomplete": "one-time-code", "inputmode": "numeric", "autocapitalize": "off"}
LONGEST_CODE = 20


class CodeForm(forms.Form):
    """A code of an app, or a recovery code."""

    code = forms.CharField(
        max_length=LONGEST_CODE, label=_("Code"), widget=forms.TextInput(attrs=CODE)
    )

    def clean_code(self) -> str:
        return "".join(str(self.cleaned_data["code"]).split()).replace("-", "")


class PasskeyForm(forms.Form):
    """A passkey that the browser has made; without a script there is none."""

    name = forms.CharField(
        max_length=60,
        label=_("Name"),
        help_text=_("So that you recognise it later, such as “my phone”."),
    )
    credential = forms.CharField(widget=forms.HiddenInput)


class ConfirmForm(forms.Form):
    """The password again, before something that a borrowed screen must not do."""

    password = forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class ProfileForm(forms.Form):
    name = forms.CharField(
        required=False,
        max_length=150,
        label=_("Name"),
        help_text=_("Colleagues see it beside your user name."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    email = forms.EmailField(
        required=False,
        max_length=254,
        label=_("E-mail"),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class AccountForm(CreationForm):
    """A new account. Taken names are refused whatever their case."""

    class Meta:
        model = User
        fields = ("username", "first_name", "email")
        labels = {
            "username": _("User name"),
            "first_name": _("Your name"),
            "email": _("E-mail"),
        }
        help_texts = {
            "username": _("Letters, digits and @ . + - _ only. You sign in with it."),
            "email": _("Optional. A new password can be sent there."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, value in {"username": "username", "first_name": "name", "email": "email"}.items():
            self.fields[name].widget.attrs["autocomplete"] = value
        self.fields["first_name"].required = False
        self.fields["password1"].label = _("Password")
        self.fields["password2"].label = _("Password again")
        self.fields["password2"].help_text = ""

    def clean_username(self) -> str:
        username = str(self.cleaned_data["username"])
        if User.objects.filter(username__iexact=username).exists():
            raise forms.ValidationError(_("This name is taken."))
        return username


class NewcomerForm(forms.Form):
    """Whom the operator invites to the installation."""

    email = forms.EmailField(
        required=False,
        max_length=254,
        label=_("E-mail address"),
        help_text=_("Leave it empty for a link that you pass on yourself."),
    )


class ColleagueForm(NewcomerForm):
    """Whom an owner invites into a study."""

    role = forms.ChoiceField(choices=ROLES, label=_("Role"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "colleague_%s")  # it stands beside another form with a role
        super().__init__(*args, **kwargs)


class AddressForm(forms.Form):
    email = forms.EmailField(
        max_length=254,
        label=_("E-mail address of your account"),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class EraseForm(forms.Form):
    """Typing the name is slower than a click."""

    username = forms.CharField(
        max_length=150,
        label=_("User name"),
        help_text=_("Type the user name of the account to erase it."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_username(self) -> str:
        if self.cleaned_data["username"] != self.user.get_username():
            raise forms.ValidationError(_("That is not the name of this account."))
        return str(self.cleaned_data["username"])
