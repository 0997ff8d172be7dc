"""The page that `check --html` writes, opened from a disk in a browser."""

from pathlib import Path

from playwright.sync_api import Browser

from docs.example_report import PAGE
from tests.services.browser import DESKTOP, PHONE, accessible, violations_in_both_schemes


def test_the_page_is_accessible_with_its_texts_open_and_fits_a_phone(browser: Browser) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(Path(PAGE).resolve().as_uri())
        for folded in page.locator("details > summary").all():
            folded.click()
        assert page.locator("details[open]").count() > 3
        for size in (PHONE, DESKTOP):
            page.set_viewport_size(size["viewport"])  # type: ignore[arg-type]
            accessible(page)
        assert violations_in_both_schemes(page) == []
