"""From a table to an open study with controls and a judge: by mouse with scripts, without scripts
on a phone, and by the keyboard alone."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from annotation.models import Study
from tests.cast import make_user
from tests.desk.set_up.studies import TABLE, mills
from tests.services.browser import axe_violations, follow, scrolls_sideways
from tests.sessions import sign_in

pytestmark = pytest.mark.django_db(transaction=True)
FIELDS = {
    "Title": "Mills",
    "Ethics board": "Board",
    "Number of the approval": "2026-1",
    "Whom people can ask": "ask@example.org",
    "Responsible for the data": "A university",
}


@pytest.fixture(autouse=True)
def _uploads(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.mark.parametrize(("width", "scripts"), [(1280, True), (360, False)])
def test_eighteen_clicks_and_five_fields_open_a_study_with_controls_and_a_judge(
    new_page: Callable[..., Page], tmp_path: Path, width: int, scripts: bool
) -> None:
    table = tmp_path / "mills.csv"
    table.write_text(TABLE)
    page = new_page(viewport={"width": width, "height": 900}, java_script_enabled=scripts)
    sign_in(page, make_user("maker"))
    link, clicks = page.get_by_role, 0

    def button(name: str) -> Locator:
        return page.get_by_role("button", name=name)

    def press(target: Locator, *, leads_on: bool = True) -> None:
        nonlocal clicks
        clicks += 1
        if leads_on:
            follow(target)
            if scripts:
                assert axe_violations(page) == [], page.url
                assert not scrolls_sideways(page), page.url
        else:
            target.check(force=True)

    page.goto(reverse("desk:home"))
    press(link("link", name="New study").first)
    press(page.get_by_label("Rating by criteria"), leads_on=False)
    press(button("Go on"))
    clicks += 1
    page.get_by_label("Table of outputs").set_input_files(table)
    press(button("Upload"))
    press(button("Go on"))
    for label, value in FIELDS.items():
        page.get_by_label(label).fill(value)
    press(button("Make the study"))
    expect(page.get_by_text("Nothing is missing")).to_be_visible()
    press(page.locator(".checklist").get_by_role("link", name="Controls and worked examples"))
    for unit, point in (("1/alder", "4"), ("2/alder", "2")):
        press(link("link", name=unit, exact=True))
        press(page.locator(f"[name='b0-score-quality'][value='{point}']"), leads_on=False)
        press(button("Save"))
    if width < 1024:  # there the pages of the tab are behind a button
        clicks += 1
        button("Set-up: Controls and worked examples").click()
    press(link("navigation", name="Set-up").get_by_role("link", name="Judges"))
    press(page.get_by_label("embedding"), leads_on=False)
    press(button("Save"))
    press(button("Open the study"))
    study = Study.objects.get()
    assert (study.state, study.judges) == (Study.State.OPEN, ["embedding"])
    assert study.units.filter(role="positive").count() == 2
    assert clicks == (19 if width < 1024 else 18)


def test_texts_and_costs_follow_what_is_typed(new_page: Callable[..., Page]) -> None:
    page, maker = new_page(viewport={"width": 768, "height": 900}), make_user("maker")
    study = mills(maker)
    sign_in(page, maker)
    for name in ("texts", "questions", "rounds", "recruitment", "ethics", "judges", "table"):
        page.goto(reverse(f"desk:set-up-{name}", args=[study.slug]))
        assert axe_violations(page) == [], name
        assert not scrolls_sideways(page), name
    page.goto(reverse("desk:set-up-texts", args=[study.slug]))
    page.get_by_label("Instructions").fill("# Slowly\n\n<script>alert(1)</script>")
    expect(page.get_by_role("heading", name="Slowly")).to_be_visible()
    expect(page.locator("#texts-preview")).to_contain_text("<script>alert(1)</script>")
    page.goto(reverse("desk:set-up-rounds", args=[study.slug]))
    page.get_by_label("Pay for a batch").fill("2")
    # 20 units x 3 answers / 5 a batch = 12 batches, and 2 for 10 minutes is 12 an hour.
    expect(page.locator("#cost")).to_contain_text("24.00 USD")
    expect(page.locator("#cost")).to_contain_text("12.00")


def test_the_keyboard_alone_sets_a_study_up(new_page: Callable[..., Page]) -> None:
    page, maker = new_page(viewport={"width": 1280, "height": 900}), make_user("maker")
    study = mills(maker)
    sign_in(page, maker)

    def tab_to(target: Locator) -> None:
        for _ in range(90):
            page.keyboard.press("Tab")
            if target.evaluate("element => element === document.activeElement"):
                return
        raise AssertionError(f"Tab does not reach {target}")

    def enter(target: Locator) -> None:
        tab_to(target)
        with page.expect_navigation():
            page.keyboard.press("Enter")

    page.goto(reverse("desk:set-up", args=[study.slug]))
    enter(page.get_by_role("link", name="Change : Texts"))
    enter(page.get_by_role("button", name="Save"))
    enter(page.get_by_role("link", name="Change : Ethics"))
    for label, value in list(FIELDS.items())[1:]:
        tab_to(page.get_by_label(label))
        page.keyboard.type(value)
    page.keyboard.press("Enter")
    enter(page.locator(".checklist").get_by_role("link", name="Controls and worked examples"))
    enter(page.get_by_role("link", name="1/alder"))
    tab_to(page.locator("[name='role'][value='positive']"))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    tab_to(page.locator("[name='b0-score-quality']").first)
    page.keyboard.press("Space")
    enter(page.get_by_role("button", name="Save"))
    enter(page.get_by_role("link", name="Back to the checklist"))
    enter(page.get_by_role("button", name="Open the study"))
    assert Study.objects.get().state == Study.State.OPEN
    assert study.units.filter(role="example").count() == 1
