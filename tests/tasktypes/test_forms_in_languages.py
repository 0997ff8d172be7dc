"""Every task type's form, refused for lack of answers, in each language, on a narrow phone."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.utils import translation
from playwright.sync_api import Page

from tasktypes.contract import TaskType
from tasktypes.registry import TASK_TYPES
from tests.services.browser import PHONE, axe_violations, scrolls_sideways
from tests.services.texts import english_left, texts_of
from tests.tasktypes.forms import page_of

AnyType = TaskType[Any, Any, Any]
OTHERS = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
kinds = pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)


@pytest.fixture
def page(blank_page: Callable[..., Page]) -> Page:
    return blank_page(**PHONE)


def show(page: Page, kind: AnyType, code: str, *, scripts: bool = True) -> None:
    with translation.override(code):
        html = page_of(kind, {}, scripts=scripts)
        direction = "rtl" if translation.get_language_bidi() else "ltr"
    page.set_content(html.replace("<html lang=en>", f"<html lang={code} dir={direction}>"))


@pytest.mark.parametrize(
    "scripts",
    [True, pytest.param(False, marks=pytest.mark.slow)],
    ids=["scripts", "no-scripts"],
)
@kinds
def test_the_arabic_form_is_accessible_and_fits(page: Page, kind: AnyType, scripts: bool) -> None:
    show(page, kind, "ar", scripts=scripts)
    if "JURYBOX_SCREENSHOTS" in os.environ:
        folder = Path(settings.BASE_DIR) / "var" / "screenshots"
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"arabic-form-{kind.slug}-{scripts}.png", full_page=True)
    assert "يُرجى" in page.locator("form").inner_text()
    assert axe_violations(page) == []
    assert not scrolls_sideways(page)


@kinds
def test_the_form_fits_and_what_it_refuses_is_not_in_english(page: Page, kind: AnyType) -> None:
    show(page, kind, "en")
    english = {text for text in texts_of(page) if text.startswith("Please")}
    assert english
    for code in OTHERS:
        show(page, kind, code)
        assert english_left(english, texts_of(page), "") == set(), code
        assert not scrolls_sideways(page), code
