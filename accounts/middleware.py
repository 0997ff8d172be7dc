"""Before a researcher's page: accounts that must have a second factor set one up, and who was
signed out meanwhile signs in and comes back to the page."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, resolve_url
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

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


def back_to_the_page(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Who sends a form while signed out comes back, by signing in, to the page that it stands on:
    at the address that it is sent to there is often no page. And not a part of a page leads to the
    sign-in, but all of it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        match, is_part = request.resolver_match, "HX-Request" in request.headers
        if match is None or match.app_name not in APPS or not _must_sign_in(request, response):
            return response
        if request.method != "GET":
            text = _("You were signed out, so nothing was changed. Please sign in and try again.")
            messages.warning(request, text)
        if request.method != "GET" or is_part:
            response = redirect_to_login(_page_of(request))
        return HttpResponseClientRedirect(response["Location"]) if is_part else response

    return middleware


def _must_sign_in(request: HttpRequest, response: HttpResponse) -> bool:
    """Whether a view has sent somebody to sign in and come back to its own address."""
    to_come_back = redirect_to_login(request.get_full_path()).url
    return isinstance(response, HttpResponseRedirect) and response.url == to_come_back


def _page_of(request: HttpRequest) -> str:
    """The address of the page that a request comes from, where that is one of ours."""
    page = urlsplit(request.headers.get("HX-Current-URL") or request.headers.get("Referer", ""))
    if page.netloc != request.get_host():
        return resolve_url(settings.LOGIN_REDIRECT_URL)
    return page._replace(scheme="", netloc="", fragment="").geturl()


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
