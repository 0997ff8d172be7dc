"""How somebody hears of alerts, by the API."""

from typing import Any

from django.test import Client

from alerts.models import Delivery
from annotation.models import Study, User
from tests.api.calls import send

STUDY, ACCOUNT = "studies/small", "account"
HOOK = {"url": "https://example.org/hook", "events": ["run.finished"]}


def test_a_test_mail_goes_to_the_caller(
    program: Client, study: Study, owner: User, settings: Any
) -> None:
    settings.EMAIL_ENABLED = True
    User.objects.filter(pk=owner.pk).update(email="owner@example.org")
    send(program, f"{STUDY}/alert-mails/test")
    row = Delivery.objects.get()
    assert row.member is not None
    assert (row.channel, row.member.user) == ("email", owner)
