"""E-mail about accounts. Each has a template, whose first line is the subject."""

import logging
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string

log = logging.getLogger(__name__)


def send_mail_to(address: str, name: str, **context: object) -> bool:
    """Send the mail `templates/accounts/mails/<name>.txt`. Whether the mail server took it."""
    if not (settings.EMAIL_ENABLED and address):
        return False
    text = render_to_string(f"accounts/mails/{name}.txt", context)
    subject, _, body = text.strip().partition("\n")
    try:
        send_mail(subject, body.strip() + "\n", None, [address])
    except (SMTPException, OSError) as error:
        log.error("the mail “%s” was not sent: %s", name, error)  # noqa: TRY400 a line is enough
        return False
    return True
