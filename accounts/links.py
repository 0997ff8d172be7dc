"""Links that are shown once, on the page after the one that made them, or sent by e-mail."""

from typing import NamedTuple

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.invitations import invite_colleague, not_mailed
from accounts.mails import send_mail_to
from accounts.models import ColleagueInvitation
from accounts.site import address_of
from annotation.access import account
from annotation.models import Member, Study, User

MADE_LINK = "made_link"


def show_once(request: HttpRequest, name: str, link: str) -> None:
    """Keep a link until the next page shows it."""
    request.session[name] = link


def shown_once(request: HttpRequest, name: str) -> str:
    """The link to show, if one was made just now. From then on it is known nowhere."""
    return str(request.session.pop(name, ""))


def invite_and_send(
    request: HttpRequest, *, study: Study | None, role: Member.Role | None, email: str
) -> None:
    """Invite a colleague, and say on the next page what became of it."""
    sent = invite_by_mail(request, by=account(request), study=study, role=role, email=email)
    if sent.mailed:
        text = _("An invitation is on its way to %(email)s.") % {"email": email}
        messages.success(request, text)
        return
    if sent.failed:
        messages.error(request, _("The mail could not be sent. Pass the link on yourself."))
    show_once(request, MADE_LINK, sent.link)


class SentInvitation(NamedTuple):
    """An invitation and its link, which is empty where it was mailed. failed: it was to be mailed,
    and could not be."""

    invitation: ColleagueInvitation
    link: str
    failed: bool = False

    @property
    def mailed(self) -> bool:
        """Whether the link is on its way."""
        return not self.link


def invite_by_mail(
    request: HttpRequest, *, by: User, study: Study | None, role: Member.Role | None, email: str
) -> SentInvitation:
    """Invite a colleague. Mailed to an address the link is shown to nobody; without one, or where
    the mail is not sent, it is to be shown once. request: of whose address the link is."""
    mailed = bool(email and settings.EMAIL_ENABLED)
    invitation, token = invite_colleague(study=study, role=role, by=by, email=email, mailed=mailed)
    link = address_of(reverse("desk:invitation", args=[token]), request)
    context = {"by": by.get_full_name() or by.get_username(), "link": link}
    if mailed and send_mail_to(email, "invitation", invitation=invitation, **context):
        return SentInvitation(invitation, "")
    if mailed:
        not_mailed(invitation)
    return SentInvitation(invitation, link, failed=mailed)
