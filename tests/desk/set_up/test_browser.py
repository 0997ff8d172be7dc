"""From a table to an open study with controls and a judge, in a real browser."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.models import Study
from tests.cast import make_user
from tests.desk.set_up.studies import TABLE
from tests.services.browser import axe_violations, follow, scrolls_sideways
from tests.sessions import sign_in

pytestmark = pytest.mark.django_db(transaction=True)
SHOTS = os.environ.get("SHOTS")


@pytest.mark.parametrize(("width", "scripts"), [(1280, True), (360, False)])
def test_a_table_becomes_an_open_study_with_controls_and_a_judge(
    new_page: Callable[..., Page], tmp_path: Path, settings: Any, width: int, scripts: bool
) -> None:
    settings.MEDIA_ROOT = tmp_path
    table = tmp_path / "mills.csv"
    table.write_text(TABLE)
    page = new_page(viewport={"width": width, "height": 900}, java_script_enabled=scripts)
    sign_in(page, make_user("maker"))

    def looked_at(name: str) -> None:
        if SHOTS:
            for w in (1280, 768, 360) if scripts else (360,):
                for scheme in ("light", "dark") if scripts else ("light",):
                    page.set_viewport_size({"width": w, "height": 900})
                    page.emulate_media(color_scheme=scheme)
                    page.screenshot(path=f"{SHOTS}/{name}-{w}-{scheme}-{scripts}.png", full_page=True)
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme="light")
        if scripts:
            assert axe_violations(page) == [], name
        assert not scrolls_sideways(page) if scripts else True, name

    page.goto(reverse("desk:new-study"))
    page.get_by_label("Rating by criteria").check()
    follow(page.get_by_role("button", name="Go on"))
    page.get_by_label("Table of outputs").set_input_files(table)
    follow(page.get_by_role("button", name="Upload"))
    follow(page.get_by_role("button", name="Go on"))
    page.get_by_label("Title").fill("Mills")
    if scripts:
        page.get_by_label("Instructions").press_sequentially("# Slowly ")
        expect(page.get_by_role("heading", name="Slowly")).to_be_visible()
    looked_at("wizard-texts")
    for label, value in (
        ("Ethics board", "Board"),
        ("Number of the approval", "2026-1"),
        ("Whom people can ask", "ask@example.org"),
        ("Responsible for the data", "A university"),
    ):
        page.get_by_label(label).fill(value)
    follow(page.get_by_role("button", name="Make the study"))
    expect(page.get_by_text("Nothing is missing")).to_be_visible()
    looked_at("checklist")
    main = page.get_by_role("main")
    for number, point in enumerate(("4", "2")):
        follow(main.get_by_role("link", name="Examples and controls").first)
        if not number:
            looked_at("units")
        follow(page.get_by_role("row").nth(number * 2 + 1 + number).get_by_role("link"))
        page.locator(f"input[name='b0-score-quality'][value='{point}']").check(force=True)
        if not number:
            looked_at("pick")
        follow(page.get_by_role("button", name="Save"))
    study = Study.objects.get()
    assert study.units.filter(role="positive").count() == 2
    for name in ("questions", "texts", "rounds", "recruitment", "ethics", "judges"):
        page.goto(reverse(f"desk:set-up-{name}", args=[study.slug]))
        looked_at(name)
    page.goto(reverse("desk:set-up-rounds", args=[study.slug]))
    page.get_by_label("Pay for a batch").fill("2")
    if scripts:
        expect(page.locator("#cost")).to_contain_text("12.00")
    follow(page.get_by_role("button", name="Save"))
    looked_at("checklist-end")
    follow(page.get_by_role("button", name="Open the study"))
    assert Study.objects.get().state == Study.State.OPEN
    page.goto(reverse("desk:set-up-ethics", args=[study.slug]))
    page.get_by_label("Minimum age").fill("21")
    follow(page.get_by_role("button", name="Save"))
    looked_at("difference")
    follow(page.get_by_role("button", name="Apply"))
    assert Study.objects.get().ethics["minimum_age"] == 21
