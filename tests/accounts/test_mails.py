"""Mail about accounts, to a real mail server that takes it, refuses it, or is away."""

import json
import logging
import re
from collections.abc import Callable, Iterator
from email import message_from_string
from smtplib import SMTPRecipientsRefused, SMTPServerDisconnected
from typing import Any
from uuid import UUID

import pytest
from django.urls import reverse
from kombu.exceptions import OperationalError

from accounts import tasks
from accounts.mails import (
    NotYetTaken,
    compose,
    deliver,
    mail_in_background,
    refusal_of,
    send_mail_to,
)
from accounts.signing_in.passwords import mail_reset_links
from annotation.models import Change, User
from telemetry.logs import TextLines
from tests.services.mail_server import MailServer, mail_server
from tests.services.ports import free_port
from tests.sessions import as_user

ADDRESS = "owner@lab.example"
LATER, NEVER = "451 4.3.0 later", "550 5.1.1 no such user"


@pytest.fixture
def server(settings: Any) -> Iterator[MailServer]:
    with mail_server() as started:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_ENABLED, settings.EMAIL_HOST = True, "127.0.0.1"
        settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = started.port, 5
        yield started


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """What workers are asked to do."""
    found: list[tuple[str, Any]] = []
    monkeypatch.setattr(
        "accounts.mails.current_app.send_task",
        lambda name, args, **_more: found.append((name, json.loads(json.dumps(args)))),
    )
    return found


def test_a_mail_that_may_be_taken_later_is_tried_again_and_a_refused_one_is_not(
    server: MailServer, settings: Any
) -> None:
    about = {"user": "owner", "added": True}
    assert deliver(ADDRESS, "second_factor", **about)
    ((recipients, text),) = server.taken
    assert recipients == [ADDRESS]
    assert "Subject: A second factor was added" in text
    server.says = NEVER
    assert not deliver(ADDRESS, "second_factor", **about)
    server.says = LATER
    with pytest.raises(NotYetTaken):
        deliver(ADDRESS, "second_factor", **about)
    settings.EMAIL_PORT = free_port()
    with pytest.raises(NotYetTaken, match="ConnectionRefusedError"):
        deliver(ADDRESS, "second_factor", **about)
    assert not send_mail_to(ADDRESS, "second_factor", **about)
    assert len(server.taken) == 1
    for task in (tasks.mail, tasks.mail_reset_links):
        assert NotYetTaken in task.autoretry_for
        assert task.max_retries > 1


def test_a_mail_is_of_the_senders_domain_and_wants_no_answer_of_a_machine(
    server: MailServer, settings: Any
) -> None:
    settings.DEFAULT_FROM_EMAIL = "The lab <studies@lab.example>"
    for _ in range(2):
        assert deliver(ADDRESS, "password_changed", user="owner")
    assert compose(ADDRESS, "An alert", "Text.", UUID(int=1)).send()
    told = [message_from_string(text) for _recipients, text in server.taken]
    assert {mail["From"] for mail in told} == {"The lab <studies@lab.example>"}
    assert {mail["Auto-Submitted"] for mail in told} == {"auto-generated"}
    ids = [mail["Message-ID"] for mail in told]
    assert all(re.fullmatch(r"<[0-9a-f-]{36}@lab\.example>", each) for each in ids)
    assert len(set(ids)) == 3
    assert ids[2] == f"<{UUID(int=1)}@lab.example>"
    settings.DEFAULT_FROM_EMAIL = "studies@bücher.example"
    sent = compose(ADDRESS, "An alert", "Text.", UUID(int=1)).message()
    assert sent["Message-ID"] == f"<{UUID(int=1)}@xn--bcher-kva.example>"


def test_no_line_of_the_log_names_who_was_not_reached(
    server: MailServer, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        for server.says in (NEVER, LATER):
            send_mail_to(ADDRESS, "password_changed", user="owner")
    lines = [TextLines("%(message)s").format(record) for record in caplog.records]
    assert lines == [
        "the mail “password_changed” was not sent: the mail server refuses the address",
        "the mail “password_changed” was not sent: the mail server refuses the address for now",
    ]


def test_a_link_that_was_not_taken_is_sent_once_the_server_takes_it(
    owner: User, server: MailServer
) -> None:
    User.objects.filter(pk=owner.pk).update(email=ADDRESS)
    server.says = LATER
    with pytest.raises(NotYetTaken):
        mail_reset_links(email=ADDRESS, site="https://jurybox.example.org")
    assert not Change.objects.filter(action="account.reset_asked").exists()
    server.says = "250 OK"
    assert mail_reset_links(email=ADDRESS, site="https://jurybox.example.org") == 1
    assert "https://jurybox.example.org/new-password/" in server.taken[0][1]
    assert mail_reset_links(email=ADDRESS, site="https://jurybox.example.org") == 0


def test_no_page_waits_for_the_mail_server(
    owner: User,
    server: MailServer,
    asked: list[tuple[str, Any]],
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        as_user(owner).post(reverse("desk:profile"), {"name": "", "email": ADDRESS})
    assert server.taken == []
    ((name, arguments),) = asked
    assert name == tasks.mail.name
    tasks.mail(*arguments)
    ((recipients, text),) = server.taken
    assert recipients == [ADDRESS]
    assert "http://testserver/account/address/" in text.replace("=\n", "")


def test_where_the_broker_is_away_a_line_of_the_log_says_what_was_not_sent(
    server: MailServer,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    django_capture_on_commit_callbacks: Callable[..., Any],
    db: None,
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise OperationalError

    monkeypatch.setattr("accounts.mails.current_app.send_task", away)
    with django_capture_on_commit_callbacks(execute=True):
        mail_in_background(ADDRESS, "password_changed", user="owner")
    assert "“password_changed” was not sent: the broker does not answer" in caplog.text


def test_what_an_error_of_a_mail_server_means() -> None:
    greylisted = {"a@lab.example": (451, b"later, a@lab.example"), "b@lab.example": (450, b"")}
    gone = {**greylisted, "c@lab.example": (550, b"")}
    assert refusal_of(SMTPRecipientsRefused(greylisted)).again
    assert not refusal_of(SMTPRecipientsRefused(gone)).again
    assert refusal_of(SMTPServerDisconnected("a@lab.example")).again
    assert "lab.example" not in str(refusal_of(SMTPRecipientsRefused(greylisted)))
