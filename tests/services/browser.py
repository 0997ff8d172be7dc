"""A real Chromium, and what a test page must never do."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    Response,
    expect,
    sync_playwright,
)
from playwright.sync_api import Error as PlaywrightError

# The headless shell has no windows to draw and takes a sixth less time than the others.
CHROMIUM_NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
# The first line is ours: pages of the browser's own behind the address bar of each window, which
# nobody sees here and which took most of the time of a new page, and a process in reserve. Of two
# such lists the last counts, so the others are those that Playwright turns off.
WITHOUT = (
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,SpareRendererForSitePerProcess,"
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,"
    "HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding,"
    "ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,OptimizationHints,"
    "NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch"
)
FLAGS = [
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # The headless shell would make every letter whole pixels wide, and lines break elsewhere.
    "--font-render-hinting=none",
    # Pages of one session share a process, which has compiled their scripts already; the one that
    # draws is a thread; and memory is cleared less often. A page of the suite costs a third less.
    "--process-per-site",
    "--in-process-gpu",
    "--js-flags=--min-semi-space-size=16 --max-semi-space-size=32",
    f"--disable-features={WITHOUT}",
    # Nothing but this machine can be reached, whatever a page asks for.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
]
PHONE = {"viewport": {"width": 360, "height": 740}}
DESKTOP = {"viewport": {"width": 1280, "height": 900}}
PARTS_OF_A_PAGE = frozenset({"stylesheet", "script", "image", "font", "manifest"})
# htmx writes two errors for a request that the page gave up. The first stands, beside another
# second one, for any request without an answer.
GIVEN_UP = ("htmx:afterRequest,", "htmx:sendAbort,")
# How long an expectation may take to come true: a loaded machine fails no test.
PATIENCE_MS = 30_000
SERVER_ERROR, CLIENT_ERROR = 500, 400
# All that axe does by itself (WCAG 2.0 to 2.2, A and AA, and best practices), and the one rule
# of WCAG 2.2 AA that it leaves out unless asked. It need not copy the styles that others import,
# which our content security policy would forbid and no such rule looks at.
AXE_OPTIONS = {
    "resultTypes": ["violations"],
    "rules": {"target-size": {"enabled": True}},
    "preload": False,
}
# Those that depend on colours; all others see a page in the same way whatever its scheme.
OF_COLOURS = ("color-contrast", "link-in-text-block")
AXE_COLOURS = {
    "resultTypes": ["violations"],
    "runOnly": {"type": "rule", "values": [*OF_COLOURS]},
    "preload": False,
}
# And the one that depends on the width of the window, for a page seen in full at another.
AXE_COLOURS_AND_SIZES = {
    **AXE_COLOURS,
    "runOnly": {"type": "rule", "values": [*OF_COLOURS, "target-size"]},
}
AXE_SCRIPT = Axe().axe_script
# A target that is partly under the bar that stays at the bottom is measured again where nothing
# covers it, as whoever wants to touch it moves it.
RUN_AXE = """async options => {
  const broken = (await axe.run(options)).violations;
  const size = broken.find(rule => rule.id === "target-size");
  if (!size) return broken;
  const at = window.scrollY, small = [];
  for (const node of size.nodes) {
    const place = document.querySelector(node.target[0]);
    place.scrollIntoView({ block: "center", behavior: "instant" });
    const again = await axe.run(place, { runOnly: ["target-size"], preload: false });
    if (again.violations.length) small.push(node);
  }
  window.scrollTo({ top: at, behavior: "instant" });
  size.nodes = small;
  return broken.filter(rule => rule.nodes.length);
}"""
TOO_WIDE = "page => page.scrollWidth - page.clientWidth"


# Each text of a study becomes one word, and whatever is folded is opened. Amounts and the numbers
# of passages are no texts.
LENGTHEN = """() => {
  for (const fold of document.querySelectorAll("details")) fold.open = true;
  const texts = [];
  for (const place of document.querySelectorAll("[dir=auto], bdi:not(.pay-so-far *)")) {
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const isOurs = walker.currentNode.parentElement.matches(".marker");
      const hasWord = /[\\p{L}\\p{N}]/u.test(walker.currentNode.data);
      if (!isOurs && hasWord) texts.push(walker.currentNode);
    }
  }
  for (const text of texts) text.data = "long".repeat(225);
  return texts.length;
}"""
# What is wider than the window, or than a box that scrolls by itself; not what is cut off there,
# nor the texts of a strip, which lie beside each other.
RUNS_OUT = """() => {
  const overflow = (element) => getComputedStyle(element).overflowX;
  const isCut = (element) => {
    for (let place = element.parentElement; place; place = place.parentElement) {
      if (/hidden|clip/.test(overflow(place))) return true;
    }
    return false;
  };
  return [...document.querySelectorAll("body *")].filter((element) => {
    const box = element.getBoundingClientRect();
    const slides = element.closest(".is-strip .panes");
    const isOut = box.width && !slides && (box.right > innerWidth + 1 || box.left < -1);
    const scrolls = element !== slides && /auto|scroll/.test(overflow(element));
    return isOut && !isCut(element) || scrolls && element.scrollWidth > element.clientWidth + 1;
  }).map((element) => element.outerHTML.slice(0, 80));
}"""


class Unavailable(Exception):
    """Why no Chromium can be started here."""


def chromium_on_path() -> str | None:
    """Return the system's Chromium; without one Playwright looks for its own."""
    return next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start a headless Chromium."""
    expect.set_options(timeout=PATIENCE_MS)
    flags = [*FLAGS, "--no-sandbox"] if os.geteuid() == 0 else FLAGS
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=chromium_on_path(), args=flags)
        except PlaywrightError as error:
            raise Unavailable(f"Chromium does not start: {error.message}") from error
        with browser:
            yield browser


@dataclass
class Watch:
    """Collects what goes wrong in a page without a test looking at it.

    Violations of the content security policy are among the console's errors. That a document or
    an htmx request answered 4xx is not wrong by itself: tests ask for such answers. Nor is one that
    the page gives up for a newer one (`hx-sync`).
    """

    origin: str
    faults: list[str] = field(default_factory=list)

    def follow(self, page: Page) -> None:
        """Watch a page from now on."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.faults.append(f"script error: {error}"))
        page.on("request", self._request)
        page.on("response", self._response)

    def _console(self, message: ConsoleMessage) -> None:
        failed_load = message.text.startswith("Failed to load resource")  # see _response
        given_up = message.text.startswith(GIVEN_UP)
        if message.type == "error" and not failed_load and not given_up:
            self.faults.append(f"console: {message.text}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self.origin, "data:", "blob:", "about:")):
            self.faults.append(f"request to another host: {request.url}")

    def _response(self, response: Response) -> None:
        part = response.request.resource_type in PARTS_OF_A_PAGE
        if response.status >= (CLIENT_ERROR if part else SERVER_ERROR):
            self.faults.append(f"{response.status} for {response.url}")


def follow(door: Locator) -> None:
    """Click, and wait for the page behind it: nothing is asked of the page before it."""
    with door.page.expect_navigation():
        door.click()


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the focus is there, as somebody without a mouse does."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
    raise AssertionError(f"the keyboard does not reach {selector}")


def press(page: Page, selector: str) -> None:
    """Reach it by Tab, press Enter and wait for the page behind it."""
    tab_to(page, selector)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def scrolls_sideways(page: Page) -> bool:
    """Whether anything on the page is wider than its window."""
    # By its place, which is waited for: a page that has just been asked for has no element yet.
    return bool(page.locator("html").evaluate(TOO_WIDE) > 0)


def lengthen_words(page: Page) -> int:
    """Put a word of 900 letters in place of each text of the study; how many there are."""
    count: int = page.evaluate(LENGTHEN)
    return count


def runs_out(page: Page) -> list[str]:
    """What does not fit a phone's window or a desktop's."""
    found: list[str] = []
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size["viewport"])  # type: ignore[arg-type]
        found += page.evaluate(RUNS_OUT)
        found += ["the page"] * scrolls_sideways(page)
    return found


def axe_violations(page: Page, options: dict[str, Any] = AXE_OPTIONS) -> list[str]:
    """Return one line per accessibility rule broken on the page and per place that breaks it."""
    found = _run_axe(page, options)
    return [
        f"{rule['id']} ({rule['impact']}): {rule['help']}: {node['html']}"
        for rule in found
        for node in rule["nodes"]
    ]


def violations_in_both_schemes(page: Page) -> list[str]:
    """What axe finds in the light colour scheme, and what of the colours in the dark one."""
    page.emulate_media(color_scheme="light")
    found = axe_violations(page)
    page.emulate_media(color_scheme="dark")
    return found + axe_violations(page, AXE_COLOURS)


def accessible(page: Page) -> None:
    """Assert that axe finds nothing and that the page fits its window."""
    assert axe_violations(page) == []
    assert not scrolls_sideways(page)


def _run_axe(page: Page, options: dict[str, Any], tries: int = 3) -> list[dict[str, Any]]:
    """Run axe on the page that has arrived.

    A click returns before the page it leads to is there; `follow` waits for it. Where that page
    replaces the old one in the middle of a run, the run fails with an error of the script and
    is made again: a broken rule is never asked about twice.
    """
    page.wait_for_load_state("load")
    try:
        if page.evaluate("typeof axe") == "undefined":
            page.evaluate(AXE_SCRIPT)
        violations: list[dict[str, Any]] = page.evaluate(RUN_AXE, options)
    except PlaywrightError:
        if tries == 1:
            raise
        return _run_axe(page, options, tries - 1)
    return violations
