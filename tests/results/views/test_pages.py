"""The pages of results in a real browser: readable, linked, and nothing that axe minds."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect

from annotation.models import Member, Rater, Study, User
from tests.cast import join
from tests.results.answers import choose, questions, rate
from tests.services.browser import (
    AXE_COLOURS_AND_SIZES,
    AXE_OPTIONS,
    axe_violations,
    follow,
    scrolls_sideways,
)
from tests.sessions import sign_in

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "demo"
SIZES = {"desktop": (1280, 900), "phone": (360, 740)}
# The whole of axe once, and of a phone in dark colours what depends on either.
LOOKS: tuple[tuple[Literal["light", "dark"], str, dict[str, Any]], ...] = (
    ("dark", "phone", AXE_COLOURS_AND_SIZES),
    ("light", "desktop", AXE_OPTIONS),
)


@pytest.fixture
def demo(transactional_db: None, owner: User) -> Study:
    """The example study with its simulated answers, two people's and a judge's."""
    call_command("apply_study", str(EXAMPLE / "study.yaml"))
    call_command("import_answers", "demo", str(EXAMPLE / "answers.jsonl"))
    study = Study.objects.get(slug="demo")
    join(study, owner, Member.Role.OWNER)
    for name, kind, step in (
        ("worker-1", "human", 1),
        ("worker-2", "human", 2),
        ("echo", "judge", 3),
    ):
        rater = Rater.objects.create(study=study, name=name, kind=kind)
        for at, question in enumerate(questions(study)[:40]):
            right = (question.reference or {})["sentences"]
            choose(rater, question, *(right if at % (step + 2) else (0, *right)))
        for at, question in enumerate(questions(study, block=1)[:40]):
            rate(rater, question, 40.0 + at + 5 * step)
    return study


def wait_for_figures(page: Page) -> None:
    """Every figure was drawn and can be seen, in the page's own ink."""
    figures = page.get_by_role("img")
    expect(figures.first).to_be_visible()
    ink = page.evaluate("getComputedStyle(document.body).color")
    for figure in figures.all():
        if figure.evaluate("shown => shown.tagName") == "IMG":
            expect(figure).to_have_js_property("complete", True)
            assert figure.evaluate("image => image.naturalWidth") > 100
            continue
        box = figure.bounding_box()
        assert box is not None
        assert box["width"] > 100
        letters = figure.locator("text").first
        assert letters.evaluate("part => getComputedStyle(part).fill") == ink


def keep_screenshot(page: Page, name: str) -> None:
    if os.environ.get("JURYBOX_SCREENSHOTS"):
        folder = Path(__file__).resolve().parents[3] / "var" / "screenshots"
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"results-{name}.png", full_page=True)


def test_from_a_number_to_the_units_behind_it_to_every_answer(demo: Study, page: Page) -> None:
    sign_in(page, User.objects.get(username="owner"))

    page.goto("/studies/demo/results/everything/")
    expect(page.get_by_role("heading", name="Citation recovery").first).to_be_visible()
    look(page, "dashboard", has_figures=True)

    page.get_by_label("Subset", exact=True).select_option("sample")
    page.get_by_label("System", exact=True).select_option("Alder")
    follow(page.get_by_role("button", name="Show"))
    assert "setting=sample&system=Alder" in page.url
    wait_for_figures(page)
    keep_screenshot(page, "dashboard-narrowed")

    page.goto("/studies/demo/results/everything/")
    judge = page.get_by_role("rowheader", name="echo with humans")
    row = page.get_by_role("row").filter(has=judge).first
    follow(row.get_by_role("link").first)
    expect(page.get_by_role("heading", name="Units behind a number")).to_be_visible()
    look(page, "units")

    follow(page.locator(".units tbody a").first)
    expect(page.get_by_role("rowheader", name="worker-1").first).to_be_visible()
    expect(page.get_by_role("rowheader", name="simulated-1 simulated").first).to_be_visible()
    look(page, "unit")


def look(page: Page, name: str, *, has_figures: bool = False) -> None:
    """In dark colours on a phone, then in light ones on a desktop."""
    for scheme, size, rules in LOOKS:
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        if has_figures:
            wait_for_figures(page)
        assert axe_violations(page, rules) == []
        assert not scrolls_sideways(page)
        keep_screenshot(page, f"{name}-{scheme}-{size}")


def test_every_tab_is_accessible_and_fits_its_window(
    demo: Study, new_page: Callable[..., Page]
) -> None:
    page = new_page(color_scheme="dark", viewport={"width": 360, "height": 740})
    sign_in(page, User.objects.get(username="owner"))
    for tab in ("people", "judges", "systems", "quality", "plan", "metrics"):
        page.goto(f"/studies/demo/results/{tab}/?facet=utility")
        for fold in page.locator("details").all():
            fold.evaluate("fold => { fold.open = true; }")
        assert axe_violations(page) == [], tab
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), tab
        keep_screenshot(page, f"{tab}-dark-phone")


def test_filters_go_along_folds_stay_open_and_tables_are_sorted(demo: Study, page: Page) -> None:
    sign_in(page, User.objects.get(username="owner"))
    page.goto("/studies/demo/results/systems/")
    page.get_by_text("Filter", exact=True).click()
    page.get_by_label("Subset", exact=True).select_option("sample")
    follow(page.get_by_role("button", name="Show"))
    follow(page.get_by_role("link", name="Utility", exact=True))
    follow(page.locator(".study-tabs__pages").get_by_role("link", name="Agreement"))
    assert "setting=sample" in page.url
    assert "facet=utility" in page.url
    expect(page.get_by_role("heading", name="Utility")).to_be_visible()

    page.goto("/studies/demo/results/systems/?facet=utility")
    fold = page.locator("details", has=page.get_by_text("Mean by system"))
    fold.locator("summary").click()
    page.wait_for_url("**#systems-mean-utility")
    page.reload()
    table = fold.get_by_role("table")
    expect(table).to_be_visible()

    def systems() -> list[str]:
        return [name.strip() for name in table.locator("tbody th").all_inner_texts()]

    given = systems()
    head = table.get_by_role("columnheader").filter(has_text="System")
    head.get_by_role("button", name="System").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    head.get_by_role("button", name="System").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    assert systems() == sorted(given, reverse=True)
    head.get_by_role("button", name="System").click()
    assert systems() == given

    table.get_by_role("button", name="About").first.click()
    expect(page.get_by_text("Within the ends of the scale").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("Within the ends of the scale").first).to_be_hidden()
