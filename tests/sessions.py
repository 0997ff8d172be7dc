"""Researchers who are signed in: at Django's test client, and in a real browser."""

from urllib.parse import urljoin

from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page

from annotation.models import User


def as_user(user: User) -> Client:
    """A client of Django's in which that researcher is signed in."""
    client = Client()
    client.force_login(user)
    return client


def sign_in(page: Page, user: User) -> None:
    """Sign that researcher in to the browser session of the page."""
    page.goto(reverse("desk:sign-in"))
    name, everywhere = settings.SESSION_COOKIE_NAME, urljoin(page.url, "/")
    cookie = {"name": name, "value": as_user(user).cookies[name].value, "url": everywhere}
    page.context.add_cookies([cookie])  # type: ignore[list-item]
