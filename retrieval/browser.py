"""Render pages that need scripts, in a headless browser without network access.

Every request of a page is intercepted and fetched by the `Fetcher` with all of its rules; what the
`Fetcher` refuses fails in the page, too.
"""

import asyncio
import itertools
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

from retrieval.concurrency import LoopSemaphores
from retrieval.download import Fetcher
from retrieval.page import PageOutcome
from retrieval.responses import Fetched

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page, Route, WebSocketRoute

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# The most requests of one page that are answered.
MOST_REQUESTS = 60
SECONDS = 30.0
_IDLE_SECONDS = 5.0
# What a text may depend on: no images, videos or fonts.
_WANTED = frozenset({"document", "script", "stylesheet", "xhr", "fetch"})
# A second line of defence: requests that were not intercepted would resolve no name, reach no proxy
# and send no UDP.
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
    """A `retrieval.retriever.Renderer` with Chromium, started anew for every page.

    sandbox: Chromium's own, which does not work for root (in tests).
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
        self.slots = LoopSemaphores(1)

    async def rendered(self, url: str) -> Fetched:
        """The page after its scripts have run. A failure is an outcome, not an exception."""
        from playwright.async_api import Error, async_playwright

        async with self.slots.current:
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
        await self._intercept_requests(context)
        page = await context.new_page()
        await page.goto(url, wait_until="load", timeout=0)
        await _wait_until_idle(page)
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

    async def _intercept_requests(self, context: "BrowserContext") -> None:
        """Close every way to the network but `answer`."""
        n_requests = itertools.count(1)

        async def answer(route: "Route") -> None:
            request = route.request
            wanted = request.method == "GET" and request.resource_type in _WANTED
            if next(n_requests) > MOST_REQUESTS or not wanted:
                await route.abort()
                return
            await self._fulfill(route)

        async def close(socket: "WebSocketRoute") -> None:
            await socket.close()

        await context.add_init_script(_NO_SOCKETS)
        await context.route("**/*", answer)
        await context.route_web_socket("**/*", close)

    async def _fulfill(self, route: "Route") -> None:
        fetched = await self.fetcher.fetch(route.request.url, readable=None)
        if fetched.outcome != PageOutcome.FOUND:
            await route.abort()
            return
        await route.fulfill(
            status=fetched.status or 200,
            body=fetched.body,
            headers={
                "content-type": fetched.content_type or "text/html",
                # Harmless: this browser has nobody's cookies.
                "access-control-allow-origin": "*",
            },
        )


async def _wait_until_idle(page: "Page") -> None:
    """Wait until the scripts stop making requests, but not for ever."""
    from playwright.async_api import TimeoutError as TooLong

    with suppress(TooLong):
        await page.wait_for_load_state("networkidle", timeout=1000 * _IDLE_SECONDS)
