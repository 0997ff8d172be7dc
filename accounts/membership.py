"""Membership of researchers in a study: adding, changing and removing members."""

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Member, Study, User, account_subject, log_change


class LastOwner(Exception):
    """A study always keeps one owner."""

    def __init__(self) -> None:
        super().__init__(_("A study needs at least one owner. Make someone else an owner first."))


@transaction.atomic
def set_member(*, study: Study, user: User, role: Member.Role, by: User | None = None) -> Member:
    """Give a researcher a role in a study, whether new or a member already. The role that they
    have already is nothing to log."""
    _keep_an_owner(study, user, role)
    standing = Member.objects.filter(study=study, user=user, role=role).first()
    if standing is not None:
        return standing
    member, created = Member.objects.update_or_create(
        study=study, user=user, defaults={"role": role}
    )
    action, subject = "member.added" if created else "member.role_set", account_subject(user)
    log_change(study=study, by=by, action=action, subject=subject, detail={"role": role.value})
    return member


@transaction.atomic
def remove_member(*, study: Study, user: User, by: User | None = None) -> None:
    """Take a researcher out of a study."""
    _keep_an_owner(study, user, None)
    Member.objects.filter(study=study, user_id=user.pk).delete()
    log_change(study=study, by=by, action="member.removed", subject=account_subject(user))


def _keep_an_owner(study: Study, user: User, role: Member.Role | None) -> None:
    # The lock serialises two owners who demote each other at the same moment.
    owners = study.members.select_for_update().filter(role=Member.Role.OWNER)
    owner_ids = set(owners.values_list("user_id", flat=True))
    if role != Member.Role.OWNER and owner_ids == {user.pk}:
        raise LastOwner
