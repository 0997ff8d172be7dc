"""Pages that scripts make, in a real Chromium that is shut in."""

import asyncio
import os
import socket
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any

import pytest

from retrieval.browser import ChromiumRenderer
from retrieval.page import Page, PageOutcome
from retrieval.responses import Fetched
from retrieval.retriever import Retriever
from tests.retrieval.web import Answer, Web, fetcher, small_web
from tests.services.ports import free_port

pytestmark = pytest.mark.browser
SHELL = """<!doctype html><html><head><title>The ferry</title></head><body><div id="app"></div>
<script src="/app.js"></script></body></html>"""
APP = """
fetch('/story.json').then((reply) => reply.json()).then((story) => {
  document.getElementById('app').innerHTML =
    '<article><h1>The ferry</h1><p>' + story.join('</p><p>') + '</p></article>';
});
"""
STORY = """["The white ferry still sails every day at nine, whatever has been said since May.",
"It has not sunk, and it never carried cars, as the log of the harbour master shows."]"""


def in_a_loop_of_its_own(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Other tests with a browser keep a loop running in the thread of the tests."""
    done: Future[Any] = Future()

    def run() -> None:
        try:
            done.set_result(asyncio.run(work()))
        except BaseException as error:  # noqa: BLE001 (handed to the test)
            done.set_exception(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return done.result()


def renderer(web: Web, **options: Any) -> ChromiumRenderer:
    return ChromiumRenderer(fetcher(web), sandbox=os.geteuid() != 0, **options)


def rendered(web: Web, path: str, **options: Any) -> Fetched:
    found = in_a_loop_of_its_own(lambda: renderer(web, **options).rendered(web.url(path)))
    assert isinstance(found, Fetched)
    if "Executable doesn't exist" in found.reason:
        pytest.skip("no Chromium here")
    return found


def test_a_page_that_scripts_make_is_read_where_that_is_set(web: Web) -> None:
    web.answers["/ferry"] = Answer(SHELL.encode())
    web.answers["/app.js"] = Answer(APP.encode(), content_type="text/javascript")
    web.answers["/story.json"] = Answer(STORY.encode(), content_type="application/json")
    assert rendered(web, "/ferry").outcome == PageOutcome.FOUND
    retriever = Retriever(fetcher(web), renderer(web))
    page = in_a_loop_of_its_own(lambda: retriever.retrieve(web.url("/ferry")))
    assert isinstance(page, Page)
    assert (page.outcome, page.title) == (PageOutcome.FOUND, "The ferry")
    assert "still sails every day at nine" in page.text
    assert page.via.startswith("chromium 1")
    plain = asyncio_free(web)
    assert plain.outcome == PageOutcome.NO_CONTENT


def asyncio_free(web: Web) -> Page:
    found = in_a_loop_of_its_own(lambda: Retriever(fetcher(web)).retrieve(web.url("/ferry")))
    assert isinstance(found, Page)
    return found


def test_scripts_reach_nothing_that_a_link_may_not_lead_to(web: Web) -> None:
    with small_web() as inner, socket.create_server(("127.0.0.1", free_port())) as raw:
        inner.answers["/secret"] = Answer(b"secret", headers={"Access-Control-Allow-Origin": "*"})
        socket_url = f"ws://127.0.0.1:{raw.getsockname()[1]}/"
        secret = f"http://127.0.0.1:{inner.port}/secret"
        script = f"""<html><body><p id="out">nothing</p><img src="{secret}"><iframe src="{secret}">
        </iframe><link rel="prefetch" href="{secret}"><script>
        const say = (what) => document.getElementById('out').append(' ' + what);
        fetch('{secret}').then((r) => r.text()).then(say, () => say('refused'));
        fetch('http://169.254.169.254/').then(say, () => say('refused'));
        fetch('/post', {{method: 'POST', body: 'x'}}).then(say, () => say('refused'));
        navigator.sendBeacon('{secret}', 'x');
        try {{ new WebSocket('{socket_url}'); }} catch (error) {{ say(1); }}
        say(typeof RTCPeerConnection);
        </script></body></html>"""
        web.answers["/evil"] = Answer(script.encode())
        web.answers["/post"] = Answer(b"posted")
        found = rendered(web, "/evil")
        raw.settimeout(0)
        with pytest.raises(BlockingIOError):
            raw.accept()
        assert inner.asked == []
    text = found.body.decode()
    assert text.count("refused") >= 3
    assert "undefined" in text
    assert ">secret<" not in text
    assert [path for _, path in web.asked] == ["/evil"]


def test_a_script_that_never_ends_runs_out_of_time(web: Web) -> None:
    web.answers["/loop"] = Answer(b"<html><script>for (;;) {}</script></html>")
    found = rendered(web, "/loop", seconds=4.0)
    assert found.outcome == PageOutcome.TIMEOUT


def test_a_page_may_not_ask_for_ever(web: Web) -> None:
    asking = "<html><script>for (let i = 0; i < 500; i++) fetch('/x' + i);</script>hello</html>"
    web.answers["/many"] = Answer(asking.encode())
    rendered(web, "/many")
    assert 1 < len(web.asked) <= 60
