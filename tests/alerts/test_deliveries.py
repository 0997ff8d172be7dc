"""Messages about alerts: sent at least once, tried again where that may help, safe to send."""

import hashlib
import hmac
import json
import smtplib
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.db import connection
from django.utils import timezone

from alerts import webhooks
from alerts.announcements import announce, announce_test, delivery
from alerts.deliveries import wait_after
from alerts.models import Alert, Delivery, Subscription, Webhook
from alerts.texts import body_of, text_of
from alerts.webhooks import (
    BadAddress,
    end_old_secret,
    forget_old_secrets,
    remove_webhook,
    renew_secret,
    set_webhook,
)
from annotation.models import Member, Study, User
from jobs.limits import limits_of
from jobs.models import Job, JobState
from jobs.runner import work
from jobs.sweep import forget_old_jobs
from tests.alerts.receiver import Receiver, receiving
from tests.alerts.sending import became_of, send_due

NOW = timezone.now()
LIMITS = limits_of("delivery")


def hook(study: Study, owner: User, receiver: Receiver, settings: Any) -> Webhook:
    settings.WEBHOOK_PRIVATE = [receiver.address]
    return set_webhook(of=study, url=receiver.url, by=owner, now=NOW)


def sent_once(study: Study) -> Delivery:
    """A test message that was tried once."""
    row = announce_test(of=study, now=timezone.now())
    assert send_due() == 1
    row.refresh_from_db()
    return row


def test_a_post_is_signed_and_names_its_delivery(study: Study, owner: User, settings: Any) -> None:
    with receiving() as receiver:
        webhook = hook(study, owner, receiver, settings)
        alert = Alert.objects.create(study=study, kind="judges", message="Failed.", since=NOW)
        (row,) = announce(alert=alert, event=Delivery.Event.OPENED, now=timezone.now())
        assert send_due() == 1
        ((headers, body),) = receiver.posts
    assert became_of(row) == (JobState.DONE, 1, "")
    assert row.status == 204
    at, _, value = headers["Jurybox-Signature"].partition(",v1=")
    signed = at.removeprefix("t=").encode() + b"." + body
    assert value == hmac.new(webhook.secret.encode(), signed, hashlib.sha256).hexdigest()
    content = json.loads(body)
    assert headers["Jurybox-Delivery"] == content["id"] == str(row.key)
    assert content["alert"]["kind"] == "judges"
    assert webhook.secret not in body.decode()


def test_a_target_that_never_answers_is_tried_again_later(
    study: Study, owner: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhooks, "TIMEOUT", 0.2)
    with receiving(never_answers=True) as receiver:
        hook(study, owner, receiver, settings)
        row = sent_once(study)
    assert (row.job.state, row.tries) == (JobState.QUEUED, 1)
    assert "no answer" in row.job.reason
    assert row.job.next_at is not None
    assert timedelta(seconds=10) < row.job.next_at - timezone.now() < timedelta(seconds=50)
    assert send_due() == 0


def test_redirects_are_not_followed(study: Study, owner: User, settings: Any) -> None:
    with receiving() as inside, receiving(status=302, location=inside.url) as receiver:
        hook(study, owner, receiver, settings)
        settings.WEBHOOK_PRIVATE = [receiver.address, inside.address]
        row = sent_once(study)
        assert not inside.posts
    assert (row.job.state, row.status) == (JobState.FAILED, 302)
    assert "redirects are not followed" in row.job.reason


def test_private_addresses_are_refused(study: Study, owner: User, settings: Any) -> None:
    with receiving() as receiver:
        hook(study, owner, receiver, settings)
        settings.WEBHOOK_PRIVATE, settings.WEBHOOK_PORTS = [], [receiver.port]
        row = sent_once(study)
        assert not receiver.posts
    assert row.job.state == JobState.FAILED
    assert row.job.reason.startswith("refused:")


@pytest.mark.parametrize(
    ("status", "state"), [(500, JobState.QUEUED), (429, JobState.QUEUED), (404, JobState.FAILED)]
)
def test_errors_of_a_server_are_tried_again_and_refusals_are_not(
    study: Study, owner: User, settings: Any, status: int, state: str
) -> None:
    with receiving(status=status) as receiver:
        hook(study, owner, receiver, settings)
        row = sent_once(study)
    assert (row.job.state, row.status) == (state, status)


def test_nobody_listens(study: Study, owner: User, settings: Any) -> None:
    with receiving() as receiver:
        hook(study, owner, receiver, settings)
    row = sent_once(study)
    assert (row.job.state, row.status) == (JobState.QUEUED, None)
    assert "no connection" in row.job.reason


def test_a_message_is_given_up_after_some_tries(study: Study, owner: User, settings: Any) -> None:
    with receiving(status=503) as receiver:
        hook(study, owner, receiver, settings)
        row = announce_test(of=study, now=timezone.now())
        for _ in range(LIMITS.attempts + 1):
            Job.objects.filter(state=JobState.QUEUED).update(next_at=timezone.now())
            send_due()
        assert len(receiver.posts) == LIMITS.attempts == 8
    assert became_of(row)[0] == JobState.FAILED


def test_waits_grow_and_differ() -> None:
    waits = [wait_after(tries) for tries in range(1, LIMITS.attempts)]
    assert all(wait <= timedelta(hours=1.5) for wait in waits)
    assert wait_after(6) > wait_after(1)
    assert len({wait_after(3) for _ in range(5)}) > 1


def test_a_message_whose_worker_was_killed_is_sent_again_under_the_same_key(
    study: Study, owner: User, settings: Any
) -> None:
    """At least once: between sending and recording nobody can know."""
    with receiving() as receiver:
        hook(study, owner, receiver, settings)
        row = sent_once(study)
        # What a worker leaves that is killed: a job that runs and reports no more.
        silent = {"state": JobState.RUNNING, "alive_at": timezone.now() - 2 * LIMITS.silence}
        Job.objects.filter(pk=row.job_id).update(**silent)
        assert work(job_id=row.job_id)
        keys = [headers["Jurybox-Delivery"] for headers, _ in receiver.posts]
    assert keys == [str(row.key)] * 2
    assert became_of(row) == (JobState.DONE, 2, "")


def test_a_message_that_was_sent_is_not_sent_by_a_second_task(
    study: Study, owner: User, settings: Any
) -> None:
    with receiving() as receiver:
        hook(study, owner, receiver, settings)
        row = sent_once(study)
        assert not work(job_id=row.job_id)
        assert len(receiver.posts) == 1


def test_messages_are_kept_for_three_months(study: Study, owner: User, settings: Any) -> None:
    with receiving() as receiver:
        hook(study, owner, receiver, settings)
        sent_once(study)
    forget_old_jobs(now=timezone.now() + timedelta(days=89))
    assert Delivery.objects.count() == 1
    forget_old_jobs(now=timezone.now() + timedelta(days=91))
    assert not Delivery.objects.exists()
    assert not Job.objects.exists()


# --- E-mail -------------------------------------------------------------------------------------


@pytest.fixture
def subscribed(study: Study, owner: User, settings: Any) -> Member:
    settings.EMAIL_ENABLED = True
    owner.email = "owner@example.org"
    owner.save()
    member = study.members.get(user=owner)
    Subscription.objects.create(member=member, by_email=True, without=["silence"])
    return member


def announced(study: Study, kind: str = "judges") -> list[Delivery]:
    alert = Alert.objects.create(study=study, kind=kind, message="Failed.", since=NOW)
    return announce(alert=alert, event=Delivery.Event.OPENED, now=timezone.now())


def test_members_get_what_they_asked_for(study: Study, subscribed: Member) -> None:
    study.title = "Two\nlines"
    study.save()
    assert len(announced(study)) == 1
    assert announced(study, "silence") == []
    send_due()
    (message,) = mail.outbox
    assert message.to == ["owner@example.org"]
    assert message.subject == "Two lines: Judges fail"
    assert "Failed." in message.body


def test_a_member_who_left_gets_nothing_any_more(study: Study, subscribed: Member) -> None:
    announced(study)
    subscribed.delete()
    send_due()
    assert not mail.outbox


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (ConnectionRefusedError(), JobState.QUEUED),
        (smtplib.SMTPServerDisconnected(), JobState.QUEUED),
        (smtplib.SMTPResponseException(451, b"later, owner@example.org"), JobState.QUEUED),
        (smtplib.SMTPResponseException(550, b"no such user"), JobState.FAILED),
        (smtplib.SMTPRecipientsRefused({"owner@example.org": (550, b"")}), JobState.FAILED),
        (smtplib.SMTPRecipientsRefused({"owner@example.org": (450, b"")}), JobState.QUEUED),
    ],
)
def test_a_mail_server_that_is_down_is_asked_again(
    study: Study,
    subscribed: Member,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    state: str,
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr("accounts.mails.EmailMessage.send", fail)
    (row,) = announced(study)
    send_due()
    assert became_of(row)[0] == state
    assert "example.org" not in row.job.reason


def test_without_a_mail_server_there_are_no_messages(
    study: Study, subscribed: Member, settings: Any
) -> None:
    settings.EMAIL_ENABLED = False
    assert announced(study) == []


# --- Addresses and secrets ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "url", ["ftp://example.org/", "https://me:pw@example.org/", "nothing", "http://"]
)
def test_only_addresses_of_the_web_are_taken(study: Study, owner: User, url: str) -> None:
    with pytest.raises(BadAddress):
        set_webhook(of=study, url=url, by=owner, now=NOW)


def test_the_log_has_neither_the_secret_nor_the_path(study: Study, owner: User) -> None:
    url = "https://example.org/very-secret-path"
    made = set_webhook(of=study, url=url, by=owner, now=NOW)
    assert remove_webhook(of=study, by=owner)
    assert not remove_webhook(of=study, by=owner)
    rows = list(study.changes.values_list("action", "subject", "detail"))
    assert {row[0] for row in rows} == {"webhook.set", "webhook.removed"}
    assert "very-secret" not in str(rows)
    assert made.secret not in str(rows)


def column_of(webhook: Webhook) -> str:
    """The secret as the database holds it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT secret FROM alerts_webhook WHERE id = %s", [webhook.pk])
        return str(cursor.fetchone()[0])


def test_a_secret_is_encrypted_in_the_database(study: Study, owner: User, settings: Any) -> None:
    made = set_webhook(of=study, url="https://example.org/", by=owner, now=NOW)
    assert made.secret not in column_of(made)
    assert Webhook.objects.get().secret == made.secret
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", [settings.SECRET_KEY]
    assert Webhook.objects.get().secret == made.secret


def is_genuine(header: str, body: bytes, *secrets: str) -> bool:
    """What the documentation tells a recipient to do."""
    page = (Path(settings.BASE_DIR) / "docs/webhooks.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    exec(page.partition("```python\n")[2].partition("```")[0], names)
    return bool(names["is_genuine"](header, body, list(secrets)))


def test_a_renewed_secret_and_the_one_before_both_sign_for_a_day(
    study: Study, owner: User, settings: Any
) -> None:
    with receiving() as receiver:
        first = hook(study, owner, receiver, settings)
        second = renew_secret(of=study, by=owner, now=timezone.now())
        assert second is not None
        sent_once(study)
        Webhook.objects.update(old_until=timezone.now())
        sent_once(study)
    (both, body), (alone, later) = ((h["Jurybox-Signature"], body) for h, body in receiver.posts)
    assert both.count(",v1=") == 2
    assert second.old_until is not None
    assert second.old_until - second.made_at == timedelta(hours=24)
    assert [is_genuine(both, body, w.secret) for w in (first, second)] == [True, True]
    assert [is_genuine(alone, later, w.secret) for w in (first, second)] == [False, True]
    assert is_genuine(alone, later, first.secret, second.secret)
    assert not is_genuine(both, body + b" ", first.secret, second.secret)
    assert not is_genuine(both, body, "another")
    old = webhooks.signature(signing=[second.secret], body=body, at=int(time.time()) - 400)
    assert not is_genuine(old, body, second.secret)


def test_renewed_twice_in_a_day_the_secret_that_is_in_use_goes_on(
    study: Study, owner: User
) -> None:
    made = set_webhook(of=study, url="https://example.org/", by=owner, now=NOW)
    lost = renew_secret(of=study, by=owner, now=NOW)
    again = renew_secret(of=study, by=owner, now=NOW)
    assert lost is not None
    assert again is not None
    assert Webhook.objects.get().secrets(NOW) == [again.secret, made.secret]
    assert end_old_secret(of=study, by=owner, now=NOW)
    last = renew_secret(of=study, by=owner, now=NOW)
    assert last is not None
    assert Webhook.objects.get().secrets(NOW) == [last.secret, again.secret]


def test_another_address_has_a_secret_of_its_own_alone(study: Study, owner: User) -> None:
    for url in ("https://example.org/", "https://example.org/", "https://example.com/"):
        made = set_webhook(of=study, url=url, by=owner, now=NOW)
    assert Webhook.objects.get().secrets(NOW) == [made.secret]


def test_an_old_secret_is_encrypted_and_removed_after_its_time(
    study: Study, owner: User, settings: Any
) -> None:
    made = set_webhook(of=study, url="https://example.org/", by=owner, now=NOW)
    renew_secret(of=study, by=owner, now=NOW)
    with connection.cursor() as cursor:
        cursor.execute("SELECT old_secret FROM alerts_webhook")
        assert made.secret not in str(cursor.fetchone()[0])
    assert forget_old_secrets(now=NOW + timedelta(hours=23)) == 0
    assert forget_old_secrets(now=NOW + timedelta(hours=24)) == 1
    assert Webhook.objects.get().old_secret == ""
    renew_secret(of=study, by=owner, now=NOW)
    # Neither is readable, so nothing is signed; a new one begins alone.
    settings.SECRET_KEY = "another"
    assert Webhook.objects.get().secrets(NOW) == []
    anew = renew_secret(of=study, by=owner, now=NOW)
    assert anew is not None
    assert Webhook.objects.get().secrets(NOW) == [anew.secret]


def test_without_the_key_of_its_secret_a_webhook_signs_nothing_and_says_so(
    study: Study, owner: User, settings: Any
) -> None:
    with receiving() as receiver:
        hook(study, owner, receiver, settings)
        settings.SECRET_KEY = "another"
        row = sent_once(study)
        assert receiver.posts == []
    assert (row.job.state, row.job.reason) == (JobState.FAILED, webhooks.UNREADABLE)


@pytest.mark.parametrize("site", ["", "https://jurybox.example.org"])
def test_messages_hold_links_where_the_installation_knows_its_address(
    study: Study, settings: Any, site: str
) -> None:
    settings.SITE_URL = site
    alert = Alert.objects.create(study=study, kind="judges", message="Failed.", since=NOW)
    row = delivery(study=study, event=Delivery.Event.OPENED, now=NOW, alert=alert)
    link = f"{site}/studies/{study.slug}/judges/"
    assert (link in text_of(row)) == bool(site)
    assert json.loads(body_of(row)).get("link") == (link if site else None)
    assert "://" not in text_of(row) or site
    announced = announce_test(of=study, now=NOW)
    assert (f"{site}/studies/{study.slug}/alerts/" in text_of(announced)) == bool(site)
