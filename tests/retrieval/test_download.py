"""Going to a link: where it may lead, how long and how much it may take, and what is said of it."""

import asyncio
import gzip
import socket
import ssl
import threading
import tracemalloc
import zlib
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpcore2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.addresses import is_public
from retrieval.connections import GuardedNetwork
from retrieval.download import Fetcher
from retrieval.page import PageOutcome
from retrieval.responses import Fetched, Limits
from tests.retrieval.web import ARTICLE, PUBLIC, Answer, Names, Web, fetcher
from tests.services.ports import free_port


def fetched(asked: Fetcher, url: str, **options: Any) -> Fetched:
    return asyncio.run(asked.fetch(url, **options))


# --- What is there --------------------------------------------------------------------------------


def test_a_page_is_fetched_under_its_name(web: Web) -> None:
    web.answers["/ferry?a=1"] = Answer(ARTICLE.encode())
    found = fetched(fetcher(web), web.url("/ferry?a=1#top"))
    assert (found.outcome, found.status) == (PageOutcome.FOUND, 200)
    assert found.body == ARTICLE.encode()
    assert found.final_url == web.url("/ferry?a=1")
    assert web.asked == [(f"pages.example:{web.port}", "/ferry?a=1")]


def test_an_address_may_hold_letters_of_any_script(web: Web) -> None:
    names = Names({"xn--fhre-loa.example": [["127.0.0.1"]]})
    web.answers["/gr%C3%B6%C3%9Fe"] = Answer(b"big")
    found = fetched(fetcher(web, names), web.url("/größe", host="fähre.example"))
    assert found.body == b"big"
    assert names.asked == ["xn--fhre-loa.example"]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed_and_the_last_address_is_told(web: Web, status: int) -> None:
    web.answers["/old"] = Answer(status=status, headers={"Location": "../new?x"})
    web.answers["/new?x"] = Answer(b"here")
    found = fetched(fetcher(web), web.url("/old"))
    assert (found.body, found.final_url) == (b"here", web.url("/new?x"))


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (404, PageOutcome.NOT_FOUND),
        (410, PageOutcome.NOT_FOUND),
        (401, PageOutcome.DENIED),
        (403, PageOutcome.DENIED),
        (429, PageOutcome.DENIED),
        (451, PageOutcome.DENIED),
        (500, PageOutcome.FAILED),
        (503, PageOutcome.FAILED),
        (304, PageOutcome.FAILED),
    ],
)
def test_a_status_says_whether_there_is_a_page(web: Web, status: int, outcome: PageOutcome) -> None:
    web.answers["/a"] = Answer(b"<p>Sorry</p>", status=status)
    found = fetched(fetcher(web), web.url("/a"))
    assert (found.outcome, found.status, found.body) == (outcome, status, b"")
    assert str(status) in found.reason


@pytest.mark.parametrize("kind", ["video/mp4", "image/png", "application/octet-stream"])
def test_a_type_that_nobody_reads_is_there_without_content(web: Web, kind: str) -> None:
    web.answers["/a"] = Answer(b"%PDF-1.7", content_type=kind)
    found = fetched(fetcher(web), web.url("/a"))
    assert (found.outcome, found.body) == (PageOutcome.NO_CONTENT, b"")
    assert kind in found.reason


def test_a_page_without_a_type_is_read(web: Web) -> None:
    web.answers["/a"] = Answer(b"<p>Hello</p>", content_type="")
    assert fetched(fetcher(web), web.url("/a")).body == b"<p>Hello</p>"


# --- Where a link may lead ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "ftp://pages.example/a",
        "file:///etc/passwd",
        "gopher://pages.example/",
        "javascript:alert(1)",
        "http://",
        "http:///a",
        "//pages.example/a",
        "http://user:secret@pages.example/",
        "http://user@pages.example/",
        "http://[::1/",
        "http://pages.example:99999/",
        "http://a\nb/",
        "http://pages.example/" + "a" * 5000,
    ],
)
def test_what_is_no_ordinary_address_of_the_web_is_refused(url: str) -> None:
    names = Names({"pages.example": [[PUBLIC]]})
    found = fetched(Fetcher(GuardedNetwork(resolver=names)), url)
    assert found.outcome == PageOutcome.REFUSED
    assert found.reason
    assert names.asked == []


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "169.254.169.254",
        "[fd00:ec2::254]",
        "10.1.2.3",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "0.0.0.0",
    ],
)
def test_an_address_that_is_not_public_is_refused(host: str) -> None:
    assert (
        fetched(Fetcher(GuardedNetwork()), f"http://{host}/latest/meta-data").outcome
        == PageOutcome.REFUSED
    )


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "127.1", "localhost", "0177.0.0.1"])
def test_other_spellings_of_this_machine_are_refused_as_the_system_reads_them(host: str) -> None:
    found = fetched(Fetcher(GuardedNetwork()), f"http://{host}/")
    assert found.outcome in (PageOutcome.REFUSED, PageOutcome.NOT_FOUND)


@pytest.mark.parametrize("inner", ["127.0.0.1", "10.0.0.8", "169.254.169.254", "fd00:ec2::254"])
def test_a_name_is_refused_when_any_of_its_addresses_is_not_public(inner: str) -> None:
    names = Names({"both.example": [[PUBLIC, inner]]})
    found = fetched(Fetcher(GuardedNetwork(resolver=names)), "https://both.example/")
    assert found.outcome == PageOutcome.REFUSED
    assert found.reason == "both.example is not on the public internet"


@pytest.mark.parametrize("port", [22, 25, 6379, 8080])
def test_a_port_that_is_not_the_webs_is_refused(port: int) -> None:
    found = fetched(
        Fetcher(GuardedNetwork(resolver=Names({"a.example": [[PUBLIC]]}))),
        f"http://a.example:{port}/",
    )
    assert found.outcome == PageOutcome.REFUSED
    assert str(port) in found.reason


def test_a_redirect_to_a_private_address_is_refused(web: Web) -> None:
    names = Names({"pages.example": [["127.0.0.1"]], "inner.example": [["10.0.0.8"]]})
    targets = ["http://169.254.169.254/", "http://inner.example/", "file:///etc/passwd",
               f"http://u:p@pages.example:{web.port}/b", "http://[::1]/"]  # fmt: skip
    for number, target in enumerate(targets):
        web.answers[f"/{number}"] = Answer(status=302, headers={"Location": target})
        found = fetched(fetcher(web, names), web.url(f"/{number}"))
        assert found.outcome == PageOutcome.REFUSED, target
    assert [path for _, path in web.asked] == [f"/{n}" for n in range(len(targets))]


def test_a_name_that_leads_elsewhere_the_next_time_gains_nothing(web: Web) -> None:
    # First public, then this machine: the connection goes to what was checked, and what would be
    # looked up again for a redirect is checked again.
    names = Names({"rebind.example": [["127.0.0.1"], ["127.0.0.2"]]})
    web.answers["/a"] = Answer(status=302, headers={"Location": "/b", "Connection": "close"})
    web.answers["/b"] = Answer(b"secret")
    found = fetched(fetcher(web, names), web.url("/a", host="rebind.example"))
    assert found.outcome == PageOutcome.REFUSED
    assert found.body == b""
    assert [path for _, path in web.asked] == ["/a"]


def test_a_name_is_looked_up_once_and_the_connection_goes_to_that_address(web: Web) -> None:
    names = Names({"rebind.example": [["127.0.0.1"], ["10.0.0.8"]]})
    web.answers["/a"] = Answer(b"checked")
    found = fetched(fetcher(web, names), web.url("/a", host="rebind.example"))
    assert found.body == b"checked"
    assert names.asked == ["rebind.example"]


def test_the_next_address_is_tried_where_nobody_listens_at_the_first(web: Web) -> None:
    names = Names({"pages.example": [["127.0.0.9", "127.0.0.1"]]})
    web.answers["/a"] = Answer(b"here")
    allowed = [*web.allowed, ("127.0.0.9", web.port)]
    found = fetched(Fetcher(GuardedNetwork(resolver=names, allowed=allowed)), web.url("/a"))
    assert found.body == b"here"


def test_only_the_server_of_the_test_is_let_through(web: Web) -> None:
    other = f"http://pages.example:{free_port()}/"
    assert fetched(fetcher(web), other).outcome == PageOutcome.REFUSED


# --- Limits ---------------------------------------------------------------------------------------


def test_redirects_in_a_circle_come_to_an_end(web: Web) -> None:
    web.answers["/a"] = Answer(status=302, headers={"Location": "/a"})
    found = fetched(fetcher(web, redirects=3), web.url("/a"))
    assert found.outcome == PageOutcome.TOO_MANY_REDIRECTS
    assert len(web.asked) == 4


def test_a_page_that_says_it_is_too_large_is_not_fetched(web: Web) -> None:
    web.answers["/a"] = Answer(headers={"Content-Length": "5000"}, body=b"x" * 5000)
    assert fetched(fetcher(web, size=4999), web.url("/a")).outcome == PageOutcome.TOO_LARGE
    assert fetched(fetcher(web, size=5000), web.url("/a")).outcome == PageOutcome.FOUND


def test_a_page_that_does_not_end_is_left_at_the_limit(web: Web) -> None:
    def for_ever(handler: BaseHTTPRequestHandler) -> None:
        try:
            while not web.leaving.is_set():
                handler.wfile.write(b"x" * 10_000)
        except OSError:
            return

    web.answers["/a"] = Answer(say=for_ever)
    assert fetched(fetcher(web, size=100_000), web.url("/a")).outcome == PageOutcome.TOO_LARGE


@pytest.mark.parametrize("packing", ["gzip", "x-gzip", "GZIP", "deflate"])
def test_a_packed_page_is_unpacked(web: Web, packing: str) -> None:
    packed = zlib.compress(b"hello") if packing == "deflate" else gzip.compress(b"hello")
    web.answers["/a"] = Answer(packed, headers={"Content-Encoding": packing})
    assert fetched(fetcher(web), web.url("/a")).body == b"hello"


def test_a_bomb_is_left_at_the_limit(web: Web) -> None:
    bomb = gzip.compress(b"\0" * 50_000_000)
    assert len(bomb) < 100_000
    web.answers["/a"] = Answer(bomb, headers={"Content-Encoding": "gzip"})
    tracemalloc.start()
    found = fetched(fetcher(web, size=200_000), web.url("/a"))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.outcome == PageOutcome.TOO_LARGE
    assert most < 10_000_000


@pytest.mark.parametrize(
    ("packing", "body"), [("gzip", b"not packed"), ("br", b"?"), ("gzip, gzip", b"")]
)
def test_a_page_that_is_packed_wrongly_fails(web: Web, packing: str, body: bytes) -> None:
    web.answers["/a"] = Answer(body, headers={"Content-Encoding": packing})
    found = fetched(fetcher(web), web.url("/a"))
    assert found.outcome == PageOutcome.FAILED
    assert "packed" in found.reason


def test_a_server_that_drips_runs_out_of_time_however_often_it_says_something(web: Web) -> None:
    def drip(handler: BaseHTTPRequestHandler) -> None:
        try:
            while not web.leaving.wait(0.02):
                handler.wfile.write(b"x")
        except OSError:
            return

    web.answers["/a"] = Answer(say=drip)
    found = fetched(fetcher(web, seconds=0.3), web.url("/a"))
    assert (found.outcome, found.reason) == (
        PageOutcome.TIMEOUT,
        "no whole page within 0.3 seconds",
    )


def test_a_server_that_says_nothing_runs_out_of_time(web: Web) -> None:
    silent = socket.create_server(("127.0.0.1", free_port()))
    port = silent.getsockname()[1]
    with silent:
        asked = Fetcher(GuardedNetwork(allowed=[("127.0.0.1", port)]), limits=Limits(seconds=0.2))
        assert fetched(asked, f"http://127.0.0.1:{port}/").outcome == PageOutcome.TIMEOUT


def test_a_resolver_that_hangs_runs_out_of_time() -> None:
    async def hangs(host: str, port: int) -> list[str]:
        await asyncio.sleep(60)
        return [PUBLIC]

    asked = Fetcher(GuardedNetwork(resolver=hangs), limits=Limits(seconds=0.1))
    assert fetched(asked, "http://a.example/").outcome == PageOutcome.TIMEOUT


# --- Failures -------------------------------------------------------------------------------------


def test_a_name_that_nobody_has_is_not_found_where_other_names_are() -> None:
    names = Names({"probe.example": [[PUBLIC]]})
    asked = Fetcher(GuardedNetwork(resolver=names, probe_names=["probe.example"]))
    found = fetched(asked, "http://nobody.example/")
    assert (found.outcome, found.reason) == (
        PageOutcome.NOT_FOUND,
        "nobody has the name nobody.example",
    )


def test_where_no_name_is_found_nothing_is_said_about_any() -> None:
    asked = Fetcher(GuardedNetwork(resolver=Names({}), probe_names=["probe.example"]))
    found = fetched(asked, "http://nobody.example/")
    assert (found.outcome, found.reason) == (
        PageOutcome.NOT_RETRIEVED,
        "no name of the internet can be looked up from here",
    )


@pytest.mark.parametrize("host", ["a" * 70 + ".example", "a..b", ".example"])
def test_what_cannot_be_a_name_is_not_found(host: str) -> None:
    assert fetched(Fetcher(GuardedNetwork()), f"http://{host}/").outcome == PageOutcome.NOT_FOUND


class Recorder(httpcore2.AsyncNetworkBackend):
    """A network that leads nowhere and tells where it was to lead."""

    def __init__(self) -> None:
        self.addresses: list[str] = []

    async def connect_tcp(self, host: str, *args: Any, **kwargs: Any) -> Any:
        self.addresses.append(host)
        raise httpcore2.ConnectError


@given(st.text("abc.:/@[]%\\#?0127-_é。①\0\n\t ", max_size=14))
def test_no_link_whatever_is_an_exception_or_leads_inside(rest: str) -> None:
    async def resolver(host: str, port: int) -> list[str]:
        return ["127.0.0.1", "::1", "10.0.0.1"]

    asked = Fetcher(GuardedNetwork(resolver=resolver))
    network = asked.network.network = Recorder()
    assert fetched(asked, f"http://{rest}").outcome != PageOutcome.FOUND
    # An address in figures may be public, and would be gone to.
    assert all(map(is_public, network.addresses))


def test_a_resolver_that_is_away_says_nothing_about_the_name() -> None:
    async def away(host: str, port: int) -> list[str]:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    found = fetched(Fetcher(GuardedNetwork(resolver=away)), "http://a.example/")
    assert found.outcome == PageOutcome.NOT_RETRIEVED


def test_where_nobody_listens_there_is_no_connection() -> None:
    port = free_port()
    asked = Fetcher(GuardedNetwork(allowed=[("127.0.0.1", port)]))
    found = fetched(asked, f"http://127.0.0.1:{port}/")
    assert found.outcome == PageOutcome.FAILED
    assert found.reason.startswith("no connection")


def test_a_server_that_does_not_speak_http_fails() -> None:
    with socket.create_server(("127.0.0.1", free_port())) as server:
        port = server.getsockname()[1]

        def babble() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b"220 mail.example ESMTP\r\n\r\n")

        thread = threading.Thread(target=babble)
        thread.start()
        asked = Fetcher(GuardedNetwork(allowed=[("127.0.0.1", port)]))
        found = fetched(asked, f"http://127.0.0.1:{port}/")
        thread.join()
    assert found.outcome == PageOutcome.FAILED
    assert found.reason.startswith("the server broke off")


# --- TLS is held to the name, though the connection goes to an address ----------------------------


def test_a_certificate_must_be_for_the_name(secure_port: int, certificate: Path) -> None:
    names = Names({name: [["127.0.0.1"]] for name in ("pages.example", "other.example")})
    asked = Fetcher(
        GuardedNetwork(resolver=names, allowed=[("127.0.0.1", secure_port)]),
        ssl_context=ssl.create_default_context(cafile=str(certificate)),
    )
    right = fetched(asked, f"https://pages.example:{secure_port}/")
    wrong = fetched(asked, f"https://other.example:{secure_port}/")
    assert right.body == b"<p>secure</p>"
    assert wrong.outcome == PageOutcome.FAILED
    assert "certificate" in wrong.reason


def test_a_certificate_that_nobody_vouches_for_is_not_believed(secure_port: int) -> None:
    names = Names({"pages.example": [["127.0.0.1"]]})
    asked = Fetcher(GuardedNetwork(resolver=names, allowed=[("127.0.0.1", secure_port)]))
    found = fetched(asked, f"https://pages.example:{secure_port}/")
    assert found.outcome == PageOutcome.FAILED
    assert found.body == b""
