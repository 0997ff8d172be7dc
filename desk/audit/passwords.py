"""Passwords that were changed, in the change log."""

from typing import Any

from django.contrib.auth.views import PasswordChangeView
from django.db import transaction
from django.http import HttpResponse

from annotation.access import account
from annotation.models import account_subject, log_change


class LoggedPasswordChange(PasswordChangeView):
    """Changing the password of one's own account."""

    @transaction.atomic
    def form_valid(self, form: Any) -> HttpResponse:
        by = account(self.request)
        log_change(study=None, by=by, action="account.password_set", subject=account_subject(by))
        return super().form_valid(form)
