"""Who may open pages about accounts, and where a page may lead on to."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.signing_in.steps import is_confirmed
from annotation.access import account

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def safe_next(request: HttpRequest, otherwise: str) -> str:
    """Where `next` leads, if that is an address of a page of this installation. It begins with a
    slash: `redirect` would take a bare word for the name of a view."""
    target = request.POST.get("next") or request.GET.get("next") or ""
    allowed = url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return target if allowed and target.startswith("/") else otherwise


def confirmed(view: View[P]) -> View[P]:
    """A decorator for pages that change how somebody signs in: whoever has not signed in a moment
    ago types the password again first."""

    @login_required
    @wraps(view)
    def page(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if is_confirmed(request):
            return view(request, *args, **kwargs)
        back = request.path if request.method == "GET" else reverse("desk:account")
        return redirect(f"{reverse('desk:confirm')}?{urlencode({'next': back})}")

    return page


def for_operators(view: View[P]) -> View[P]:
    """A decorator for pages of superusers; for others they do not exist."""

    @login_required
    @wraps(view)
    def page(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not account(request).is_superuser:
            raise Http404("No such page.")
        return view(request, *args, **kwargs)

    return page
