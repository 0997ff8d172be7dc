"""Company sign-on in a real Chromium, there and back, by a real provider on this machine."""

from collections.abc import Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.addresses import mark_confirmed
from annotation.models import User
from tests.accounts.signing_in.company.conftest import Configure
from tests.cast import make_user
from tests.services.browser import (
    PHONE,
    Watch,
    follow,
    scrolls_sideways,
    violations_in_both_schemes,
)
from tests.services.oidc import Provider

pytestmark = pytest.mark.django_db(transaction=True)
DOOR = "Sign in with Example Lab"


@pytest.fixture
def page(browser: Browser, live_server: LiveServer, company: Provider) -> Iterator[Page]:
    """A browser that goes to this installation and to the provider, and nowhere else."""
    watch = Watch(live_server.url)
    context = browser.new_context(base_url=live_server.url, **PHONE)  # type: ignore[arg-type]
    page = context.new_page()
    watch.follow(page)
    yield page
    context.close()
    there = f"request to another host: {company.issuer}/"
    assert [fault for fault in watch.faults if not fault.startswith(there)] == []


def checked(page: Page) -> None:
    assert violations_in_both_schemes(page) == []
    assert not scrolls_sideways(page)


def come_by_company(page: Page, subject: str) -> None:
    """From our page to the provider, sign in there, and be sent back."""
    page.goto(reverse("desk:sign-in"))
    follow(page.get_by_role("link", name=DOOR))
    page.locator("input[name=sub]").fill(subject)
    follow(page.locator("button[type=submit], input[type=submit]").first)


def test_an_account_that_exists_is_signed_in_by_its_confirmed_address_and_out_again(
    page: Page, company: Provider, configured: Configure
) -> None:
    configured(OIDC_NAME="Example Lab", OIDC_DOMAINS="lab.example")
    ann = make_user("ann")
    mark_confirmed(user=ann, email="ann@lab.example")
    company.person("ann", email="ann@lab.example", email_verified=True)
    page.goto(reverse("desk:sign-in"))
    checked(page)
    come_by_company(page, "ann")
    page.goto(reverse("desk:account"))
    expect(page.get_by_text("connected", exact=True)).to_be_visible()
    expect(page.locator("dl.facts")).to_contain_text("ann@lab.example")
    checked(page)
    follow(page.get_by_role("button", name="Sign out", exact=True))
    page.goto(reverse("desk:account"))
    expect(page.get_by_role("link", name=DOOR)).to_be_visible()


def test_a_person_of_the_company_gets_an_account_and_one_of_another_domain_none(
    page: Page, company: Provider, configured: Configure
) -> None:
    configured(OIDC_NAME="Example Lab", OIDC_DOMAINS="lab.example", OIDC_SIGN_UP="yes")
    company.person("guest", email="guest@elsewhere.example", email_verified=True)
    come_by_company(page, "guest")
    expect(page.get_by_text("Accounts with this e-mail address may not")).to_be_visible()
    checked(page)
    assert not User.objects.exists()
    company.person("new", email="new@lab.example", email_verified=True)
    come_by_company(page, "new")
    page.goto(reverse("desk:account"))
    expect(page.locator("dl.facts")).to_contain_text("new@lab.example")
    assert not User.objects.get().has_usable_password()
    checked(page)
