"""What a real browser counts while somebody answers."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Draft
from tests.annotation.views.worker_pages import CONTINUE, address, open_batch, saved
from tests.cast import make_study

pytestmark = pytest.mark.django_db(transaction=True)


def test_pastes_and_leaving_the_page_are_counted_and_stored_as_counts(
    new_page: Callable[..., Page],
) -> None:
    page = new_page()
    batch = open_batch(page, make_study(sources=2, collect_paradata=True))
    page.goto(address(batch))
    page.locator("summary", has_text="Report a problem").click()
    page.locator("#problem").click()
    page.keyboard.type("abc")
    page.keyboard.press("Backspace")
    for keys in ("Control+A", "Control+C", "Control+V"):
        page.keyboard.press(keys)
    # A tab that is left tells so twice: once as a window, once as a page out of view.
    page.evaluate("window.dispatchEvent(new Event('blur'))")
    page.evaluate("Object.defineProperty(document, 'visibilityState', {value: 'hidden'})")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.locator("#sentence-0").check()
    page.locator("#sentence-0").uncheck()
    page.locator("#sentence-2").check()
    saved(page)
    page.locator(CONTINUE).click()
    expect(page.locator(".where")).to_contain_text("question 2 of 2")
    counts = Draft.objects.get(question__block__position=0).paradata
    # Four keys, then three with Control, which is a key itself.
    assert counts == {"pastes": 1, "blurs": 1, "keystrokes": 10, "edits": 2, "bursts": 1}
    # On the next question counting begins anew.
    assert page.locator("[name=paradata]").get_attribute("data-so-far") == "0 0 0 0 0"
