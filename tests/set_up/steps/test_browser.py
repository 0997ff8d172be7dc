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
from tests.desk.researcher import (
    REQUIRED,
    Researcher,
    add_controls,
    choose_judge,
    make_study_from_table,
)
from tests.services.browser import axe_violations, scrolls_sideways
from tests.sessions import sign_in
from tests.set_up.steps.studies import TABLE, mills

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _uploads(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


def test_twelve_clicks_and_seven_fields_open_a_study_on_a_phone_without_scripts(
    new_page: Callable[..., Page], tmp_path: Path
) -> None:
    table = tmp_path / "mills.csv"
    table.write_text(TABLE)
    page = new_page(viewport={"width": 360, "height": 900}, java_script_enabled=False)
    sign_in(page, make_user("maker"))
    page.goto(reverse("desk:home"))
    me = Researcher(page, scripts=False)
    make_study_from_table(me, "Rating by criteria", table)
    expect(page.get_by_text("Nothing is missing")).to_be_visible()
    add_controls(me, {"1/alder": "4", "2/alder": "2"})
    choose_judge(me, "embedding")
    me.press(me.button("Open the study"))
    study = Study.objects.get()
    assert (study.state, study.judges) == (Study.State.OPEN, ["embedding"])
    assert study.units.filter(role="positive").count() == 2
    assert me.counted == [12, 7, 1]


def test_texts_and_costs_follow_what_is_typed(new_page: Callable[..., Page]) -> None:
    page, maker = new_page(viewport={"width": 768, "height": 900}), make_user("maker")
    study = mills(maker)
    sign_in(page, maker)
    more = ("introduction", "method")
    for name in (*more, "texts", "questions", "rounds", "recruitment", "ethics", "judges", "table"):
        page.goto(reverse(f"desk:set-up-{name}", args=[study.slug]))
        assert axe_violations(page) == [], name
        assert not scrolls_sideways(page), name
    page.goto(reverse("desk:set-up-texts", args=[study.slug]))
    page.get_by_label("Instructions", exact=True).fill("# Slowly\n\n<script>alert(1)</script>")
    expect(page.get_by_role("heading", name="Slowly")).to_be_visible()
    expect(page.locator("#texts-preview")).to_contain_text("<script>alert(1)</script>")
    page.goto(reverse("desk:set-up-rounds", args=[study.slug]))
    page.get_by_label("Pay for a batch").fill("2")
    # 20 units x 3 answers / 5 a batch = 12 batches, and 2 for 10 minutes is 12 an hour.
    expect(page.locator("#cost")).to_contain_text("24.00 USD")
    expect(page.locator("#cost")).to_contain_text("12.00")


def test_the_keyboard_alone_leads_from_a_table_to_an_open_study(
    new_page: Callable[..., Page], tmp_path: Path
) -> None:
    """Only the browser's own window that chooses a file is not typed into."""
    table = tmp_path / "mills.csv"
    table.write_text(TABLE)
    page = new_page(viewport={"width": 1280, "height": 900})
    sign_in(page, make_user("maker"))

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

    page.goto(reverse("desk:home"))
    enter(page.get_by_role("link", name="New study").first)
    enter(page.get_by_role("button", name="Rating by criteria"))
    file = page.get_by_label("Files", exact=True)
    tab_to(file)
    file.set_input_files(table)
    tab_to(page.get_by_role("button", name="Upload", exact=True))
    page.keyboard.press("Enter")
    page.wait_for_url("**/reading/")
    enter(page.get_by_role("button", name="Continue"))
    for label, value in REQUIRED.items():
        tab_to(page.get_by_label(label).first)
        page.keyboard.press("Control+a")
        page.keyboard.type(value)
    enter(page.get_by_role("button", name="Make the study"))
    study = Study.objects.get()
    enter(page.get_by_role("link", name="Change : Texts"))
    enter(page.get_by_role("button", name="Save").first)
    enter(page.locator(".checklist").get_by_role("link", name="Controls and examples"))
    enter(page.get_by_role("link", name="1/alder"))
    tab_to(page.locator("[name='role'][value='positive']"))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    tab_to(page.locator("[name='b0-score-quality']").first)
    page.keyboard.press("Space")
    enter(page.get_by_role("button", name="Save"))
    enter(page.get_by_role("link", name="Checklist", exact=True))
    enter(page.get_by_role("button", name="Open the study"))
    assert Study.objects.get().state == Study.State.OPEN
    assert study.units.filter(role="example").count() == 1
