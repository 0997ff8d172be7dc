"""Researchers who are signed in: at Django's test client, and in a real browser."""

from urllib.parse import urlsplit

from django.conf import settings
from django.test import Client
from playwright.sync_api import Page

from annotation.models import User


def as_user(user: User) -> Client:
    """A client of Django's in which that researcher is signed in."""
    client = Client()
    client.force_login(user)
    return client


def sign_in(page: Page, user: User) -> None:
    """Sign that researcher in to the browser session of the page."""
    name, host = settings.SESSION_COOKIE_NAME, urlsplit(page.url).hostname or "127.0.0.1"
    cookie = {"name": name, "value": as_user(user).cookies[name].value, "domain": host, "path": "/"}
    page.context.add_cookies([cookie])  # type: ignore[list-item]
