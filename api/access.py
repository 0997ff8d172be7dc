"""Who may do what through the API: the token's scopes, then the owner's role in the study."""

from dataclasses import dataclass

from django.http import Http404
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.request import Request

from annotation.access import Role, get_study
from annotation.models import Study, User
from api.models import ApiToken
from api.scopes import Scope


@dataclass(frozen=True)
class Needs:
    """What an operation needs: a scope of the token, and a role in the study."""

    scope: Scope = Scope.READ
    role: Role = Role.VIEWER


def token_with(request: Request, scope: Scope) -> ApiToken:
    """The token of the request, if it has the scope."""
    token = request.auth
    if not isinstance(token, ApiToken):
        raise NotAuthenticated("Send a token: Authorization: Bearer jbx_…")
    if scope not in token.scopes:
        raise PermissionDenied(f"This token lacks the scope “{scope}”.")
    return token


def caller(request: Request) -> User:
    """The account that the token acts for."""
    assert isinstance(request.user, User)
    return request.user


def study_of(request: Request, slug: str, needs: Needs) -> Study:
    """The study, as the pages give it out; one that the token is not for does not exist."""
    token = token_with(request, needs.scope)
    study = get_study(caller(request), slug, needs.role)
    if token.study_id not in (None, study.pk):
        raise Http404("No such study.")
    return study
