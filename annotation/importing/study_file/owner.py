"""Owners of studies created from files."""

from django.contrib.auth import get_user_model

from annotation.importing.errors import ImportFailure
from annotation.models import Member, Study


def make_owners(*, study: Study, username: str = "") -> None:
    """Make the named user an owner of the study; without a name, every superuser."""
    users = get_user_model().objects.all()
    users = users.filter(username=username) if username else users.filter(is_superuser=True)
    if username and not users:
        raise ImportFailure(f"study {study.slug}", "owner", f"no user is called {username!r}")
    for user in users:
        Member.objects.update_or_create(
            study=study, user=user, defaults={"role": Member.Role.OWNER}
        )
