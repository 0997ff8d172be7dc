"""A task type's form, opened in a real browser without a server."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.tasktypes.forms import AnyType, Opener, page_of

VIEWPORT = {"width": 1280, "height": 720}
Kept = dict[tuple[bool, bool], list[Page]]


@pytest.fixture(scope="session")
def _kept_pages(browser: Browser) -> Iterator[Kept]:
    """Pages to be used again, by whether they run scripts and have a touch screen."""
    kept: Kept = defaultdict(list)
    yield kept
    for page in [page for pages in kept.values() for page in pages]:
        page.context.close()


@pytest.fixture
def blank_page(browser: Browser, _kept_pages: Kept) -> Iterator[Callable[..., Page]]:
    """Open an empty page, as if it were new: `blank_page(scripts=False, color_scheme="dark")`.

    It has no address, hence neither cookies nor storage, and is kept for the next test: a browser
    session of its own takes longer than most of these tests.
    """
    lent: list[tuple[tuple[bool, bool], Page]] = []

    def opened(
        *,
        scripts: bool = True,
        has_touch: bool = False,
        viewport: dict[str, int] = VIEWPORT,
        color_scheme: str = "light",
    ) -> Page:
        key = (scripts, has_touch)
        if _kept_pages[key]:
            page = _kept_pages[key].pop()
            page.goto("about:blank")
        else:
            context = browser.new_context(java_script_enabled=scripts, has_touch=has_touch)
            page = context.new_page()
        page.set_viewport_size(viewport)  # type: ignore[arg-type]
        page.emulate_media(color_scheme=color_scheme)  # type: ignore[arg-type]
        lent.append((key, page))
        return page

    yield opened
    for key, page in lent:
        _kept_pages[key].append(page)


@pytest.fixture
def open_form(blank_page: Callable[..., Page]) -> Opener:
    """Open a form: `open_form(SLIDER, scripts=False, color_scheme="dark")`."""

    def opened(
        kind: AnyType,
        posted: dict[str, list[str]] | None = None,
        *,
        scripts: bool = True,
        **session: Any,
    ) -> Page:
        page = blank_page(scripts=scripts, **session)
        page.set_content(page_of(kind, posted, scripts=scripts))
        return page

    return opened
