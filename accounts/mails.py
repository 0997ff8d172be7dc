"""E-mail. About accounts each has a template, whose first line is the subject."""

import logging
from email.utils import parseaddr
from functools import partial
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException
from typing import NamedTuple
from uuid import UUID, uuid4

from celery import current_app
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.utils.encoding import punycode
from kombu.exceptions import OperationalError

TASK = "accounts.tasks.mail"
log = logging.getLogger(__name__)


class Refusal(NamedTuple):
    """Why a mail was not taken. status: the mail server's answer. again: whether it may be taken
    later. Nothing of it holds an address."""

    status: int | None
    problem: str
    again: bool


class NotYetTaken(Exception):
    """The mail server may take the mail later."""


def refusal_of(error: SMTPException | OSError) -> Refusal:
    """What an error of a mail server means: 4xx says "later", 5xx "never" (RFC 5321, 4.2.1)."""
    if isinstance(error, SMTPRecipientsRefused):
        status = max(code for code, _text in error.recipients.values())
        problem = "the mail server refuses the address"
        return Refusal(status, f"{problem} for now" if status < 500 else problem, status < 500)
    if isinstance(error, SMTPResponseException):
        problem = f"the mail server answered with {error.smtp_code}"
        return Refusal(error.smtp_code, problem, error.smtp_code < 500)
    return Refusal(None, f"the mail server cannot be reached: {type(error).__name__}", again=True)


def compose(address: str, subject: str, body: str, key: UUID | None = None) -> EmailMessage:
    """A mail of the program, which no machine is to answer (RFC 3834). Its id is of the sender's
    domain, whatever this machine is called. key: of what it says, the same in every try."""
    _name, sender = parseaddr(settings.DEFAULT_FROM_EMAIL)
    domain = punycode(sender.rpartition("@")[2])
    headers = {"Message-ID": f"<{key or uuid4()}@{domain}>", "Auto-Submitted": "auto-generated"}
    return EmailMessage(subject, body, to=[address], headers=headers)


def send_mail_to(address: str, name: str, **context: object) -> bool:
    """Send the mail `templates/accounts/mails/<name>.txt`. Whether the mail server took it."""
    try:
        return deliver(address, name, **context)
    except NotYetTaken:
        return False


def deliver(address: str, name: str, **context: object) -> bool:
    """The same, with NotYetTaken where it may be taken later."""
    if not (settings.EMAIL_ENABLED and address):
        return False
    text = render_to_string(f"accounts/mails/{name}.txt", context)
    subject, _, body = text.strip().partition("\n")
    try:
        compose(address, subject, body.strip() + "\n").send()
    except (SMTPException, OSError) as error:
        refusal = refusal_of(error)
        log.error("the mail “%s” was not sent: %s", name, refusal.problem)  # noqa: TRY400 a line is enough
        if refusal.again:
            raise NotYetTaken(refusal.problem) from None
        return False
    return True


def mail_in_background(address: str, name: str, **context: object) -> None:
    """Have a worker send a mail once the transaction has ended, and try again: no page waits for
    the mail server, and none is lost while it is away."""
    if settings.EMAIL_ENABLED and address:
        transaction.on_commit(partial(_ask_a_worker, address, name, context))


def _ask_a_worker(address: str, name: str, context: dict[str, object]) -> None:
    try:
        current_app.send_task(TASK, args=[address, name, context], retry=False)
    except OperationalError:
        log.error("the mail “%s” was not sent: the broker does not answer", name)  # noqa: TRY400
