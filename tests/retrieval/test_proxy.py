"""The way to the web through a proxy: held to the same rules as the way without one."""

import asyncio
import base64
import re
import select
import socket
import socketserver
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Never

import httpcore2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.addresses import is_public
from retrieval.connections import GuardedNetwork
from retrieval.download import Fetcher
from retrieval.names import NoNetwork
from retrieval.page import PageOutcome
from retrieval.proxy import Proxy
from retrieval.responses import Fetched
from tests.retrieval.web import PUBLIC, Answer, Names, Web
from tests.services.ports import free_port

KNOWN = {
    "pages.example": [[PUBLIC]],
    "inner.example": [["10.0.0.8"]],
    "mixed.example": [[PUBLIC, "10.0.0.8"]],
}


@dataclass
class SmallProxy:
    """A proxy that opens tunnels to the ports of this machine that it has for its targets."""

    port: int
    ports: Mapping[str, int]
    status: str = "200 Connection established"
    asked: list[str] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)


@contextmanager
def small_proxy(ports: Mapping[str, int]) -> Iterator[SmallProxy]:
    proxy = SmallProxy(free_port(), ports)

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            head = b""
            while b"\r\n\r\n" not in head:
                head += self.request.recv(1000)
            proxy.heads.append(head.decode())
            method, target, _ = head.decode().split(" ", 2)
            proxy.asked.append(f"{method} {target}")
            refusal = "" if proxy.status.startswith("200") else proxy.status
            if target not in proxy.ports:
                refusal = refusal or "503 Service Unavailable"
            self.request.sendall(f"HTTP/1.1 {refusal or proxy.status}\r\n\r\n".encode())
            if not refusal:
                with socket.create_connection(("127.0.0.1", proxy.ports[target])) as inner:
                    pass_on(self.request, inner)

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address, daemon_threads = True, True

    with Server(("127.0.0.1", proxy.port), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield proxy
        finally:
            server.shutdown()
            thread.join()


def pass_on(left: socket.socket, right: socket.socket) -> None:
    while True:
        for side in select.select([left, right], [], [])[0]:
            data = side.recv(65_536)
            if not data:
                return
            (right if side is left else left).sendall(data)


def fetched(proxy: Proxy, url: str, names: Names | None = None) -> Fetched:
    return asyncio.run(
        Fetcher(GuardedNetwork(resolver=names or Names(KNOWN), proxy=proxy)).fetch(url)
    )


# --- By addresses that were checked here ----------------------------------------------------------


def test_a_tunnel_leads_to_the_checked_address(web: Web) -> None:
    web.answers["/old"] = Answer(status=302, headers={"Location": "/ferry"})
    web.answers["/ferry"] = Answer(b"here")
    with small_proxy({f"{PUBLIC}:80": web.port}) as proxy:
        page = fetched(Proxy("127.0.0.1", proxy.port), "http://pages.example/old")
    assert (page.outcome, page.body) == (PageOutcome.FOUND, b"here")
    assert proxy.asked == [f"CONNECT {PUBLIC}:80"] * 2
    assert web.asked == [("pages.example", "/old"), ("pages.example", "/ferry")]


def test_tls_is_held_to_the_name_inside_the_tunnel(secure_port: int, certificate: Path) -> None:
    names = Names({key: [[PUBLIC]] for key in ("pages.example", "other.example")})
    with small_proxy({f"{PUBLIC}:443": secure_port}) as proxy:
        asked = Fetcher(
            GuardedNetwork(resolver=names, proxy=Proxy("127.0.0.1", proxy.port)),
            ssl_context=ssl.create_default_context(cafile=str(certificate)),
        )
        right = asyncio.run(asked.fetch("https://pages.example/"))
        wrong = asyncio.run(asked.fetch("https://other.example/"))
    assert right.body == b"<p>secure</p>"
    assert (wrong.outcome, wrong.body) == (PageOutcome.FAILED, b"")


@pytest.mark.parametrize("resolves", [False, True])
@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://169.254.169.254/latest/meta-data",
        "http://[::ffff:10.0.0.1]/",
        "http://inner.example/",
        "https://mixed.example/",
        "http://pages.example:8080/",
        "http://user:secret@pages.example/",
        "file:///etc/passwd",
    ],
)
def test_what_is_private_is_refused_with_a_proxy_as_without(url: str, *, resolves: bool) -> None:
    with small_proxy({}) as proxy:
        page = fetched(Proxy("127.0.0.1", proxy.port, resolves=resolves), url)
    assert page.outcome == PageOutcome.REFUSED
    assert proxy.asked == []


@pytest.mark.parametrize("target", ["http://10.0.0.8/", "http://inner.example/", "http://[::1]/"])
def test_a_redirect_to_a_private_address_is_refused(web: Web, target: str) -> None:
    web.answers["/a"] = Answer(status=302, headers={"Location": target})
    with small_proxy({f"{PUBLIC}:80": web.port}) as proxy:
        page = fetched(Proxy("127.0.0.1", proxy.port), "http://pages.example/a")
    assert page.outcome == PageOutcome.REFUSED
    assert proxy.asked == [f"CONNECT {PUBLIC}:80"]


def test_a_name_that_cannot_be_looked_up_here_does_not_reach_the_proxy() -> None:
    with small_proxy({}) as proxy:
        page = fetched(Proxy("127.0.0.1", proxy.port), "http://elsewhere.example/")
    assert page.outcome == PageOutcome.NOT_RETRIEVED
    assert proxy.asked == []


# --- By names, where the operator says that the proxy filters -------------------------------------


def test_a_proxy_that_resolves_gets_names(web: Web) -> None:
    web.answers["/a"] = Answer(b"here")
    ports = {"elsewhere.example:80": web.port, "pages.example:80": web.port}
    with small_proxy(ports) as proxy:
        by_name = Proxy("127.0.0.1", proxy.port, resolves=True)
        hosts = ("elsewhere.example", "pages.example")
        bodies = [fetched(by_name, f"http://{host}/a").body for host in hosts]
    assert bodies == [b"here"] * 2
    assert proxy.asked == ["CONNECT elsewhere.example:80", "CONNECT pages.example:80"]


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "metadata",
        "metadata.google.internal",
        "printer.local",
        "wiki.corp.",
        "2130706433",
        "127.1",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "127.0.0.1.",
    ],
)
def test_a_name_of_the_local_network_never_reaches_the_proxy(host: str) -> None:
    with small_proxy({}) as proxy:
        by_name = Proxy("127.0.0.1", proxy.port, resolves=True)
        page = fetched(by_name, f"http://{host}/")
    assert page.outcome == PageOutcome.REFUSED
    assert proxy.asked == []


# Its last part holds a letter, so nothing reads it as an address in figures.
_NAME = re.compile(r"([a-z0-9_-]+\.)+[a-z0-9_-]*[a-z_-][a-z0-9_-]*\.?", re.IGNORECASE)


class Recorder(Proxy):
    """A proxy that tells what it would be sent, and refuses."""

    sent: ClassVar[list[str]] = []

    async def tunnel(self, network: httpcore2.AsyncNetworkBackend, host: str, port: int) -> Never:
        self.sent.append(host)
        raise NoNetwork("recorded")


@given(st.text("abc.:/@[]%\\#?0127xlocalhost-_é。①\0\n\r\t ", max_size=20))
def test_no_link_whatever_sends_the_proxy_what_is_private(rest: str) -> None:
    proxy = Recorder("proxy.example", 3128, resolves=True)
    assert fetched(proxy, f"http://{rest}", Names({})).outcome != PageOutcome.FOUND
    for host in proxy.sent:
        assert is_public(host) or _NAME.fullmatch(host), host
        assert not host.rstrip(".").endswith((".local", ".localhost"))
    proxy.sent.clear()


def test_a_name_that_is_missing_among_others_is_missing_with_a_proxy() -> None:
    names = Names(KNOWN)
    with small_proxy({}) as proxy:
        by_name = Proxy("127.0.0.1", proxy.port, resolves=True)
        asked = Fetcher(
            GuardedNetwork(resolver=names, probe_names=["pages.example"], proxy=by_name)
        )
        page = asyncio.run(asked.fetch("http://nobody.example/"))
    assert page.outcome == PageOutcome.NOT_FOUND


# --- What a proxy says is not the page's ----------------------------------------------------------


@pytest.mark.parametrize(
    "status", ["403 Forbidden", "404 Not Found", "407 Who?", "502 Bad", "nonsense"]
)
def test_a_refusal_of_the_proxy_is_no_fact_about_the_page(status: str) -> None:
    with small_proxy({f"{PUBLIC}:80": 1}) as proxy:
        proxy.status = status
        page = fetched(Proxy("127.0.0.1", proxy.port), "http://pages.example/")
    assert page.outcome == PageOutcome.NOT_RETRIEVED
    assert page.reason.startswith("the proxy ")
    assert page.status is None


def test_a_proxy_that_is_not_there_is_no_fact_about_the_page() -> None:
    page = fetched(Proxy("127.0.0.1", free_port()), "http://pages.example/")
    assert (page.outcome, page.reason) == (PageOutcome.NOT_RETRIEVED, "the proxy cannot be reached")


def test_credentials_are_sent_to_the_proxy_alone(web: Web) -> None:
    web.answers["/a"] = Answer(b"here")
    with small_proxy({f"{PUBLIC}:80": web.port}) as small:
        proxy = Proxy.from_url(f"http://me:s%40cret@127.0.0.1:{small.port}")
        assert fetched(proxy, "http://pages.example/a").body == b"here"
    token = base64.b64encode(b"me:s@cret").decode()
    assert f"Proxy-Authorization: Basic {token}" in small.heads[0]
    assert "cret" not in repr(proxy)


@pytest.mark.parametrize("url", ["socks5://a:1", "https://a:1", "a:1", "http://", "http://a:1/b"])
def test_a_proxy_is_an_http_proxy(url: str) -> None:
    with pytest.raises(ValueError, match="must be http"):
        Proxy.from_url(url)


# --- Whether anything can be reached --------------------------------------------------------------


def test_whether_anything_outside_can_be_reached_is_tried_by_the_same_way(web: Web) -> None:
    with small_proxy({f"{PUBLIC}:443": web.port}) as small:
        proxy = Proxy("127.0.0.1", small.port)
        for probes, reached in ((["pages.example"], True), (["nobody.example"], False), ([], True)):
            asked = Fetcher(GuardedNetwork(resolver=Names(KNOWN), probe_names=probes, proxy=proxy))
            assert asyncio.run(asked.network.reaches_outside()) is reached
