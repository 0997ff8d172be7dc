"""Owners of studies created from files."""

from django.contrib.auth import get_user_model

from annotation.models import Member, Study, User
from files.errors import ImportFailure

# What a command says of a study that nobody can open yet.
NO_OWNER = "no owner yet: the first superuser who signs in becomes its owner"


def make_owners(*, study: Study, username: str = "") -> list[str]:
    """Make the named user an owner of the study; without a name, every superuser. The user names
    of those who were none before."""
    users = get_user_model().objects.all()
    users = users.filter(username=username) if username else users.filter(is_superuser=True)
    if not users:
        refuse_unknown(username, of=study.slug)
    owners = study.members.filter(role=Member.Role.OWNER)
    before = set(owners.values_list("user_id", flat=True))
    for user in users:
        Member.objects.update_or_create(
            study=study, user=user, defaults={"role": Member.Role.OWNER}
        )
    return [user.get_username() for user in users if user.pk not in before]


def refuse_unknown(username: str, *, of: str) -> None:
    """ImportFailure where a study is to be owned by nobody that there is."""
    if username and not get_user_model().objects.filter(username=username).exists():
        raise ImportFailure(f"study {of}", "owner", f"no user is called {username!r}")


def adopt_studies(*, user: User) -> None:
    """Make a superuser an owner of the studies that have no member: those that were created before
    there was any account, which nobody could open."""
    if user.is_superuser:
        for study in Study.objects.filter(members=None):
            make_owners(study=study, username=user.get_username())
