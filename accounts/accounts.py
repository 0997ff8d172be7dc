"""Making, deactivating and erasing accounts, and handing studies over."""

from axes.models import AccessAttempt
from django.contrib.auth.models import Permission
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from accounts.addresses import NotConfirmed, mark_confirmed
from accounts.backends import MAKE_STUDIES
from accounts.invitations import accept_invitation, end_invitations_by
from accounts.membership import remove_member, set_member
from accounts.models import ColleagueInvitation
from accounts.signing_in.sessions import end_sessions
from annotation.models import Member, Study, User
from annotation.models.changes import account_subject, log_change

Role = Member.Role


class OwnsStudies(Exception):
    """Studies that would be left without an owner."""

    def __init__(self, studies: list[Study]) -> None:
        super().__init__(", ".join(study.title for study in studies))
        self.studies = studies


@transaction.atomic
def make_account(
    *,
    username: str,
    password: str | None,
    name: str = "",
    email: str = "",
    invitation: ColleagueInvitation | None = None,
) -> User:
    """An account, which accepts the invitation that it was made by. Without a password nobody signs
    in by one."""
    user = User.objects.create_user(username, email.lower(), password, first_name=name)
    log_change(study=None, by=user, action="account.made", subject=account_subject(user))
    if invitation is not None:
        if invitation.mailed and invitation.email == user.email:
            _confirm_mailed(user)
        accept_invitation(invitation=invitation, user=user, now=timezone.now())
    return user


def _confirm_mailed(user: User) -> None:
    """The link came by that mailbox alone."""
    try:
        mark_confirmed(user=user, email=user.email)
    except NotConfirmed:
        User.objects.filter(pk=user.pk).update(email="")


@transaction.atomic
def set_active(*, user: User, active: bool, by: User | None) -> None:
    """Let an account sign in or not. Its studies and memberships stay as they are."""
    User.objects.filter(pk=user.pk).update(is_active=active)
    if not active:
        end_sessions(user=user)
        end_invitations_by(user=user, now=timezone.now())
    action = "account.activated" if active else "account.deactivated"
    log_change(study=None, by=by, action=action, subject=account_subject(user))


@transaction.atomic
def permit_studies(*, user: User, permitted: bool, by: User | None) -> None:
    """Let an account make studies, where not all of them may (setting `STUDY_MAKERS`)."""
    app, _, name = MAKE_STUDIES.partition(".")
    permission = Permission.objects.get(content_type__app_label=app, codename=name)
    if permitted:
        user.user_permissions.add(permission)
    else:
        user.user_permissions.remove(permission)
    action = "account.studies_permitted" if permitted else "account.studies_forbidden"
    log_change(study=None, by=by, action=action, subject=account_subject(user))


def studies_owned_alone(user: User) -> "QuerySet[Study]":
    """The studies that have no other owner."""
    owners = Count("members", filter=Q(members__role=Role.OWNER))
    others = Count("members", filter=Q(members__role=Role.OWNER) & ~Q(members__user=user))
    rows = Study.objects.filter(tryout_of=None).annotate(owners=owners, other_owners=others)
    return rows.filter(owners__gt=0, other_owners=0)


@transaction.atomic
def change_role(*, study: Study, user: User, role: Member.Role, by: User) -> None:
    """Give a member another role. Who owns the study no more invites nobody into it any more."""
    set_member(study=study, user=user, role=role, by=by)
    if role != Role.OWNER:
        end_invitations_by(user=user, now=timezone.now(), study=study)


@transaction.atomic
def leave_study(*, study: Study, user: User, by: User) -> None:
    """Take a member out, and end the invitations that they made."""
    remove_member(study=study, user=user, by=by)
    end_invitations_by(user=user, now=timezone.now(), study=study)


@transaction.atomic
def hand_over(*, study: Study, owner: User, to: User) -> None:
    """Make another member the owner; the one before stays as an editor."""
    change_role(study=study, user=to, role=Role.OWNER, by=owner)
    change_role(study=study, user=owner, role=Role.EDITOR, by=owner)


@transaction.atomic
def erase_account(*, user: User, by: User | None, heir: User | None = None) -> None:
    """Remove an account with all that is about the person alone: name, address, memberships, second
    factors, sessions, begun studies. Studies stay whole, and so do the numbers in change logs.

    heir: who becomes the owner of studies that have no other; without one OwnsStudies is raised.
    """
    alone = list(studies_owned_alone(user))
    if alone and heir is None:
        raise OwnsStudies(alone)
    for study in alone:
        assert heir is not None
        set_member(study=study, user=heir, role=Role.OWNER, by=by)
    end_sessions(user=user)
    end_invitations_by(user=user, now=timezone.now())
    AccessAttempt.objects.filter(username=user.get_username()).delete()
    ColleagueInvitation.objects.filter(accepted_by=user).update(email="")
    log_change(
        study=None,
        by=None if by == user else by,
        action="account.erased",
        subject=account_subject(user),
    )
    user.delete()
