"""What happens to somebody who is back from the provider."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.signing_in.company.identities import (
    NotLetIn,
    account_for,
    connect,
    identity_of,
    refuse_strangers,
)
from accounts.signing_in.factors import has_second_factor
from accounts.signing_in.steps import is_confirmed, remember_first_step, sign_in
from annotation.models import User


def come_in(
    request: HttpRequest, claims: Mapping[str, Any], state: Mapping[str, Any]
) -> HttpResponse:
    """Sign the person in, ask for the second step, connect the account that is signed in, or say
    why not. claims: of a token that was checked; state: what was remembered on the way there."""
    connecting = state.get("process") == "connect"
    try:
        identity = identity_of(claims)
        if connecting:
            refuse_strangers(identity)
            return _connected(request, state, lambda user: connect(user=user, identity=identity))
        user = account_for(identity)
    except NotLetIn as refusal:
        messages.error(request, str(refusal))
        return redirect("desk:account" if connecting else "desk:sign-in")
    theirs = settings.OIDC.asks_second_factor
    if not theirs and has_second_factor(user):
        remember_first_step(request, user, state["next"])
        return redirect("desk:second-step")
    sign_in(request, user, second_step=theirs)
    return redirect(state["next"])


def _connected(request: HttpRequest, state: Mapping[str, Any], join: Any) -> HttpResponse:
    """For the account that left to connect itself, if it is signed in still."""
    user = request.user
    if not isinstance(user, User) or user.pk != state["data"]["user"] or not is_confirmed(request):
        raise NotLetIn("You are not signed in any more as you were. Please try again.")
    join(user)
    messages.success(request, "The company account is connected.")
    return redirect("desk:account")
