"""The page *Health* in a real Chromium."""

from django.contrib.auth import get_user_model
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from desk.installation.health.faults import note_fault
from tests.services.browser import scrolls_sideways, violations_in_both_schemes
from tests.sessions import sign_in


def test_an_operator_finds_the_page_and_reads_it(
    page: Page, live_server: LiveServer, transactional_db: None
) -> None:
    operator = get_user_model().objects.create_superuser("operator")
    note_fault("desk:study", ValueError())
    sign_in(page, operator)
    page.goto(reverse("desk:account"))
    page.get_by_role("link", name="Health").click()
    expect(page.get_by_role("heading", name="Health")).to_be_visible()
    expect(page.get_by_role("row", name="desk:study ValueError")).to_be_visible()
    assert violations_in_both_schemes(page) == []
    assert not scrolls_sideways(page)
