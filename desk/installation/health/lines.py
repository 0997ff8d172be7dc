"""The page *Health* in lines: each part, how it is, and what to do where something is wrong."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta

from django.conf import settings
from django.db import connection
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.timesince import timesince

from desk.installation.connections import LEAST_FREE_BYTES, email
from desk.installation.database import pending_migrations
from desk.installation.findings import Finding, fails, note, ok
from desk.installation.health import figures
from desk.installation.secret_key import secret_key
from jobs.workers.health import beat_alive, workers_alive
from jurybox import __version__
from results.reading.wording import counted

BACKUP_EVERY = timedelta(days=2)
PAGE_WAITS = 3  # seconds for a mail server


@dataclass(frozen=True)
class Line:
    """One part of the installation and how it is."""

    part: str
    finding: Finding


def health_lines() -> Iterator[Line]:
    """All parts, in the order in which an operator looks at them."""
    yield Line("Version", _version())
    yield Line("Database", _database())
    yield Line("Broker", _broker())
    yield Line("Workers", _workers())
    yield Line("Beat", _beat())
    yield Line("E-mail", _email())
    yield Line("Key", secret_key())
    for name in ("data", "uploads", "exports"):
        yield Line(f"Disk of {name}", _disk(name))
    yield Line("Backup", _backup())


def _version() -> Finding:
    return ok(f"{__version__} {settings.COMMIT[:12]}".strip())


def _database() -> Finding:
    kind = "SQLite" if connection.vendor == "sqlite" else connection.display_name
    size = filesizeformat(figures.database_bytes())
    if pending := pending_migrations():
        due = f"{counted(len(pending), 'migration')} due ({', '.join(pending[:3])})"
        return fails(f"{kind}, {size}; {due}: {settings.PROGRAM} migrate")
    return ok(f"{kind}, {size}, up to date")


def _broker() -> Finding:
    waiting = figures.broker_messages()
    if waiting is None:
        return fails("does not answer; background work waits until it does")
    return ok(f"answers, {counted(waiting, 'message')} waiting")


def _workers() -> Finding:
    now = timezone.now()
    if alive := workers_alive(now):
        return ok(f"{len(alive)} alive: {', '.join(alive)}")
    last = figures.last_heartbeat()
    since = "" if last is None else f"; the last was heard {timesince(last, now)} ago"
    return fails(f"none is running{since}. Jobs wait until one starts")


def _beat() -> Finding:
    if beat_alive(timezone.now()):
        return ok("alive")
    return fails("is not running. What is due from time to time waits: leases, alerts, erasure")


def _email() -> Finding:
    found = email(timeout=PAGE_WAITS)
    return replace(found, text=found.text.removeprefix("e-mail: "))


def _disk(name: str) -> Finding:
    folder, free, whole = figures.free_space()[name]
    text = f"{filesizeformat(free)} of {filesizeformat(whole)} free ({folder})"
    return ok(text) if free > LEAST_FREE_BYTES else fails(f"{text}: make room")


def _backup() -> Finding:
    made = figures.last_backup()
    if made is None:
        return note(f"none has been made by {settings.PROGRAM} backup")
    text = f"{timesince(made, timezone.now())} ago"
    return ok(text) if timezone.now() - made < BACKUP_EVERY else note(f"{text}: make another")
