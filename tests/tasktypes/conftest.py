"""A task type's form, opened in a real browser."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.tasktypes.forms import AnyType, Opener, page_of


@pytest.fixture
def open_form(browser: Browser) -> Iterator[Opener]:
    """Open a form: `open_form(SLIDER, scripts=False, color_scheme="dark")`."""
    contexts = []

    def opened(
        kind: AnyType,
        posted: dict[str, list[str]] | None = None,
        *,
        scripts: bool = True,
        **session: Any,
    ) -> Page:
        context = browser.new_context(java_script_enabled=scripts, **session)
        contexts.append(context)
        page = context.new_page()
        page.set_content(page_of(kind, posted, scripts=scripts))
        return page

    yield opened
    for context in contexts:
        context.close()
