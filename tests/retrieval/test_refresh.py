"""Pages that send their reader on by `<meta http-equiv="refresh">`."""

import asyncio
import time

import pytest

from retrieval.page import PageOutcome
from retrieval.refresh import refresh_target
from retrieval.responses import Fetched
from tests.retrieval.web import Answer, Names, Web, fetcher


def refresh(target: str) -> Answer:
    return Answer(f'<html><meta http-equiv="refresh" content="0; url={target}"></html>'.encode())


@pytest.mark.parametrize(
    ("page", "target"),
    [
        ('<meta http-equiv="refresh" content="0; url=/new">', "/new"),
        ("<META HTTP-EQUIV=Refresh CONTENT='5;URL=/new?a=1&amp;b=2'>", "/new?a=1&b=2"),
        ("""<meta content="0;url='/new'" http-equiv='refresh'/>""", "/new"),
        ('<meta http-equiv="refresh" content="0.5, /new">', "/new"),
        ('<meta http-equiv="refresh" content="300; url=/new">', ""),
        ('<meta http-equiv="refresh" content="0">', ""),
        ('<meta http-equiv="refresh" content="">', ""),
        ('<meta name="refresh" content="0; url=/new">', ""),
        ('<!-- <meta http-equiv="refresh" content="0; url=/new"> -->', ""),
        ('<noscript><meta http-equiv="refresh" content="0; url=/new"></noscript>', ""),
        ("<script>\"<meta http-equiv=refresh content='0;url=/new'>\"</script>", ""),
        ('<!-- not closed <meta http-equiv="refresh" content="0; url=/new">', ""),
        ("x" * 30_000 + '<meta http-equiv="refresh" content="0; url=/new">', ""),
        ("", ""),
    ],
)
def test_a_page_says_where_it_sends_its_reader(page: str, target: str) -> None:
    assert refresh_target(page.encode()) == target


@pytest.mark.parametrize("piece", ["<meta ", "<!--", "<noscript>", "<meta a", "<meta a =", "a" * 99,
                                   "<meta " + " " * 99, "<meta content='0" + " " * 99])  # fmt: skip
def test_no_page_makes_the_search_slow(piece: str) -> None:
    started = time.process_time()
    refresh_target(b"<meta " + piece.encode() * 20_000)
    assert time.process_time() - started < 2


def fetched(web: Web, path: str, names: Names | None = None, **limits: float) -> Fetched:
    return asyncio.run(fetcher(web, names, **limits).fetch(web.url(path)))


def test_it_is_followed_like_a_redirect(web: Web) -> None:
    web.answers |= {"/old": refresh("/new"), "/new": Answer(b"<p>here</p>")}
    page = fetched(web, "/old")
    assert (page.body, page.final_url) == (b"<p>here</p>", web.url("/new"))


@pytest.mark.parametrize(
    "target",
    ["http://10.0.0.8/", "http://inner.example/", "http://[::1]/", "file:///etc/passwd",
     "http://169.254.169.254/latest", "javascript:alert(1)", "//10.0.0.8/"],
)  # fmt: skip
def test_it_leads_to_no_private_address(web: Web, target: str) -> None:
    names = Names({"pages.example": [["127.0.0.1"]], "inner.example": [["10.0.0.8"]]})
    web.answers["/a"] = refresh(target)
    page = fetched(web, "/a", names)
    assert (page.outcome, page.body) == (PageOutcome.REFUSED, b"")
    assert [path for _, path in web.asked] == ["/a"]


def test_both_kinds_of_redirects_have_one_limit(web: Web) -> None:
    web.answers |= {"/a": refresh("/b"), "/b": Answer(status=302, headers={"Location": "/a"})}
    assert fetched(web, "/a", redirects=3).outcome == PageOutcome.TOO_MANY_REDIRECTS
    assert len(web.asked) == 4


def test_a_page_that_only_loads_itself_anew_is_read(web: Web) -> None:
    web.answers["/a"] = refresh("/a#again")
    assert fetched(web, "/a").outcome == PageOutcome.FOUND
    assert len(web.asked) == 1


def test_only_a_page_of_html_sends_its_reader_on(web: Web) -> None:
    web.answers["/a"] = Answer(refresh("/b").body, content_type="text/plain")
    assert fetched(web, "/a").final_url == web.url("/a")
