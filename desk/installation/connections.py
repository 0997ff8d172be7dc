"""Which services of the installation answer."""

import os
import shutil
from collections.abc import Iterator
from smtplib import SMTPException
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import get_connection
from django.db import DatabaseError, connection
from django.utils import timezone

from desk.installation.database import (
    has_file,
    last_version,
    newer_than_program,
    pending_migrations,
)
from desk.installation.findings import Finding, fails, note, ok
from desk.installation.processes import answers
from desk.installation.secret_key import secret_key
from endpoints.endpoint import BadEndpoint
from endpoints.registry import endpoints
from jobs.workers.health import beat_alive, broker_answers, worker_alive
from results.reading.wording import counted

LEAST_FREE_BYTES = 1024**3


def answering_services(*, port: int) -> Iterator[Finding]:
    """Data folder, database, broker, worker, beat, key, web server, e-mail, endpoints of judges.

    Nothing is asked of an endpoint: a call may cost.
    """
    yield _data_folder()
    state, is_usable = _database()
    yield state
    yield _broker()
    yield _worker(is_usable=is_usable)
    if is_usable:
        yield _beat()
        yield secret_key()
    yield _web(port)
    yield email()
    yield from _endpoints(is_usable=is_usable)


def _data_folder() -> Finding:
    folder = settings.DATA_DIR
    if not os.access(folder, os.W_OK):
        return fails(f"data: nothing can be written to {folder}")
    free = shutil.disk_usage(folder).free
    if free < LEAST_FREE_BYTES:
        return fails(f"data: only {free // 1024**2} MiB are free in {folder}")
    used = f", last used by version {last_version()}" if last_version() else ""
    return ok(f"data: {folder}{used}, {free // 1024**3} GiB free")


def _database() -> tuple[Finding, bool]:
    """How the database is, and whether tables can be read."""
    kind = "SQLite" if settings.ON_SQLITE else connection.display_name
    if not has_file():
        return note(f"database: there is none yet; {settings.PROGRAM} start makes one"), False
    try:
        if newer := newer_than_program():
            return fails(f"database: {newer}"), False
        pending = pending_migrations()
    except DatabaseError as error:
        return fails(f"database: {kind} does not answer: {' '.join(str(error).split())}"), False
    if not pending:
        return ok(f"database: {kind} answers and is up to date"), True
    cure = f"{settings.PROGRAM} start or {settings.PROGRAM} migrate brings it up to date"
    due = counted(len(pending), "migration")
    return note(f"database: {kind} answers, with {due} due; {cure}"), False


def _broker() -> Finding:
    address = urlsplit(settings.CELERY_BROKER_URL)
    name = "a folder of files" if address.scheme == "filesystem" else address.scheme
    if broker_answers():
        return ok(f"broker: {name} answers")
    return fails(f"broker: {name} does not answer; BROKER_URL says where it is")


def _worker(*, is_usable: bool) -> Finding:
    if is_usable and worker_alive(timezone.now()):
        return ok("worker: alive")
    return note(f"worker: none is running; {settings.PROGRAM} start brings one")


def _beat() -> Finding:
    if beat_alive(timezone.now()):
        return ok("beat: alive")
    return note(
        f"beat: not running, so that nothing is done from time to time; {settings.PROGRAM} start "
        "brings it"
    )


def _web(port: int) -> Finding:
    if answers(f"http://127.0.0.1:{port}/healthz"):
        return ok(f"web server: answers on port {port}")
    return note(f"web server: nothing answers on port {port}; {settings.PROGRAM} start brings one")


def email(**options: Any) -> Finding:
    """Whether the mail server answers and takes the password. options: of the connection."""
    if not settings.EMAIL_ENABLED:
        return note("e-mail: off; pages show links to copy (EMAIL_URL switches it on)")
    mail = get_connection(**options)
    try:
        mail.open()
        mail.close()
    except (OSError, SMTPException) as error:
        return fails(f"e-mail: the server does not answer: {error}")
    return ok("e-mail: the server answers")


def _endpoints(*, is_usable: bool) -> Iterator[Finding]:
    if not is_usable:
        yield note("judges: endpoints are known once the database is up to date")
        return
    try:
        listed = endpoints()
    except BadEndpoint as error:
        yield fails(f"judges: {error}")
        return
    for name, endpoint in listed.items():
        try:
            endpoint.secrets()
        except BadEndpoint as error:
            yield note(f"judges: endpoint {name} has no key: {error}")
        else:
            yield ok(f"judges: endpoint {name} is set up")
