"""Accounts that must have a second factor, and have none yet, set one up before anything else."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.signing_in.factors import has_second_factor
from accounts.signing_in.steps import SECOND_STEP
from annotation.models import Member, User

# Researchers' pages. Workers' pages go on, also for a worker in the same browser.
APPS = {"desk", "judges", "results", "admin"}
OPEN = {
    "account",
    "company",
    "company-back",
    "confirm",
    "healthz",
    "invitation",
    "metrics",
    "passkeys",
    "readyz",
    "recovery-codes",
    "second-factor",
    "sign-in",
    "sign-out",
}


class second_factor_where_required:  # noqa: N801 middleware is named like a function in the settings
    """The middleware. It asks the database only where the setting asks for a second factor, and
    only in sessions that began without one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, _view: Any, _args: Any, _kwargs: Any
    ) -> HttpResponse | None:
        """Lead to the page that sets a second factor up."""
        match = request.resolver_match
        if settings.SECOND_FACTOR == "optional" or match is None or match.app_name not in APPS:
            return None
        if match.app_name == "desk" and match.url_name in OPEN:
            return None
        return redirect("desk:second-factor") if _lacks_factor(request) else None


def _lacks_factor(request: HttpRequest) -> bool:
    user = request.user
    if not isinstance(user, User) or request.session.get(SECOND_STEP):
        return False
    return must_have_factor(user) and not has_second_factor(user)


def must_have_factor(user: User) -> bool:
    """Whether the setting asks the account for a second factor."""
    if settings.SECOND_FACTOR == "owners":
        owns = Member.objects.filter(user=user, role=Member.Role.OWNER)
        return user.is_superuser or owns.exists()
    return bool(settings.SECOND_FACTOR == "required")
