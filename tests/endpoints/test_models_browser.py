"""The page *Models* in a real browser, on a phone."""

from collections.abc import Callable
from contextlib import ExitStack

import pytest
from playwright.sync_api import Page, expect
from pytest_django import Settings

from annotation.models import User
from tests.endpoints.models_page import KEY, MODEL, serve
from tests.services.browser import scrolls_sideways, violations_in_both_schemes
from tests.services.endpoint import Behaviour
from tests.sessions import sign_in

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_endpoint_is_added_tested_and_priced(
    operator: User, servers: ExitStack, settings: Settings, new_page: Callable[..., Page]
) -> None:
    settings.JUDGE_ENDPOINTS = ""
    _server, url = serve(servers, Behaviour(key=KEY))
    page = new_page(viewport={"width": 360, "height": 740})
    sign_in(page, operator)
    page.goto("/models/")
    assert violations_in_both_schemes(page) == []
    page.get_by_label("Name").fill("lab")
    page.get_by_label("Address").fill(url)
    page.get_by_label("Key", exact=True).fill(KEY)
    page.get_by_label("The server is in our own network").check()
    with page.expect_navigation():
        page.get_by_role("button", name="Add the endpoint").press("Enter")
    page.get_by_label("Also ask this model for one word").fill(MODEL)
    with page.expect_navigation():
        page.get_by_role("button", name="Test the endpoint").press("Enter")
    expect(page.get_by_text("The endpoint lists 2 models.")).to_be_visible()
    expect(page.get_by_text("replied in")).to_be_visible()
    prices = page.locator("form", has=page.get_by_role("heading", name="Set a price"))
    for label, text in {"Model": MODEL, "Input": "2", "Output": "8", "Source": "list"}.items():
        prices.get_by_label(label).first.fill(text)
    with page.expect_navigation():
        page.get_by_role("button", name="Save the price").press("Enter")
    expect(page.get_by_role("row", name=MODEL)).to_be_visible()
    assert KEY not in page.content()
    assert violations_in_both_schemes(page) == []
    assert not scrolls_sideways(page)
