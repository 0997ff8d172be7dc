"""The page of the API's operations and that of tokens, in a real browser."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.models import Study, User
from tests.services.browser import axe_violations
from tests.sessions import sign_in

pytestmark = pytest.mark.browser


def test_the_operations_are_shown_by_scripts_of_this_installation_alone(
    page: Page, study: Study, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("accounts.views.access.is_confirmed", lambda _request: True)
    page.goto(reverse("api:docs"))
    page.get_by_role("button", name="Authorize").wait_for()
    page.set_viewport_size({"width": 1280, "height": 900})
    sign_in(page, owner)
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(reverse("api:tokens"))
    page.get_by_label("Name").fill("nightly")
    page.get_by_role("button", name="Make the token").click()
    expect(page.locator("#made-link")).to_contain_text("jbx_")
    assert not axe_violations(page)
