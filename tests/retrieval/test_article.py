"""What is read out of a page, and how much of it a judge is given."""

import asyncio
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler

import numpy as np
import pytest

from retrieval.article import extracted
from retrieval.page import Page, PageOutcome
from retrieval.responses import Fetched
from retrieval.retriever import AT_ONCE, Retriever
from retrieval.summary import Vectors, summary
from tests.retrieval.web import ARTICLE, Answer, Web, fetcher

HTML = "text/html; charset=utf-8"
SCRIPTED = (
    b"<html><body><div id='app'></div><noscript>Please enable JavaScript.</noscript></body></html>"
)


# --- The article ----------------------------------------------------------------------------------


def test_the_article_is_read_without_what_is_around_it() -> None:
    title, text = extracted(ARTICLE.encode(), content_type=HTML)
    assert title == "The ferry"
    assert "still sails every day at nine" in text
    assert "Home" not in text
    assert "Cookies" not in text


@pytest.mark.parametrize(
    ("charset", "content_type"),
    [
        ("utf-8", HTML),
        ("latin-1", "text/html; charset=ISO-8859-1"),
        ("utf-16", 'text/html; charset="utf-16"'),
        ("utf-8", "text/html"),
        ("utf-8", "text/html; charset=no-such-thing"),
        ("utf-8", ""),
    ],
)
def test_letters_are_read_as_the_server_says(charset: str, content_type: str) -> None:
    body = "<html><body><p>Die große Fähre fährt täglich um neun Uhr.</p></body></html>"
    _, text = extracted(body.encode(charset), content_type=content_type)
    assert text == "Die große Fähre fährt täglich um neun Uhr."


def test_a_page_may_leave_out_its_first_tag() -> None:
    body = b"<p>The ferry sails daily at nine, and has done so for years.</p>"
    assert "sails daily" in extracted(body, content_type=HTML)[1]


def test_plain_text_is_read_whole() -> None:
    body = "One.\n\nTwo – three.\0".encode()
    assert extracted(body, content_type="text/plain; charset=utf-8") == ("", "One.\n\nTwo – three.")


@pytest.mark.parametrize(
    "body", [b"", b"   ", b"<html></html>", b"<img src=a.png>", SCRIPTED, b"\xff\xfe\x00"]
)
def test_a_page_without_an_article_has_no_text(body: bytes) -> None:
    assert extracted(body, content_type=HTML)[1] == ""


# --- The page -------------------------------------------------------------------------------------


def test_a_page_tells_all_that_is_known_of_it(web: Web) -> None:
    web.answers["/old"] = Answer(status=301, headers={"Location": "/ferry"})
    web.answers["/ferry"] = Answer(ARTICLE.encode())
    page = asyncio.run(Retriever(fetcher(web)).retrieve(web.url("/old")))
    assert (page.outcome, page.status, page.title) == (PageOutcome.FOUND, 200, "The ferry")
    assert (page.url, page.final_url) == (web.url("/old"), web.url("/ferry"))
    assert len(page.sha256) == 64
    assert page.via.startswith("http, trafilatura ")
    assert page.exists is True


def test_a_page_without_text_is_there_and_says_so(web: Web) -> None:
    web.answers["/a"] = Answer(SCRIPTED)
    page = asyncio.run(Retriever(fetcher(web)).retrieve(web.url("/a")))
    assert (page.outcome, page.reason) == (PageOutcome.NO_CONTENT, "the page has no text to read")
    assert page.exists is True


def test_a_page_that_is_not_there_says_so(web: Web) -> None:
    page = asyncio.run(Retriever(fetcher(web)).retrieve(web.url("/none")))
    assert (page.outcome, page.exists, page.text) == (PageOutcome.NOT_FOUND, False, "")


def test_whether_a_page_is_there_is_open_where_nobody_answered_in_time(web: Web) -> None:
    web.answers["/a"] = Answer(status=503)
    page = asyncio.run(Retriever(fetcher(web)).retrieve(web.url("/a")))
    assert (page.outcome, page.exists) == (PageOutcome.FAILED, None)


def test_only_a_few_pages_are_fetched_at_the_same_time(web: Web) -> None:
    inside, most = [0], [0]

    def count(handler: BaseHTTPRequestHandler) -> None:
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        web.leaving.wait(0.05)
        inside[0] -= 1

    for number in range(20):
        web.answers[f"/{number}"] = Answer(b"<p>Hello</p>", say=count)
    retriever = Retriever(fetcher(web))

    async def all_of_them() -> list[Page]:
        return await asyncio.gather(*(retriever.retrieve(web.url(f"/{n}")) for n in range(20)))

    assert {page.outcome for page in asyncio.run(all_of_them())} == {PageOutcome.FOUND}
    assert 1 < most[0] <= AT_ONCE


class Painter:
    """A browser that makes of every address the same page."""

    name = "painter 1"

    def __init__(self, body: bytes) -> None:
        self.body, self.asked = body, list[str]()

    async def rendered(self, url: str) -> Fetched:
        self.asked.append(url)
        return Fetched(PageOutcome.FOUND, final_url=url, content_type=HTML, body=self.body)


def test_only_a_page_without_text_is_rendered(web: Web) -> None:
    web.answers["/app"] = Answer(SCRIPTED)
    web.answers["/ferry"] = Answer(ARTICLE.encode())
    web.answers["/image"] = Answer(b"x", content_type="image/png")
    painter = Painter(ARTICLE.encode())
    retriever = Retriever(fetcher(web), painter)
    pages = {path: asyncio.run(retriever.retrieve(web.url(path)))
             for path in ("/app", "/ferry", "/image", "/none")}  # fmt: skip
    assert painter.asked == [web.url("/app")]
    assert pages["/app"].outcome == PageOutcome.FOUND
    assert pages["/app"].via.startswith("painter 1, trafilatura")
    assert pages["/image"].outcome == PageOutcome.NO_CONTENT


def test_a_page_that_stays_empty_when_rendered_has_no_content(web: Web) -> None:
    web.answers["/app"] = Answer(SCRIPTED)
    page = asyncio.run(Retriever(fetcher(web), Painter(SCRIPTED)).retrieve(web.url("/app")))
    assert page.outcome == PageOutcome.NO_CONTENT
    assert page.reason == ("the page has no text to read; by scripts: the page has no text to read")


# --- The summary ----------------------------------------------------------------------------------


class Words:
    """Vectors that count four words."""

    def vectors(self, texts: Sequence[str]) -> Vectors:
        rows = np.array(
            [[t.lower().count(w) + 0.01 for w in ("ferry", "car", "tea", "sea")] for t in texts]
        )
        vectors: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return vectors


LONG = (
    "Tea is served. The ferry is a ferry. Cars go by road. The ferry sails the sea. "
    "The sea is wide."
)


def test_a_short_text_is_given_whole() -> None:
    assert summary(LONG, tokens=1000, how="central", embedder=Words()) == LONG


def test_central_sentences_are_those_nearest_to_the_mean_in_their_own_order() -> None:
    found = summary(LONG, tokens=12, how="central", embedder=Words())
    assert found == "The ferry sails the sea. The sea is wide."


def test_relevant_sentences_are_those_nearest_to_the_focus() -> None:
    found = summary(LONG, tokens=6, how="relevant", focus="No cars.", embedder=Words())
    assert found == "Cars go by road."


def test_the_beginning_needs_no_model() -> None:
    found = summary(LONG, tokens=10, how="beginning")
    assert found == "Tea is served. The ferry is a ferry."
    with pytest.raises(ValueError, match="embedding"):
        summary(LONG, tokens=10, how="central")


@pytest.mark.parametrize("how", ["central", "relevant", "beginning"])
def test_a_summary_stays_within_its_budget(how: str) -> None:
    for tokens in range(1, 30):
        found = summary(LONG, tokens=tokens, how=how, focus="sea", embedder=Words())  # type: ignore[arg-type]
        assert 0 < len(found) <= 4 * tokens
