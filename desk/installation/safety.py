"""What is unsafe about the installation."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.db import DatabaseError
from django.db.models import Exists, OuterRef

from accounts.signing_in.factors import factors_of
from annotation.models import User
from desk.installation.database import has_file
from desk.installation.findings import Finding, Severity, note, ok, unsafe
from jobs.models import Heartbeat

LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "[::1]", "::1"})
LEAST_KEY = 32  # characters
LEAST_DIFFERENT = 8  # of them; `openssl rand -hex 32` has about 15
# Of examples and templates, which everybody knows.
KNOWN_KEYS = ("django-insecure", "change", "secret", "example", "your-key", "a key for tests")
LEAST_TOKEN = 20  # characters


def unsafe_settings() -> Iterator[Finding]:
    """What lets others in or read along; one line that all is well where there is nothing."""
    findings = [*_of_this_machine(), *_of_the_outside(), *_of_the_accounts()]
    yield from findings or [ok("nothing unsafe in the settings, the data folder or the accounts")]


@register("deployment", deploy=True)
def check_deployment(**_options: Any) -> list[CheckMessage]:
    """Let `check --deploy` refuse settings that are unsafe where others reach the program.

    The accounts are left out: the first one is made after the first start. Django's own checks of
    security are among those of `check --deploy` and need no second telling.
    """
    found = [*_of_this_machine(), *_of_the_outside()]
    return [Error(f.text, id="desk.E002") for f in found if f.state is Severity.UNSAFE]


def is_public() -> bool:
    """Whether the program is reached by a name that others than this machine can use."""
    return bool(set(settings.ALLOWED_HOSTS) - LOCAL_HOSTS)


def _of_this_machine() -> Iterator[Finding]:
    if settings.DEBUG:
        yield unsafe("DEBUG is on: error pages show settings and data")
    if len(settings.SECRET_KEY) < LEAST_KEY:
        yield unsafe(f"SECRET_KEY has less than {LEAST_KEY} characters; sessions could be forged")
    elif _is_guessable(settings.SECRET_KEY):
        yield unsafe("SECRET_KEY is one of an example; make your own: openssl rand -hex 32")
    if settings.METRICS_TOKEN and len(settings.METRICS_TOKEN) < LEAST_TOKEN:
        yield unsafe(f"METRICS_TOKEN has less than {LEAST_TOKEN} characters")
    folder = settings.DATA_DIR
    if settings.ON_SQLITE and _is_read_by_others(folder):
        yield unsafe(f"every user of this machine can read {folder}: chmod 700 {folder}")
    key = folder / "secret.key"
    if key.exists() and key.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH):
        yield unsafe(f"others can read {key}: chmod 600 {key}")
    yield from _several_hosts()
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        yield note("this runs as root; a user of its own is safer")


def _is_guessable(key: str) -> bool:
    known = any(part in key.lower() for part in KNOWN_KEYS)
    return known or len(set(key)) < LEAST_DIFFERENT


def _is_read_by_others(folder: Path) -> bool:
    """Whether others may list the folder, and get to it through those above."""
    above = all(parent.stat().st_mode & stat.S_IXOTH for parent in folder.parents)
    return above and bool(folder.stat().st_mode & stat.S_IROTH)


def _of_the_outside() -> Iterator[Finding]:
    if not is_public():
        return
    if "*" in settings.ALLOWED_HOSTS:
        yield unsafe("ALLOWED_HOSTS is *: links that are mailed could name another host")
    if not settings.HTTPS:
        yield unsafe("HTTPS is off although others reach the program: passwords go in clear")
    if settings.SIGN_UP == "open" and settings.STUDY_MAKERS == "all":
        yield unsafe("SIGN_UP is open and STUDY_MAKERS all: anyone can create studies")
    if (settings.DATA_DIR / "demo-sign-ins.json").exists():
        yield unsafe("the demo's accounts are in this database; take another folder of data")


def _several_hosts() -> Iterator[Finding]:
    if not settings.ON_SQLITE or not has_file():
        return
    try:
        workers = Heartbeat.objects.of_workers().values_list("worker", flat=True)
        hosts = sorted({worker.rpartition(":")[0] for worker in workers})
    except DatabaseError:
        return
    if len(hosts) > 1:
        yield unsafe(
            f"several machines ({', '.join(hosts)}) work on one SQLite file, by which answers can "
            "be lost; set DATABASE_URL to PostgreSQL"
        )


def _of_the_accounts() -> Iterator[Finding]:
    if not is_public():
        return
    try:
        names = [*_operators_without_second_factor()]
    except DatabaseError:
        return
    if names:
        yield unsafe(f"operators without a second factor: {', '.join(names)} (see SECOND_FACTOR)")


def _operators_without_second_factor() -> list[str]:
    operators = User.objects.filter(is_superuser=True, is_active=True)
    without = operators.exclude(Exists(factors_of(OuterRef("pk"))))
    return sorted(without.values_list("username", flat=True))
