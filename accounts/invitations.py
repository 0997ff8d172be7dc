"""Inviting colleagues: into a study in a role, or to an account of this installation."""

import secrets
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.addresses import has_confirmed
from accounts.membership import set_member
from accounts.models import WORKS_FOR, ColleagueInvitation, digest_of
from annotation.models import Member, Study, User
from annotation.models.changes import log_change

Role = Member.Role


class NotAccepted(Exception):
    """Why an invitation lets this person in no more, in words for them."""


@transaction.atomic
def invite_colleague(
    *,
    study: Study | None,
    role: Member.Role | None,
    by: User | None,
    email: str = "",
    mailed: bool = False,
) -> tuple[ColleagueInvitation, str]:
    """An invitation, and the token of its link, which is kept nowhere.

    by: an owner of the study; without a study an operator, or None for a command.
    """
    token = secrets.token_urlsafe(24)
    invitation = ColleagueInvitation.objects.create(
        study=study,
        role="" if role is None else role.value,
        email=email.lower(),
        mailed=mailed,
        digest=digest_of(token),
        made_by=by,
        expires_at=timezone.now() + WORKS_FOR,
    )
    _log(invitation, "colleague.invited", by)
    return invitation, token


def not_mailed(invitation: ColleagueInvitation) -> None:
    """Note that the link was not sent, so that it says nothing of who reads the mailbox."""
    ColleagueInvitation.objects.filter(pk=invitation.pk).update(mailed=False)


@transaction.atomic
def end_invitation(*, invitation: ColleagueInvitation, by: User | None, now: datetime) -> bool:
    """Let nobody in by it any more. Whether it was open."""
    open_one = ColleagueInvitation.objects.open(now).filter(pk=invitation.pk)
    ended = bool(open_one.update(ended_at=now))
    if ended:
        _log(invitation, "colleague.invitation_ended", by)
    return ended


def end_invitations_by(*, user: User, now: datetime, study: Study | None = None) -> int:
    """End what somebody made who may not invite any more, in one study or everywhere."""
    rows = ColleagueInvitation.objects.open(now).filter(made_by=user)
    return (rows if study is None else rows.filter(study=study)).update(ended_at=now)


def open_invitations(*, study: Study | None, now: datetime) -> "QuerySet[ColleagueInvitation]":
    """Those of a study, or of the installation, that somebody can still accept; newest first."""
    rows = ColleagueInvitation.objects.open(now).filter(study=study)
    return rows.select_related("made_by").order_by("-pk")


def invitation_of(token: str, *, now: datetime) -> ColleagueInvitation | None:
    """The invitation that a link leads to, if it still lets somebody in: it is open, and whoever
    made it may still invite."""
    rows = ColleagueInvitation.objects.open(now).select_related("study", "made_by")
    invitation = rows.filter(digest=digest_of(token)).first()
    return invitation if invitation is not None and _holds(invitation) else None


def _holds(invitation: ColleagueInvitation) -> bool:
    maker, study = invitation.made_by, invitation.study
    if study is None:
        return maker is None or (maker.is_active and maker.is_superuser)
    if maker is None or not maker.is_active:
        return False
    return study.members.filter(user=maker, role=Role.OWNER).exists()


def lets_newcomers_in(invitation: ColleagueInvitation) -> bool:
    """Whether an account can be made by it: where the operator alone makes accounts, only by the
    operator's own invitations."""
    return settings.SIGN_UP != "closed" or invitation.study is None


def is_for_another(invitation: ColleagueInvitation, user: User) -> bool:
    """Whether it was made for an address that somebody else's account has confirmed."""
    if not invitation.email or has_confirmed(user, invitation.email):
        return False
    theirs = Q(email__iexact=invitation.email, emailaddress__verified=True)
    return User.objects.filter(theirs, is_active=True).exclude(pk=user.pk).exists()


@transaction.atomic
def accept_invitation(*, invitation: ColleagueInvitation, user: User, now: datetime) -> None:
    """Let the account into what the invitation is for, once. A member keeps a higher role."""
    if is_for_another(invitation, user):
        raise NotAccepted(_("This invitation is for another account."))
    open_one = ColleagueInvitation.objects.open(now).filter(pk=invitation.pk)
    if not open_one.update(accepted_at=now, accepted_by=user):
        raise NotAccepted(_("This invitation has been used or has ended."))
    if invitation.study is not None:
        _join(invitation.study, user, Role(invitation.role))
    _log(invitation, "colleague.accepted", user)


def _join(study: Study, user: User, role: Member.Role) -> None:
    member = study.members.select_for_update().filter(user=user).first()
    if member is None or not Role(member.role).may(role):
        set_member(study=study, user=user, role=role, by=user)


def _log(invitation: ColleagueInvitation, action: str, by: User | None) -> None:
    detail = {"role": invitation.role} if invitation.role else {}
    subject = f"invitation:{invitation.pk}"
    log_change(study=invitation.study, by=by, action=action, subject=subject, detail=detail)
