"""Owners of studies created from files."""

from django.contrib.auth import get_user_model

from annotation.importing.errors import ImportFailure
from annotation.models import Member, Study, User

# What a command says of a study that nobody can open yet.
NO_OWNER = "no owner yet: the first superuser who signs in becomes its owner"


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


def adopt_studies(*, user: User) -> None:
    """Make a superuser an owner of the studies that have no member: those that were created before
    there was any account, which nobody could open."""
    if user.is_superuser:
        for study in Study.objects.filter(members=None):
            make_owners(study=study, username=user.get_username())
