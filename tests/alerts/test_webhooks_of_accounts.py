"""The webhook of an account: it hears of all studies that the account owns, also of later ones, and
of no other; by the same job as that of a study."""

import json
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from alerts.announcements import announce
from alerts.events import NAMES
from alerts.feeds import collect_events, webhooks_with_feeds
from alerts.models import Alert, Delivery, Webhook
from alerts.webhooks import choose_events, remove_webhook, set_webhook
from annotation.models import Member, Study, User
from exports.choice import WHOLE
from exports.jobs import ask_for_export
from imports.answers.batches import add_answers
from jobs.models import Job, JobState
from tests.alerts.receiver import receiving
from tests.alerts.sending import became_of, send_due
from tests.annotation.answers.under_way import line
from tests.cast import join, make_study, make_user
from tests.sessions import as_user

Role, Event = Member.Role, Delivery.Event
PAGE = reverse("desk:webhook")
BUTTONS = ("choose-events", "renew-secret", "end-old-secret", "remove-webhook", "test-webhook")


@pytest.fixture
def hook(owner: User) -> Webhook:
    set_webhook(of=owner, url="https://example.org/all", by=owner, now=timezone.now())
    choose_events(of=owner, events=NAMES, by=owner, now=timezone.now())
    return Webhook.objects.get(owner=owner)


def told(hook: Webhook) -> list[tuple[str, str]]:
    """(study, event) of each new message."""
    rows = collect_events(webhook_id=hook.pk, now=timezone.now())
    assert all(row.owner == hook.owner for row in rows)
    return [(row.study.slug, row.event) for row in rows if row.study is not None]


def answered(study: Study, rater: str) -> None:
    add_answers(study=study, answers=[line(rater)], by=None)


def test_it_hears_of_each_study_that_the_account_owns_and_of_later_ones(
    study: Study, owner: User, hook: Webhook
) -> None:
    answered(study, "ann")
    later, others = make_study("later"), make_study("others")
    join(later, owner, Role.OWNER)
    join(others, owner, Role.EDITOR)
    answered(later, "ann")
    answered(others, "ann")
    assert told(hook) == [("small", Event.ANSWERS), ("later", Event.ANSWERS)]
    assert told(hook) == []
    job = ask_for_export(study=later, format_name="csv", choice=WHOLE, by=owner)
    Job.objects.filter(pk=job.pk).update(state=JobState.DONE, ended_at=timezone.now())
    later.rounds.get().places.update(wanted=1, counted=1)
    Study.objects.filter(pk=later.pk).update(overlap=1)
    assert sorted(told(hook)) == [("later", Event.EXPORT), ("later", Event.ROUND)]
    assert told(hook) == []


def test_a_study_tells_its_own_webhook_as_well(study: Study, owner: User, hook: Webhook) -> None:
    own = set_webhook(of=study, url="https://example.org/one", by=owner, now=timezone.now())
    choose_events(of=study, events=NAMES, by=owner, now=timezone.now())
    assert webhooks_with_feeds() == [hook.pk, own.pk]
    job = ask_for_export(study=study, format_name="csv", choice=WHOLE, by=owner)
    Job.objects.filter(pk=job.pk).update(state=JobState.DONE, ended_at=timezone.now())
    for each in (hook, own):
        assert len(collect_events(webhook_id=each.pk, now=timezone.now())) == 1
    assert list(Delivery.objects.posted_for(study).values_list("owner", flat=True)) == [None]
    assert list(Delivery.objects.posted_for(owner).values_list("study", flat=True)) == [study.pk]


def test_an_alert_is_announced_to_the_webhooks_of_all_owners(
    study: Study, owner: User, hook: Webhook
) -> None:
    editor, gone = make_user("editor"), make_user("gone")
    join(study, editor, Role.EDITOR)
    join(study, gone, Role.OWNER)
    for user in (editor, gone):
        set_webhook(of=user, url="https://example.org/x", by=user, now=timezone.now())
    User.objects.filter(pk=gone.pk).update(is_active=False)
    alert = Alert.objects.create(study=study, kind="judges", message="x", since=timezone.now())
    rows = announce(alert=alert, event=Event.OPENED, now=timezone.now())
    assert [row.owner for row in rows] == [owner]
    trial = make_study("trial", tryout_of=study)
    join(trial, owner, Role.OWNER)
    alert = Alert.objects.create(study=trial, kind="judges", message="x", since=timezone.now())
    assert announce(alert=alert, event=Event.OPENED, now=timezone.now()) == []


def test_messages_are_posted_by_the_job_until_the_account_owns_the_study_no_more(
    study: Study, owner: User, settings: Any
) -> None:
    with receiving() as receiver:
        settings.WEBHOOK_PRIVATE = [receiver.address]
        hook = set_webhook(of=owner, url=receiver.url, by=owner, now=timezone.now())
        choose_events(of=owner, events=NAMES, by=owner, now=timezone.now())
        answered(study, "ann")
        assert len(told(hook)) == 1
        as_user(owner).post(reverse("desk:test-webhook"))
        assert send_due() == 2
        answered(study, "bob")
        assert len(told(hook)) == 1
        study.members.filter(user=owner).update(role=Role.EDITOR)
        send_due()
    bodies = [json.loads(body) for _headers, body in receiver.posts]
    assert [(body["event"], body["study"]) for body in bodies] == [
        ("answer.stored", "small"),
        ("test", None),
    ]
    last = Delivery.objects.latest("pk")
    assert became_of(last)[::2] == (JobState.FAILED, "the account no longer owns the study")


def test_without_the_webhook_nothing_is_looked_at(study: Study, owner: User, hook: Webhook) -> None:
    User.objects.filter(pk=owner.pk).update(is_active=False)
    assert webhooks_with_feeds() == []
    User.objects.filter(pk=owner.pk).update(is_active=True)
    assert webhooks_with_feeds() == [hook.pk]
    assert remove_webhook(of=owner, by=owner)
    assert webhooks_with_feeds() == []
    answered(study, "ann")
    assert collect_events(webhook_id=hook.pk, now=timezone.now()) == []


# --- The page -----------------------------------------------------------------------------------


def test_the_page_is_of_ones_own_account(study: Study, owner: User, hook: Webhook) -> None:
    answered(study, "ann")
    told(hook)
    client = as_user(owner)
    page = client.get(PAGE).content.decode()
    assert "https://example.org/all" in page
    assert study.title in page
    assert hook.secret not in page
    other = as_user(make_user("stranger"))
    assert "example.org" not in other.get(PAGE).content.decode()
    for name in BUTTONS:
        assert other.post(reverse(f"desk:{name}"), {"events": ["run.finished"]}).status_code == 302
    row = Delivery.objects.get()
    assert other.post(reverse("desk:send-again", args=[row.pk])).status_code == 404
    assert Webhook.objects.get() == hook
    assert Webhook.objects.get().chosen == list(NAMES)
    data = client.get(reverse("desk:own-data")).content.decode()
    assert "https://example.org/all" in data
    assert hook.secret not in data


def test_other_owners_of_a_study_see_nothing_of_it(
    study: Study, owner: User, hook: Webhook
) -> None:
    other = make_user("other")
    join(study, other, Role.OWNER)
    answered(study, "ann")
    told(hook)
    client = as_user(other)
    for name in ("webhook", "alerts"):
        page = client.get(reverse(f"desk:{name}", args=[study.slug])).content.decode()
        assert "answer.stored</code></td>" not in page
        assert "example.org" not in page
    row = Delivery.objects.get()
    there = reverse("desk:send-again", args=[study.slug, row.pk])
    assert client.post(there).status_code == 404


def test_a_secret_is_shown_once_and_what_was_done_is_logged(owner: User) -> None:
    client = as_user(owner)
    page = client.post(PAGE, {"url": "https://example.org/all"}).content.decode()
    hook = owner.webhook
    assert hook.secret in page
    assert hook.secret not in client.get(PAGE).content.decode()
    renewed = client.post(reverse("desk:renew-secret")).content.decode()
    hook.refresh_from_db()
    assert hook.secret in renewed
    client.post(reverse("desk:end-old-secret"))
    hook.refresh_from_db()
    assert hook.secrets(timezone.now()) == [hook.secret]
    client.post(reverse("desk:remove-webhook"))
    assert not Webhook.objects.exists()
    assert client.post(PAGE, {"url": "file:///etc/passwd"}).status_code == 422
