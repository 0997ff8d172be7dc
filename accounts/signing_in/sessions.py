"""The browser sessions in which an account is signed in: listed, and ended."""

import hashlib
import re
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from ipaddress import ip_address

from axes.helpers import get_client_ip_address
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import BrowserSession, User
from annotation.queries.sessions import SessionStore

DESCRIPTION = "signed_in"
# The first that fits: browsers name others whom they resemble.
BROWSERS = (
    ("Edge", "Edg"),
    ("Opera", "OPR/"),
    ("Firefox", "Firefox/|FxiOS/"),
    ("Chromium", "Chrome/|CriOS/"),
    ("Safari", "Safari/"),
)
SYSTEMS = (
    ("Android", "Android"),
    ("iOS", "iPhone|iPad"),
    ("Windows", "Windows"),
    ("macOS", "Macintosh"),
    ("ChromeOS", "CrOS"),
    ("Linux", "Linux"),
)


@dataclass(frozen=True)
class SignedIn:
    """One session as its list shows it. network: the first half of the address, empty if unknown.
    number: names it in addresses, and says nothing of its key."""

    number: str
    browser: str
    network: str
    at: datetime | None
    is_here: bool


def describe_session(request: HttpRequest) -> None:
    """Note in the session when, with which browser and from where its account signed in. All of it
    goes with the session."""
    request.session[DESCRIPTION] = {
        "at": int(time.time()),
        "browser": browser_name(request.META.get("HTTP_USER_AGENT", "")),
        "network": coarse(get_client_ip_address(request) or ""),
    }


def browser_name(agent: str) -> str:
    """The browser and the system that a user agent names, without versions; else empty."""
    names = (
        next((name for name, mark in marks if re.search(mark, agent)), "")
        for marks in (BROWSERS, SYSTEMS)
    )
    return ", ".join(filter(None, names))


def coarse(address: str) -> str:
    """The first half of an IPv4 address, or the first 32 bits of an IPv6 one."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return ""
    if parsed.version == 4:
        return ".".join(str(parsed).split(".")[:2]) + ".…"
    return ":".join(parsed.exploded.split(":")[:2]) + ":…"


def sessions_of(user: User, here: str | None) -> list[SignedIn]:
    """The sessions of an account, this one first and then the newest."""
    rows = BrowserSession.objects.filter(account=user.pk, expire_date__gt=timezone.now())
    listed = [_read(row, here) for row in rows]
    oldest = datetime.min.replace(tzinfo=UTC)
    return sorted(listed, key=lambda entry: (entry.is_here, entry.at or oldest), reverse=True)


def _read(row: BrowserSession, here: str | None) -> SignedIn:
    noted = SessionStore().decode(row.session_data).get(DESCRIPTION, {})
    at = noted.get("at")
    return SignedIn(
        number=_number(row.session_key),
        browser=noted.get("browser") or _("unknown browser"),
        network=noted.get("network", ""),
        at=None if at is None else datetime.fromtimestamp(at, tz=UTC),
        is_here=row.session_key == here,
    )


def _number(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:16]


def end_session(*, user: User, number: str) -> bool:
    """End one session of the account: its browser is signed out at the next click."""
    rows = BrowserSession.objects.filter(account=user.pk)
    keys = [key for key in rows.values_list("pk", flat=True) if _number(key) == number]
    return bool(rows.filter(pk__in=keys).delete()[0])


def end_sessions(*, user: User, keep: str | None = None) -> int:
    """End all sessions of the account, except for the one with the key `keep`. How many."""
    rows = BrowserSession.objects.filter(account=user.pk).exclude(pk=keep or "")
    return rows.delete()[0]
