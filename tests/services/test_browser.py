"""The watch over test pages would be worthless if it missed anything."""

from collections.abc import Callable

import pytest
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from tests.services.browser import Watch, axe_violations, violations_in_both_schemes

PAGES = {
    "quiet": "<h1>Nothing wrong</h1>",
    "inline": "<script>document.title = 'ran'</script>",
    "missing": "<script src='/nowhere/'></script>",
    "asking": "<meta name=htmx-config content='{\"includeIndicatorStyles\": false}'>"
    "<script src='/static/vendor/htmx.min.js'></script>"
    "<div hx-get=/quiet/ hx-trigger=ask hx-sync=this:replace></div>",
    "elsewhere": "<img alt='' src='http://elsewhere.invalid/pixel.png'>",
}


def show(request: HttpRequest, name: str) -> HttpResponse:
    if name not in PAGES:
        raise Http404
    head = f"<!doctype html><html lang=en><title>{name}</title>"
    return HttpResponse(f"{head}<main>{PAGES[name]}</main>")


urlpatterns = [path("<name>/", show)]
pytestmark = pytest.mark.urls(__name__)


def faults_of(browser: Browser, live_server: LiveServer, name: str) -> list[str]:
    watch = Watch(live_server.url)
    with browser.new_page() as page:
        watch.follow(page)
        page.goto(f"{live_server.url}/{name}/", wait_until="networkidle")
    return watch.faults


def test_a_page_without_fault_passes(page: Page) -> None:
    page.goto("/quiet/")
    assert page.title() == "quiet"
    assert axe_violations(page) == []


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("inline", "Content Security Policy"),
        ("missing", "404 for"),
        ("elsewhere", "request to another host"),
    ],
)
def test_a_fault_that_nobody_looked_at_is_noticed(
    browser: Browser, live_server: LiveServer, name: str, fault: str
) -> None:
    assert fault in " ".join(faults_of(browser, live_server, name))


def test_a_request_given_up_for_a_newer_one_is_no_fault_and_one_that_fails_is(
    browser: Browser, live_server: LiveServer
) -> None:
    watch = Watch(live_server.url)
    with browser.new_page() as page:
        watch.follow(page)
        page.route("**/quiet/", lambda route: None)  # no answer
        page.goto(f"{live_server.url}/asking/")
        ask = "htmx.trigger('[hx-get]', 'ask')"
        with page.expect_event("requestfailed"):
            page.evaluate(f"{ask}; {ask}")
        assert watch.faults == []
        page.unroute_all()
        page.route("**/quiet/", lambda route: route.abort())
        with page.expect_console_message(lambda told: "htmx:sendError" in told.text):
            page.evaluate(ask)
    assert "htmx:sendError" in " ".join(watch.faults)


def test_an_image_without_a_text_breaks_an_accessibility_rule(page: Page) -> None:
    page.goto("/quiet/")
    page.evaluate("document.querySelector('main').append(document.createElement('img'))")
    assert "image-alt" in " ".join(axe_violations(page))


def test_words_that_cannot_be_read_in_the_dark_alone_are_noticed(browser: Browser) -> None:
    dark = "@media (prefers-color-scheme: dark) { p { color: #222; background: #000 } }"
    with browser.new_page(color_scheme="light") as page:
        page.set_content(
            f"<!doctype html><html lang=en><title>Dark</title><style>{dark}</style>"
            "<main><h1>Dark</h1><p>Not to be read.</p></main>"
        )
        assert axe_violations(page) == []
        assert "color-contrast" in " ".join(violations_in_both_schemes(page))


def test_two_pages_are_two_browser_sessions(new_page: Callable[..., Page]) -> None:
    first, second = new_page(), new_page()
    for page in (first, second):
        page.goto("/quiet/")
    first.evaluate("document.cookie = 'only=here'")
    assert second.evaluate("document.cookie") == ""
