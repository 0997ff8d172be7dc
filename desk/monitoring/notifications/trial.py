"""Sending a test message from a page."""

from django.contrib import messages
from django.http import HttpRequest
from django.utils import timezone

from alerts.announcements import announce_test, was_tested
from alerts.models import Listener

NO_ADDRESS = "There is no address to send a message to."


def send_test(request: HttpRequest, of: Listener, member: int | None = None) -> None:
    """Send one to a member by e-mail, or without one to the webhook, at most one each minute."""
    now = timezone.now()
    if was_tested(of=of, now=now, member=member):
        messages.info(request, "A test message was sent a moment ago. Please wait a minute.")
        return
    announce_test(of=of, now=now, member=member)
    messages.success(request, "A test message is on its way.")
