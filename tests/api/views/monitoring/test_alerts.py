"""How somebody hears of alerts, by the API."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from alerts.kinds import KINDS
from alerts.models import Alert, Delivery, Subscription
from annotation.models import Study, User
from tests.api.calls import get, listed, send
from tests.api.conftest import Caller

STUDY, ACCOUNT = "studies/small", "account"
HOOK = {"url": "https://example.org/hook", "events": ["run.finished"]}


@pytest.mark.operations("studies_alert_mails_test_create")
def test_a_test_mail_goes_to_the_caller(
    program: Client, study: Study, owner: User, settings: Any
) -> None:
    settings.EMAIL_ENABLED = True
    User.objects.filter(pk=owner.pk).update(email="owner@example.org")
    send(program, f"{STUDY}/alert-mails/test")
    row = Delivery.objects.get()
    assert row.member is not None
    assert (row.channel, row.member.user) == ("email", owner)


def test_a_member_chooses_about_what_mails_come(
    program: Client, study: Study, owner: User, colleague: User, as_program: Caller
) -> None:
    mails = f"{STUDY}/alert-mails"
    before = listed(program, mails)
    assert (before["by_email"], len(before["kinds"])) == (False, len(KINDS))
    chosen = {"by_email": True, "kinds": ["judges"]}
    assert send(program, mails, chosen, "PUT") == listed(program, mails) == chosen
    row = Subscription.objects.get()
    assert (row.member.user, row.by_email, "judges" in row.without) == (owner, True, False)
    assert listed(as_program(colleague), mails) == before  # each member's own
    body = {"by_email": False, "kinds": ["nothing"]}
    refused = program.put(f"/api/v1/{mails}/", body, content_type="application/json")
    assert refused.status_code == 422
    assert listed(program, mails) == chosen


def test_alerts_are_listed_by_their_kind_and_whether_they_hold(
    program: Client, study: Study
) -> None:
    now = timezone.now()
    Alert.objects.create(study=study, kind="judges", message="12 calls failed.", since=now)
    Alert.objects.create(
        study=study, kind="silence", message="No answers.", since=now, ended_at=now
    )
    (row,) = get(program, "alerts/?open=true")["results"]
    assert (row["kind"], row["message"]) == ("judges", "12 calls failed.")
    assert get(program, f"alerts/{row['id']}/") == row
