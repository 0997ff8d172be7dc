"""Browser sessions that are used again: a new one costs more than most pages that it shows.

Each page is new and alone in its session. What it left there is taken away before the next.
"""

from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

# What is said to a page; all else is said to its session, which is then made for that page.
OF_PAGES = frozenset({"viewport", "color_scheme", "reduced_motion"})
# As sessions without options have it.
VIEWPORT = {"width": 1280, "height": 720}
# A page's clock stays with its session for good.
HAS_CLOCK = "'__pwClock' in globalThis"


class KeptSessions:
    """The sessions of one browser, for pages of one site.

    `quiet` is a page of the site without scripts. It stays open, and so the site's process stays,
    which has compiled the scripts already.
    """

    def __init__(self, browser: Browser, site: str, quiet: str) -> None:
        self._browser, self._site, self._quiet = browser, site, quiet
        self._free: list[BrowserContext] = []
        self._lent: list[BrowserContext] = []
        self._single: list[BrowserContext] = []

    def page(self, **options: Any) -> Page:
        """A new page, in a session that is its own until `take_back`."""
        if not OF_PAGES.issuperset(options):
            self._single.append(self._browser.new_context(base_url=self._site, **options))
            return self._single[-1].new_page()
        context = self._free.pop() if self._free else self._made()
        self._lent.append(context)
        page = context.new_page()
        if page.evaluate(HAS_CLOCK):
            self._single.append(self._lent.pop())
            return self.page(**options)
        page.set_viewport_size(options.pop("viewport", VIEWPORT))
        page.emulate_media(**options)
        return page

    def take_back(self) -> None:
        """Close all pages, and keep the sessions that can be used again."""
        for context in self._lent:
            _tidy(context)
        self._free += self._lent
        for context in self._single:
            context.close()
        self._lent, self._single = [], []

    def close(self) -> None:
        self.take_back()
        for context in self._free:
            context.close()

    def _made(self) -> BrowserContext:
        context = self._browser.new_context(base_url=self._site, viewport=VIEWPORT)  # type: ignore[arg-type]
        context.new_page().goto(self._quiet)
        return context


def _tidy(context: BrowserContext) -> None:
    """Leave its first page alone, and nothing that a page stored, allowed or took."""
    first, *others = context.pages
    for page in others:
        page.close()
    context.set_offline(False)
    context.unroute_all()
    context.clear_permissions()
    context.clear_cookies()
    first.evaluate("localStorage.clear()")
    # A figure's address means the same figure for good, but not in the next test's database.
    session = context.new_cdp_session(first)
    session.send("Network.clearBrowserCache")
    session.detach()
