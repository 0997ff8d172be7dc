"""The page *Health*, for operators alone."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as program
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.entry.invitations import invite
from annotation.models import Change, Study, User
from desk.installation.health.faults import forget_old_faults, note_fault
from desk.installation.health.figures import BACKED_UP
from desk.models import Fault
from jobs.models import BEAT, Heartbeat, Job, JobState
from jurybox import __version__
from tests.services.ports import free_port
from tests.sessions import as_user

ADDRESS = reverse("desk:health")
KEY_BEFORE = program.SECRET_KEY


def shown(client: Client) -> str:
    page = client.get(ADDRESS)
    assert page.status_code == 200
    return " ".join(page.content.decode().split())


def test_for_others_than_operators_it_does_not_exist(owner: User, outsider: User) -> None:
    for user in (owner, outsider):
        assert as_user(user).get(ADDRESS).status_code == 404
    assert Client().get(ADDRESS)["Location"].startswith(reverse("desk:sign-in"))


def test_it_says_how_each_part_is(admin_client: Client) -> None:
    page = shown(admin_client)
    for part in ("Database", "Broker", "Workers", "Disk of data", "Backup", __version__):
        assert part in page
    assert "none is running" in page
    assert "none has been made" in page
    assert "No errors in the last day" in page
    Heartbeat.objects.create(worker="host:1", at=timezone.now())
    Change.objects.create(action=BACKED_UP, at=timezone.now() - timedelta(hours=3))
    Job.objects.create(kind="export", state=JobState.QUEUED, asked_at=timezone.now())
    page = shown(admin_client)
    assert "1 alive: host:1" in page
    assert "3 hours ago" in page
    assert re.search(r">Export <code[^>]*>export</code>", page)


def test_what_is_broken_is_named(
    admin_client: Client, study: Study, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now()
    # A clock that was set back: beats of then lie ahead, and say nothing of now.
    Heartbeat.objects.create(worker="host:1", at=now + timedelta(hours=3))
    Heartbeat.objects.create(worker=BEAT, at=now - timedelta(minutes=3))
    invite(study=study, created_by=None)
    settings.EMAIL_ENABLED, settings.EMAIL_PORT = True, free_port()
    settings.EMAIL_HOST = "127.0.0.1"
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    monkeypatch.setattr("desk.installation.health.lines.LEAST_FREE_BYTES", 2**80)
    monkeypatch.setattr("desk.installation.health.lines.pending_migrations", lambda: ["desk.0999"])
    assert "SECRET_KEY: what is stored can be read" in shown(admin_client)
    settings.SECRET_KEY = "of-another-installation"
    client = Client()
    client.force_login(User.objects.get(is_superuser=True))
    page = shown(client)
    for said in (
        "1 migration due (desk.0999)",
        "none is running; the last was heard",
        "is not running. What is due from time to time waits",
        "the server does not answer",
        "SECRET_KEY is another one than",
        "make room",
    ):
        assert said in page, said
    settings.SECRET_KEY_FALLBACKS = [KEY_BEFORE]
    assert "SECRET_KEY: what is stored can be read" in shown(client)


def test_errors_of_the_last_day_are_listed_without_what_anybody_typed(
    admin_client: Client,
) -> None:
    for _ in range(3):
        note_fault("desk:study", ValueError("an answer"))
    note_fault("judges.tasks.work", KeyError("an answer"))
    Fault.objects.filter(error="KeyError").update(last_at=timezone.now() - timedelta(hours=25))
    page = shown(admin_client)
    assert "ValueError" in page
    assert 'data-label="Times">3<' in page
    assert "KeyError" not in page
    assert "an answer" not in page


def test_an_error_in_a_request_is_counted_with_the_id_that_the_log_has(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_now: object) -> None:
        raise LookupError

    monkeypatch.setattr("desk.installation.health.figures.queues", broken)
    admin_client.raise_request_exception = False
    reply = admin_client.get(ADDRESS)
    assert reply.status_code == 500
    met = Fault.objects.get()
    assert (met.place, met.error, met.request) == (
        "desk:health", "LookupError", reply["X-Request-ID"],
    )  # fmt: skip


def test_it_asks_as_much_with_many_workers_jobs_and_errors(admin_client: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            shown(admin_client)
        return len(asked)

    now = timezone.now()
    Heartbeat.objects.create(worker="host:first", at=now)
    few = queries()
    for number in range(10):
        Heartbeat.objects.create(worker=f"host:{number}", at=now)
        Job.objects.create(kind=f"kind {number}", state=JobState.FAILED, asked_at=now, ended_at=now)
        note_fault(f"desk:{number}", KeyError())
    assert queries() == few


def test_old_errors_are_forgotten(db: None) -> None:
    note_fault("desk:study", ValueError())
    note_fault("desk:home", ValueError())
    Fault.objects.filter(place="desk:home").update(hour=timezone.now() - timedelta(days=31))
    forget_old_faults(now=timezone.now())
    assert [met.place for met in Fault.objects.all()] == ["desk:study"]
