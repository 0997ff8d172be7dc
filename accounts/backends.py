"""Which accounts may make studies (setting `STUDY_MAKERS`)."""

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Model
from django.http import HttpRequest

from annotation.models import User

MAKE_STUDIES = "annotation.add_study"


class StudyMakers:
    """Gives every account the permission to make studies, where the setting says so. Elsewhere the
    operator gives it, as Django's own backend knows."""

    def authenticate(self, request: HttpRequest | None, **_credentials: object) -> None:
        """Nobody signs in by it."""

    def has_perm(self, user_obj: User | AnonymousUser, perm: str, obj: Model | None = None) -> bool:
        return perm == MAKE_STUDIES and settings.STUDY_MAKERS == "all" and user_obj.is_active
