"""The data manager in a real browser: found, chosen, confirmed, on a phone and without a script."""

import os
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.models import Member
from tests.cast import join, make_study, make_user
from tests.results.answers import disagree
from tests.services.browser import axe_violations, follow, scrolls_sideways
from tests.sessions import sign_in

pytestmark = pytest.mark.django_db(transaction=True)


def test_units_are_filtered_chosen_and_disabled(page: Page) -> None:
    study, keeper = disagree(make_study(sources=6, positive=1)), make_user("keeper")
    join(study, keeper, Member.Role.OWNER)
    page.set_viewport_size({"width": 360, "height": 740})
    sign_in(page, keeper)
    page.goto(reverse("desk:units", args=[study.slug]))
    _look(page, "table")
    page.get_by_text("Filters", exact=True).click()
    page.get_by_role("textbox", name="System").fill("Alder")
    _look(page, "filters")
    follow(page.get_by_role("button", name="Show", exact=True))
    expect(page.get_by_text("3 units", exact=True)).to_be_visible()
    _look(page, "filtered")
    page.get_by_label("claim-1/alder/1").check()
    follow(page.get_by_role("button", name="Disable", exact=True))
    expect(page.get_by_text("1 unit", exact=True)).to_be_visible()
    _look(page, "confirm")
    follow(page.get_by_role("button", name="Disable", exact=True))
    expect(page.get_by_text("1 unit changed")).to_be_visible()
    _look(page, "done")
    follow(page.get_by_role("link", name="Back to the list"))
    expect(page.get_by_role("row", name="claim-1/alder/1").get_by_text("disabled")).to_be_visible()
    follow(page.get_by_role("link", name="claim-1/alder/1"))
    expect(page.get_by_role("link", name="Next unit")).to_be_visible()
    page.locator("details.as-shown > summary").last.click()
    _look(page, "unit")


def _look(page: Page, name: str) -> None:
    assert axe_violations(page) == []
    assert not scrolls_sideways(page)
    if folder := os.environ.get("SHOTS"):
        for width, scheme in ((360, "light"), (768, "dark"), (1280, "light")):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            page.screenshot(path=Path(folder, f"{name}-{width}.png"), full_page=True)
        page.set_viewport_size({"width": 360, "height": 740})
