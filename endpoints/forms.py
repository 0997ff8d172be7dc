"""The forms of the page *Models*."""

import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import ValidationError

from annotation.models import User
from endpoints.endpoint import BadEndpoint
from endpoints.models import ModelEndpoint, ModelPrice
from endpoints.registry import written_endpoints
from endpoints.stored import as_endpoint

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
# No other secret of this machine, such as SECRET_KEY, can be sent to an address from a page.
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*_API_KEY")
MOST_NAMED = 500


class EndpointForm(forms.ModelForm):  # type: ignore[type-arg]  # at runtime it takes none
    """One endpoint. Its key is written, never read."""

    typed_key = forms.CharField(
        label=gettext_lazy("Key"),
        help_text=gettext_lazy("Stored encrypted and never shown again. Empty: it stays as it is."),
        max_length=1000,
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )
    named = forms.CharField(
        label=gettext_lazy("Accounts"),
        help_text=gettext_lazy("One user name a line; after it a limit of its own in USD, if any."),
        max_length=20_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
    )

    class Meta:
        model = ModelEndpoint
        fields = (
            "name", "base_url", "kind", "typed_key", "key_env", "own_network", "users", "named",
            "max_user_usd", "max_run_usd", "requests_per_minute", "in_flight", "timeout_seconds",
        )  # fmt: skip
        labels = {
            "name": gettext_lazy("Name"),
            "base_url": gettext_lazy("Address"),
            "kind": gettext_lazy("Kind of API"),
            "key_env": gettext_lazy("Or a variable with the key"),
            "own_network": gettext_lazy("The server is in our own network"),
            "users": gettext_lazy("Who may use it"),
            "max_user_usd": gettext_lazy("USD for each account, in all"),
            "max_run_usd": gettext_lazy("USD for each run"),
            "requests_per_minute": gettext_lazy("Requests a minute"),
            "in_flight": gettext_lazy("Calls at once"),
            "timeout_seconds": gettext_lazy("Seconds for a call"),
        }
        help_texts = {
            "name": gettext_lazy("Judges and study files name the endpoint by it."),
            "base_url": gettext_lazy(
                "With the version: https://api.openai.com/v1, http://127.0.0.1:11434/v1"
            ),
            "key_env": gettext_lazy(
                "A variable of the environment of web and workers, such as OPENAI_API_KEY."
            ),
            "own_network": gettext_lazy("Allows private addresses, such as this machine's."),
            "users": gettext_lazy(
                "Editors are no owners: to let them use it, choose named accounts and list theirs."
            ),
            "max_user_usd": gettext_lazy("Empty: no limit. Models then need a price."),
            "max_run_usd": gettext_lazy("Empty: no limit but the run's own cap."),
            "requests_per_minute": gettext_lazy(
                "Each worker process keeps to it by itself: with four of them the server may get "
                "four times as many. Empty: no limit."
            ),
            "in_flight": gettext_lazy("From each worker process, like the requests a minute."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.before = self.instance.base_url if self.instance.pk else ""
        if self.instance.pk:
            rows = self.instance.named
            lines = (
                user if limit is None else f"{user} {limit.normalize():f}"
                for user, limit in rows.values_list("user__username", "max_usd")
            )
            self.fields["named"].initial = "\n".join(lines)
        for name, least, most in (
            ("in_flight", 1, 1000), ("timeout_seconds", 1, 3600),
            ("requests_per_minute", 1, 1_000_000), ("max_run_usd", 0, None),
            ("max_user_usd", 0, None),
        ):  # fmt: skip
            limits = {"min_value": least} | ({} if most is None else {"max_value": most})
            self.fields[name] = self._meta.model._meta.get_field(name).formfield(
                label=self.fields[name].label, help_text=self.fields[name].help_text, **limits
            )

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        if not _NAME.fullmatch(name):
            raise forms.ValidationError(_("Use letters, digits and . _ - only."))
        try:
            taken = name in written_endpoints()
        except BadEndpoint:
            taken = False  # a file that cannot be read is reported where judges are
        if taken:
            raise forms.ValidationError(
                _("JUDGE_ENDPOINTS or the environment has this name already. Choose another one.")
            )
        return name

    def clean_key_env(self) -> str:
        name = str(self.cleaned_data["key_env"])
        if name and not _VARIABLE.fullmatch(name):
            raise forms.ValidationError(
                _("Name a variable that ends with _API_KEY, so that no other secret is sent.")
            )
        return name

    def clean_typed_key(self) -> str:
        key = str(self.cleaned_data["typed_key"])
        if key and not (key.isascii() and key.isprintable() and " " not in key):
            raise forms.ValidationError(_("A key has no spaces or special characters."))
        return key

    def clean_named(self) -> Mapping[User, Decimal | None]:
        """The limits of accounts; None where the endpoint's own holds."""
        lines = [line.split() for line in str(self.cleaned_data["named"]).splitlines()]
        lines = [line for line in lines if line][:MOST_NAMED]
        found = User.objects.filter(username__in=[name for name, *_rest in lines])
        users = {user.get_username(): user for user in found}
        named: dict[User, Decimal | None] = {}
        for name, *rest in lines:
            if name not in users:
                raise forms.ValidationError(_("There is no account %(name)s.") % {"name": name})
            if users[name] in named:
                raise forms.ValidationError(_("%(name)s is listed twice.") % {"name": name})
            named[users[name]] = _amount(name, rest)
        return named

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        key, variable = data.get("typed_key", ""), data.get("key_env", "")
        if key and variable:
            self.add_error("key_env", _("Either type the key or name a variable, not both."))
        if data.get("users") == ModelEndpoint.Users.NAMED and not data.get("named", True):
            self.add_error("named", _("Name at least one account."))
        self._check_address(str(data.get("base_url", "")), key, variable, data.get("own_network"))
        return data

    def _check_address(self, url: str, key: str, variable: str, own_network: object) -> None:
        keeps = self.instance.has_key and not key and not variable
        if keeps and urlsplit(url).netloc != urlsplit(self.before).netloc:
            self.add_error("typed_key", _("Type the key again: the address is another server's."))
        if url.startswith("http:") and not own_network:
            self.add_error(
                "base_url", _("Outside your own network use https, so that nobody reads the key.")
            )

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]  # the stubs leave it out
        key = self.cleaned_data.get("typed_key", "")
        if key or self.cleaned_data.get("key_env"):
            self.instance.key, self.instance.has_key = key, bool(key)
        if self.errors:
            return
        try:
            self.instance.base_url = as_endpoint(self.instance).base_url
        except ValidationError as error:
            first = error.errors()[0]
            field = str(first["loc"][0]) if first["loc"] else None
            reason = str(first["msg"]).removeprefix("Value error, ")
            self.add_error(field if field in self.fields else None, reason)


class PriceForm(forms.ModelForm):  # type: ignore[type-arg]
    """What a model costs."""

    currency = forms.CharField(
        label=gettext_lazy("Currency"), initial="USD", max_length=3, min_length=3
    )

    class Meta:
        model = ModelPrice
        fields = ("model", "currency", "input", "cached_input", "output", "valid_on", "source")
        labels = {
            "model": gettext_lazy("Model"),
            "input": gettext_lazy("Input, per million tokens"),
            "cached_input": gettext_lazy("Cached input"),
            "output": gettext_lazy("Output"),
            "valid_on": gettext_lazy("Price of"),
            "source": gettext_lazy("Source"),
        }
        help_texts = {
            "model": gettext_lazy("Its name at the endpoint; * for all others."),
            "cached_input": gettext_lazy("Empty: like input."),
            "valid_on": gettext_lazy("The day on which the source said so."),
            "source": gettext_lazy("An address or a contract; “local” where nothing is paid."),
        }
        widgets = {"valid_on": forms.DateInput(attrs={"type": "date"})}

    def __init__(self, *args: Any, models: list[str] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["model"].widget.attrs["list"] = "listed-models"
        for name in ("input", "cached_input", "output"):
            self.fields[name] = self._meta.model._meta.get_field(name).formfield(
                label=self.fields[name].label, help_text=self.fields[name].help_text, min_value=0
            )

    def clean_currency(self) -> str:
        currency = str(self.cleaned_data["currency"]).upper()
        if currency != "USD":
            raise forms.ValidationError(
                _("Costs are counted in USD. Enter the price in USD, and the rate in the source.")
            )
        return currency


def _amount(name: str, rest: list[str]) -> Decimal | None:
    """The amount behind a name; None without one."""
    if not rest:
        return None
    try:
        amount = Decimal(rest[0])
    except InvalidOperation:
        amount = Decimal(-1)
    if len(rest) > 1 or not amount.is_finite() or not 0 <= amount < 1_000_000:
        raise forms.ValidationError(
            _("After %(name)s, write an amount in USD, such as 20.") % {"name": name}
        )
    return amount
