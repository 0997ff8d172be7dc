"""What is unsafe about the installation."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.core.checks import Tags, run_checks
from django.db import DatabaseError
from django.db.models import Exists, OuterRef

from accounts.signing_in.factors import factors_of
from annotation.models import User
from desk.installation.findings import Finding, note, ok, unsafe

LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "[::1]", "::1"})
LEAST_KEY = 32  # characters


def unsafe_settings() -> Iterator[Finding]:
    """What lets others in or read along; one line that all is well where there is nothing."""
    findings = [*_of_this_machine(), *_of_the_outside()]
    yield from findings or [ok("nothing unsafe in the settings, the data folder or the accounts")]


def is_public() -> bool:
    """Whether the program is reached by a name that others than this machine can use."""
    return bool(set(settings.ALLOWED_HOSTS) - LOCAL_HOSTS)


def _of_this_machine() -> Iterator[Finding]:
    if settings.DEBUG:
        yield unsafe("DEBUG is on: error pages show settings and data")
    if len(settings.SECRET_KEY) < LEAST_KEY:
        yield unsafe(f"SECRET_KEY has less than {LEAST_KEY} characters; sessions could be forged")
    folder = settings.DATA_DIR
    if settings.ON_SQLITE and _is_read_by_others(folder):
        yield unsafe(f"every user of this machine can read {folder}: chmod 700 {folder}")
    key = folder / "secret.key"
    if key.exists() and key.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH):
        yield unsafe(f"others can read {key}: chmod 600 {key}")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        yield note("this runs as root; a user of its own is safer")


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
    if settings.HTTPS:
        for message in run_checks(tags=[Tags.security], include_deployment_checks=True):
            yield unsafe(" ".join(message.msg.split()))
    yield from _operators()


def _operators() -> Iterator[Finding]:
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
