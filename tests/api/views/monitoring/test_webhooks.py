"""The webhook of a study and that of an account, by the API."""

import json

import pytest
from django.test import Client
from django.utils import timezone

from alerts.announcements import announce_test
from alerts.models import Delivery, Webhook
from annotation.models import Study, User
from jobs.models import Job, JobState
from tests.api.calls import listed, send
from tests.api.conftest import Caller

STUDY, ACCOUNT = "studies/small", "account"
HOOK = {"url": "https://example.org/hook", "events": ["run.finished"]}


@pytest.mark.parametrize(
    "whose",
    [
        pytest.param(
            STUDY, marks=pytest.mark.operations("studies_webhook_deliveries_again_create")
        ),
        pytest.param(
            ACCOUNT, marks=pytest.mark.operations("account_webhook_deliveries_again_create")
        ),
    ],
)
def test_a_webhook_is_set_told_other_events_tested_and_removed(
    program: Client, study: Study, owner: User, whose: str
) -> None:
    listener, slug = (study, "small") if whose == STUDY else (owner, None)
    made = send(program, f"{whose}/webhook", HOOK, "PUT")
    hook = Webhook.objects.of(listener).get()
    assert (made["secret"], made["study"]) == (hook.secret, slug)
    assert listed(program, f"{whose}/webhook")["events"] == ["run.finished"]
    send(program, f"{whose}/webhook/events", {"events": ["export.ready"]})
    renewed = send(program, f"{whose}/webhook/secret")
    hook.refresh_from_db()
    assert (hook.chosen, hook.secret) == (["export.ready"], renewed["secret"])
    send(program, f"{whose}/webhook/end-old-secret")
    hook.refresh_from_db()
    assert hook.old_secret == ""
    send(program, f"{whose}/webhook/test")
    (row,) = listed(program, f"{whose}/webhook/deliveries")["results"]
    assert (row["event"], row["study"], row["state"]) == ("test", slug, "queued")
    there = f"{whose}/webhook/deliveries/{row['id']}"
    assert listed(program, there) == row
    Job.objects.update(state=JobState.FAILED, reason="no answer")
    assert send(program, f"{there}/again")["state"] == "queued"
    assert Delivery.objects.get().job.state == JobState.QUEUED
    send(program, f"{whose}/webhook/remove")
    assert not Webhook.objects.exists()


def test_a_token_for_one_study_does_not_see_the_webhook_of_the_account(
    study: Study, owner: User, as_program: Caller
) -> None:
    program = as_program(owner, study=study)
    for path in ("webhook", "webhook/deliveries"):
        assert program.get(f"/api/v1/account/{path}/").status_code == 403
    put = program.put("/api/v1/account/webhook/", json.dumps(HOOK), content_type="application/json")
    assert (put.status_code, Webhook.objects.count()) == (403, 0)


def test_messages_of_others_are_in_no_list_of_an_owner(
    program: Client, study: Study, colleague: User
) -> None:
    now = timezone.now()
    rows = [announce_test(of=listener, now=now) for listener in (study, colleague)]
    assert [row["id"] for row in listed(program, f"{STUDY}/webhook/deliveries")["results"]] == [
        rows[0].pk
    ]
    assert listed(program, f"{ACCOUNT}/webhook/deliveries")["results"] == []
