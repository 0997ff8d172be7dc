"""Pages that their scripts make: a headless browser that reaches nothing but what is handed to it.

The browser has no network. Every request that a page makes is stopped, fetched by the `Fetcher`
with all of its rules, and handed in; what that refuses fails in the page, too.
"""

import asyncio
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

from judges.retrieval.download import Fetched, Fetcher
from judges.retrieval.limits import Turns
from judges.retrieval.page import PageOutcome

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page, Route, WebSocketRoute

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Requests of one page that are answered; what an article is made of comes first.
MOST_REQUESTS = 60
SECONDS = 30.0
_SETTLED_SECONDS = 5.0
# What may go into a text. Pictures, films and fonts may not.
_WANTED = frozenset({"document", "script", "stylesheet", "xhr", "fetch"})
# A browser that forgot to ask us would find no name, no proxy and no way out by UDP.
_FLAGS = (
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
    "--no-pings",
    "--dns-prefetch-disable",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)
_NO_SOCKETS = (
    "for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport'])"
    " delete window[name];"
)


class ChromiumRenderer:
    """`judges.retrieval.retriever.Renderer` with Chromium, started anew for every page.

    sandbox: Chromium's own; tests that run as root must do without.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        *,
        user_agent: str = "",
        seconds: float = SECONDS,
        sandbox: bool = True,
    ) -> None:
        self.fetcher, self.user_agent = fetcher, user_agent
        self.seconds, self.sandbox = seconds, sandbox
        self.name = "chromium"
        self.turns = Turns(1)

    async def rendered(self, url: str) -> Fetched:
        """The page once its scripts have run. A failure is an outcome, not an exception."""
        from playwright.async_api import Error, async_playwright

        async with self.turns.here:
            try:
                async with asyncio.timeout(self.seconds), async_playwright() as playwright:
                    browser = await playwright.chromium.launch(
                        executable_path=next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None),
                        args=list(_FLAGS),
                        chromium_sandbox=self.sandbox,
                    )
                    try:
                        return await self._read(browser, url)
                    finally:
                        await browser.close()
            except TimeoutError:
                reason = f"not rendered within {self.seconds:g} seconds"
                return Fetched(PageOutcome.TIMEOUT, reason, final_url=url)
            except Error as error:
                reason = f"not rendered: {error.message.splitlines()[0]}"
                return Fetched(PageOutcome.FAILED, reason, final_url=url)

    async def _read(self, browser: "Browser", url: str) -> Fetched:
        self.name = f"chromium {browser.version}"
        context = await browser.new_context(
            service_workers="block",
            accept_downloads=False,
            user_agent=self.user_agent or None,
        )
        await self._shut_in(context)
        page = await context.new_page()
        await page.goto(url, wait_until="load", timeout=0)
        await _settled(page)
        body = (await page.content()).encode()
        if len(body) > self.fetcher.limits.size:
            reason = f"more than {self.fetcher.limits.size} bytes"
            return Fetched(PageOutcome.TOO_LARGE, reason, final_url=page.url)
        return Fetched(
            PageOutcome.FOUND,
            final_url=page.url,
            status=200,
            content_type="text/html; charset=utf-8",
            body=body,
        )

    async def _shut_in(self, context: "BrowserContext") -> None:
        """Take every way out; `route` is the only one left."""
        left = [MOST_REQUESTS]

        async def answer(route: "Route") -> None:
            request = route.request
            left[0] -= 1
            wanted = request.method == "GET" and request.resource_type in _WANTED
            if not wanted or left[0] < 0:
                await route.abort()
                return
            await self._hand_in(route)

        async def close(socket: "WebSocketRoute") -> None:
            await socket.close()

        await context.add_init_script(_NO_SOCKETS)
        await context.route("**/*", answer)
        await context.route_web_socket("**/*", close)

    async def _hand_in(self, route: "Route") -> None:
        found = await self.fetcher.fetch(route.request.url, readable=None)
        if found.outcome != PageOutcome.FOUND:
            await route.abort()
            return
        await route.fulfill(
            status=found.status or 200,
            body=found.body,
            headers={
                "content-type": found.content_type or "text/html",
                # The page has no cookies of anybody that it could abuse.
                "access-control-allow-origin": "*",
            },
        )


async def _settled(page: "Page") -> None:
    """Wait for the scripts to have fetched what they fetch; not for ever."""
    from playwright.async_api import TimeoutError as TooLong

    with suppress(TooLong):
        await page.wait_for_load_state("networkidle", timeout=1000 * _SETTLED_SECONDS)
