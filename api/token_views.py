"""The page of one's own tokens, under Account."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.links import show_once, shown_once
from accounts.views.access import confirmed
from annotation.access import account
from api.scopes import Scope
from api.token_forms import TokenForm
from api.tokens import make_token, revoke_token

MADE_TOKEN = "made_token"  # noqa: S105 the name under which it is kept until it is shown


@never_cache
@confirmed
@require_http_methods(["GET", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """The tokens of the account, and the form for another."""
    user = account(request)
    form = TokenForm(user, request.POST or None)
    if form.is_bound and form.is_valid():
        chosen = form.cleaned_data
        scopes = [Scope(name) for name in chosen.pop("scopes")]
        _token, secret = make_token(owner=user, scopes=scopes, **chosen)
        show_once(request, MADE_TOKEN, secret)
        return redirect("api:tokens")
    context = {
        "form": form,
        "tokens": user.api_tokens.filter(revoked_at=None).select_related("study"),
        "now": timezone.now(),
        "made_token": shown_once(request, MADE_TOKEN),
    }
    status = 422 if form.errors else 200
    return render(request, "accounts/tokens.html", context, status=status)


@confirmed
@require_POST
def revoke(request: HttpRequest, token_id: int) -> HttpResponse:
    """Let one token open nothing any more."""
    user = account(request)
    revoke_token(token=get_object_or_404(user.api_tokens, pk=token_id), by=user)
    return redirect("api:tokens")


@confirmed
@require_POST
def revoke_all(request: HttpRequest) -> HttpResponse:
    """Let no token of the account open anything any more."""
    user = account(request)
    for token in user.api_tokens.filter(revoked_at=None):
        revoke_token(token=token, by=user)
    return redirect("api:tokens")
