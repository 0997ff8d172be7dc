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


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844)])
def test_actions_stay_in_view_in_a_list_of_fifty(page: Page, width: int, height: int) -> None:
    study, keeper = make_study(sources=60), make_user("keeper")
    join(study, keeper, Member.Role.OWNER)
    page.set_viewport_size({"width": width, "height": height})
    sign_in(page, keeper)
    page.goto(reverse("desk:units", args=[study.slug]))
    bar = page.locator(".unit-bar")
    disable = page.get_by_role("button", name="Disable", exact=True)
    for place in ("0", "document.body.scrollHeight / 2", "document.body.scrollHeight"):
        page.evaluate(f"window.scrollTo(0, {place})")
        expect(disable).to_be_in_viewport(ratio=1)
    box = bar.bounding_box()
    assert box is not None
    assert box["height"] < height / 3
    # A box that is reached by keyboard is not behind the bar.
    page.evaluate("window.scrollTo(0, 0)")
    for choice in page.locator("input[name=unit]").all()[:12]:
        choice.focus()
        reached, shown = choice.bounding_box(), bar.bounding_box()
        assert reached is not None
        assert shown is not None
        assert reached["y"] + reached["height"] <= shown["y"]
    page.get_by_text("More actions").click()
    expect(page.get_by_role("button", name="Ask again")).to_be_in_viewport()
    assert axe_violations(page) == []
    assert not scrolls_sideways(page)
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=Path(folder, f"more-{width}.png"))
        page.get_by_text("More actions").click()
        page.evaluate("window.scrollTo(0, 900)")
        page.screenshot(path=Path(folder, f"bar-{width}.png"))


def _look(page: Page, name: str) -> None:
    assert axe_violations(page) == []
    assert not scrolls_sideways(page)
    if folder := os.environ.get("SHOTS"):
        for width, scheme in ((360, "light"), (768, "dark"), (1280, "light")):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            page.screenshot(path=Path(folder, f"{name}-{width}.png"), full_page=True)
        page.set_viewport_size({"width": 360, "height": 740})
