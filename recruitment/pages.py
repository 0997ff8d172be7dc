"""What the pages of recruitment share: who may do what, and calls whose errors become words."""

from collections.abc import Callable
from typing import TypeVar

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest

from annotation.access import Role, account, get_role, get_study
from annotation.models import PanelStudy, Study
from annotation.panels.prolific_api.client import Prolific
from annotation.panels.prolific_api.connection import connect
from annotation.panels.prolific_api.errors import ProlificError
from recruitment.publication import NotNow

T = TypeVar("T")
EVERY_OWNER = "*"
MAY_NOT = (
    "Your account may not spend money at Prolific. The operator names the accounts "
    "that may (PROLIFIC_OWNERS)."
)


def get_payer(request: HttpRequest, slug: str) -> Study:
    """The study, for an owner who may spend money at Prolific."""
    study = get_study(request.user, slug, Role.OWNER)
    if not _may_spend(request):
        raise PermissionDenied(MAY_NOT)
    return study


def may_pay(request: HttpRequest, study: Study) -> bool:
    """Whether the reader may spend the study's money at Prolific."""
    return get_role(request.user, study) == Role.OWNER and _may_spend(request)


def _may_spend(request: HttpRequest) -> bool:
    """The token pays for whatever is published, so that owning a study alone does not suffice."""
    names = settings.PROLIFIC_OWNERS
    if not names:
        return account(request).is_superuser
    return EVERY_OWNER in names or request.user.get_username() in names


def get_made(study: Study, key: int) -> PanelStudy:
    """A study as it was made at Prolific; another study's does not exist."""
    made = study.panel_studies.filter(pk=key).first()
    if made is None:
        raise Http404("No such study at Prolific.")
    made.study = study
    return made


def at_prolific(request: HttpRequest, study: Study, action: Callable[[Prolific], T]) -> T | None:
    """The result of something done at Prolific; None, and a message in words, where it failed."""

    def connected() -> T:
        with connect(study) as client:
            return action(client)

    return attempt(request, connected)


def attempt(request: HttpRequest, action: Callable[[], T]) -> T | None:
    """The result of something; None, and a message in words, where it is not possible now."""
    try:
        return action()
    except (ProlificError, NotNow) as problem:
        messages.error(request, str(problem))
        return None
