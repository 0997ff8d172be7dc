"""Changing a password, and getting a new one when it is forgotten."""

from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import PasswordChangeView, PasswordResetConfirmView
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from accounts.forms import AddressForm
from accounts.signing_in.passwords import after_new_password, ask_for_reset_links
from accounts.site import address_of
from annotation.models import User


class ChangePassword(PasswordChangeView):
    """A new password for who knows the old one. The other browsers are signed out."""

    template_name = "desk/password.html"
    success_url = reverse_lazy("desk:account")

    @transaction.atomic
    def form_valid(self, form: Any) -> HttpResponse:
        answer = super().form_valid(form)
        after_new_password(user=form.user, keep=self.request.session.session_key)
        messages.success(self.request, _("The password is changed. Other browsers are signed out."))
        if number := _count_tokens(form.user):
            messages.warning(self.request, _tokens_still_work(number))
            return redirect("api:tokens")
        return answer


def _count_tokens(user: User) -> int:
    return user.api_tokens.working(timezone.now()).count()


def _tokens_still_work(number: int) -> str:
    """A program signs in by a token, not by the password."""
    return ngettext(
        "%(n)d API token of this account still works. Revoke it if somebody else may know it.",
        "%(n)d API tokens of this account still work. Revoke them if somebody else may know them.",
        number,
    ) % {"n": number}


@require_http_methods(["GET", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """Ask for a link to a new password. The answer is the same whether there is such an account,
    and takes as long, since a worker looks for it."""
    form = AddressForm(request.POST or None)
    if form.is_bound and form.is_valid() and settings.EMAIL_ENABLED:
        site = address_of("/", request).rstrip("/")
        if ask_for_reset_links(email=form.cleaned_data["email"], site=site):
            text = _("If an account has this address, a link to a new password is on its way.")
            messages.success(request, text)
            return redirect("desk:sign-in")
        form.add_error(None, _("E-mail cannot be sent at the moment. Please try again later."))
    context = {"form": form, "by_mail": settings.EMAIL_ENABLED}
    status = 422 if form.errors else 200
    return render(request, "accounts/forgotten.html", context, status=status)


class NewPassword(PasswordResetConfirmView):
    """A new password by a link. Signing in still takes the second step."""

    template_name = "accounts/new_password.html"
    success_url = reverse_lazy("desk:sign-in")

    @transaction.atomic
    def form_valid(self, form: Any) -> HttpResponse:
        answer = super().form_valid(form)
        after_new_password(user=form.user)
        messages.success(self.request, _("The password is set. Please sign in with it."))
        if number := _count_tokens(form.user):
            messages.warning(self.request, _tokens_still_work(number))
            query = urlencode({"next": reverse("api:tokens")})
            return redirect(f"{self.get_success_url()}?{query}")
        return answer
