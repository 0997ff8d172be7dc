"""A newcomer in a real Chromium: an invitation, an account, an app, a passkey and the tables."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.invitations import invite_colleague
from annotation.models import Member, Study, User
from tests.accounts.codes import code_for
from tests.services.browser import (
    PHONE,
    Watch,
    follow,
    scrolls_sideways,
    violations_in_both_schemes,
)

PASSWORD = "three words apart"
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
# A folder for pictures of the pages, for whoever wants to look at them.
PICTURES = os.environ.get("ACCOUNT_PICTURES", "")


@pytest.fixture
def page(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A page under a host name, since passkeys belong to no address in numbers, with a device that
    keeps passkeys."""
    site = live_server.url.replace("127.0.0.1", "localhost")
    watch, context = Watch(site), browser.new_context(base_url=site, **PHONE)  # type: ignore[arg-type]
    page = context.new_page()
    watch.follow(page)
    device = context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    yield page
    context.close()
    assert watch.faults == []


def checked(page: Page) -> None:
    assert violations_in_both_schemes(page) == []
    assert not scrolls_sideways(page)
    if PICTURES:
        picture(page)


def picture(page: Page) -> None:
    name = page.url.partition("//")[2].partition("/")[2].replace("/", "-")[:40] or "home"
    before = page.viewport_size
    for width in (1280, 768, 360):
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            file = Path(PICTURES, f"{name}-{width}-{scheme}.png")
            page.screenshot(path=file, full_page=True)
    if before:
        page.set_viewport_size(before)


def press(page: Page, name: str) -> None:
    follow(page.get_by_role("button", name=name, exact=True))


@pytest.mark.django_db(transaction=True)
def test_a_newcomer_joins_by_a_link_and_signs_in_by_a_passkey(
    page: Page, study: Study, owner: User
) -> None:
    _made, token = invite_colleague(study=study, role=Member.Role.OWNER, by=owner)
    page.goto(reverse("desk:invitation", args=[token]))
    checked(page)
    page.fill("[name=username]", "newcomer")
    page.fill("[name=password1]", PASSWORD)
    page.fill("[name=password2]", PASSWORD)
    press(page, "Make the account and join")
    expect(page.get_by_text("This is your account")).to_be_visible()

    _connect_app_and_make_passkey(page)
    press(page, "Sign out")
    page.goto(reverse("desk:sign-in"))
    checked(page)
    press(page, "Sign in with a passkey")
    expect(page.get_by_role("link", name="newcomer")).to_be_visible()

    press(page, "Sign out")
    page.goto(reverse("desk:sign-in"))
    page.fill("[name=username]", "newcomer")
    page.fill("[name=password]", PASSWORD)
    press(page, "Sign in")
    checked(page)
    press(page, "Use the passkey")
    expect(page.get_by_role("link", name="newcomer")).to_be_visible()

    page.goto(reverse("desk:settings", args=[study.slug]))
    checked(page)
    _look_at_tables(page, User.objects.get(username="newcomer"))


def _connect_app_and_make_passkey(page: Page) -> None:
    page.goto(reverse("desk:second-factor"))
    checked(page)
    page.fill("[name=code]", code_for(page.locator(".link-for-copying").inner_text()))
    press(page, "Connect the app")
    checked(page)
    follow(page.get_by_role("link", name="I have kept them"))
    follow(page.get_by_role("link", name="Make a passkey"))
    checked(page)
    page.fill("[name=name]", "my phone")
    press(page, "Make the passkey")
    expect(page.get_by_text("my phone")).to_be_visible()
    checked(page)


def _look_at_tables(page: Page, user: User) -> None:
    """Django's pages have no style or script in them that our policy forbids, or the page's watch
    would have a fault."""
    User.objects.filter(pk=user.pk).update(is_superuser=True)
    page.goto(reverse("desk:accounts"))
    checked(page)
    page.goto(reverse("desk:one-account", args=[User.objects.get(username="owner").pk]))
    checked(page)
    for name in ("index", "annotation_user_changelist", "annotation_change_changelist"):
        page.goto(reverse(f"admin:{name}"))
        expect(page.locator("#content")).to_be_visible()
    page.goto(reverse("admin:annotation_user_change", args=[user.pk]))
    expect(page.locator("#content h2")).to_contain_text("newcomer")
    if PICTURES:
        picture(page)
