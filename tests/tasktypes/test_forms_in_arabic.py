"""Every task type's form, refused for lack of answers, on an Arabic page of a narrow phone."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.utils import translation
from playwright.sync_api import Browser, Page

from tasktypes.contract import TaskType
from tasktypes.registry import TASK_TYPES
from tests.services.browser import axe_violations, scrolls_sideways
from tests.tasktypes.forms import page_of

AnyType = TaskType[Any, Any, Any]


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 360, "height": 740})
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
@pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)
def test_the_form_is_accessible_and_fits(page: Page, kind: AnyType, scripts: bool) -> None:
    with translation.override("ar"):
        html = page_of(kind, {}, scripts=scripts)
    page.set_content(html.replace("<html lang=en>", "<html lang=ar dir=rtl>"))
    if "JURYBOX_SCREENSHOTS" in os.environ:
        folder = Path(settings.BASE_DIR) / "var" / "screenshots"
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"arabic-form-{kind.slug}-{scripts}.png", full_page=True)
    assert "يُرجى" in page.locator("form").inner_text()
    assert axe_violations(page) == []
    assert not scrolls_sideways(page)
