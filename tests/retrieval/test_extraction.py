"""Reading a page within its limits, in a process that can be ended."""

import asyncio
import os
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from retrieval import article, pdf
from retrieval.article import extracted
from retrieval.extraction import TextExtraction
from retrieval.page import Page, PageOutcome
from retrieval.pdf import Unreadable
from retrieval.retriever import Retriever
from tests.retrieval.documents import pdf as make_pdf
from tests.retrieval.web import ARTICLE, Answer, Web, fetcher

HTML = "text/html; charset=utf-8"


@pytest.fixture
def extraction() -> Iterator[TextExtraction]:
    process = TextExtraction()
    yield process
    process.sandbox.close()


def process_of(extraction: TextExtraction) -> int:
    [process] = extraction.sandbox.idle
    return process._process.pid


def retrieve(web: Web, path: str, extraction: TextExtraction, **limits: Any) -> Page:
    return asyncio.run(
        Retriever(fetcher(web, **limits), extraction=extraction).retrieve(web.url(path))
    )


# --- Limits ---------------------------------------------------------------------------------------


def paragraphs(n: int) -> bytes:
    lines = "".join(f"<p>Paragraph {number}, and a few words more.</p>" for number in range(n))
    return f"<html><head><title>Long</title></head><body>{lines}</body></html>".encode()


def test_a_page_of_many_paragraphs_is_cut_before_it_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # 38,000 paragraphs took half a minute.
    trees = list[int]()
    cut = article._cut

    def counting(tree: Any) -> None:
        cut(tree)
        trees.append(sum(1 for _ in tree.iter()))

    monkeypatch.setattr(article, "_cut", counting)
    monkeypatch.setattr(article, "MOST_ELEMENTS", 500)
    _, text = extracted(paragraphs(38_000), content_type=HTML)
    assert trees == [500]
    assert "Paragraph 0," in text
    assert "Paragraph 400," in text
    assert "Paragraph 600," not in text


def test_extraction_that_takes_too_long_is_ended_and_the_next_page_is_read(
    web: Web, extraction: TextExtraction
) -> None:
    with pytest.raises(Unreadable, match="takes too long"):
        extraction.extracted(paragraphs(30_000), content_type=HTML, url="", seconds=0.0)
    web.answers["/ferry"] = Answer(ARTICLE.encode())
    assert "still sails" in retrieve(web, "/ferry", extraction).text


def test_reading_gets_what_fetching_has_left_of_the_time(web: Web) -> None:
    class Recorder(TextExtraction):
        seconds = list[float]()

        def extracted(
            self, body: bytes, *, content_type: str, url: str, seconds: float
        ) -> tuple[str, str]:
            self.seconds.append(seconds)
            raise Unreadable("to extract its text takes too long")

    def wait(handler: BaseHTTPRequestHandler) -> None:
        web.leaving.wait(0.2)

    web.answers["/slow"] = Answer(ARTICLE.encode(), say=wait)
    recorder = Recorder()
    page = retrieve(web, "/slow", recorder, seconds=5.0)
    assert recorder.seconds[0] < 4.85
    assert (page.outcome, page.reason) == (
        PageOutcome.NO_CONTENT,
        "to extract its text takes too long",
    )
    assert page.exists is True


def test_a_process_that_dies_over_a_page_is_replaced(extraction: TextExtraction) -> None:
    page = {"content_type": HTML, "url": "", "seconds": 30.0}
    extraction.extracted(ARTICLE.encode(), **page)  # type: ignore[arg-type]
    os.kill(process_of(extraction), 9)
    with pytest.raises(Unreadable, match="fails"):
        extraction.extracted(ARTICLE.encode(), **page)  # type: ignore[arg-type]
    assert "still sails" in extraction.extracted(ARTICLE.encode(), **page)[1]  # type: ignore[arg-type]


def test_the_process_gets_no_keys(
    extraction: TextExtraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a secret")
    extraction.extracted(b"Hello", content_type="text/plain", url="", seconds=30.0)
    try:
        with open(f"/proc/{process_of(extraction)}/environ", "rb") as file:  # noqa: PTH123
            assert b"a secret" not in file.read()
    except FileNotFoundError:
        pytest.skip("no /proc here")


# --- PDFs -----------------------------------------------------------------------------------------


def test_a_pdf_is_read(web: Web, extraction: TextExtraction) -> None:
    body = make_pdf(["The white ferry sails daily.", "It has not sunk."], title="The ferry")
    web.answers["/log.pdf"] = Answer(body, content_type="application/pdf")
    page = retrieve(web, "/log.pdf", extraction)
    assert (page.outcome, page.title) == (PageOutcome.FOUND, "The ferry")
    assert page.text.splitlines() == ["The white ferry sails daily.", "It has not sunk."]
    assert page.via.startswith("http, pypdf ")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (make_pdf(["Secret."], password="open"), "the PDF is encrypted"),
        (make_pdf(["", ""]), "the PDF holds no text, as one that was scanned"),
        (b"%PDF-1.4 and nothing more", "the PDF is broken"),
        (b"<p>An error</p>", "the PDF is broken"),
        (b"", "the PDF is broken"),
    ],
)
def test_a_pdf_without_text_to_be_had_has_no_content(
    web: Web, extraction: TextExtraction, body: bytes, reason: str
) -> None:
    web.answers["/a"] = Answer(body, content_type="application/pdf")
    page = retrieve(web, "/a", extraction)
    assert (page.outcome, page.reason, page.exists) == (PageOutcome.NO_CONTENT, reason, True)


def test_a_long_pdf_is_read_from_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "MOST_PAGES", 3)
    body = make_pdf([f"Page {number}." for number in range(10)])
    assert extracted(body, content_type="application/pdf")[1].split("\n") == [
        "Page 0.",
        "Page 1.",
        "Page 2.",
    ]
    assert pdf.pdf_text(body, longest=4)[1] == "Page 0.\n"


def test_a_pdf_may_be_larger_than_a_page_but_not_by_any_amount(
    web: Web, extraction: TextExtraction
) -> None:
    body = make_pdf(["The ferry sails."])
    web.answers["/a"] = Answer(body, content_type="application/pdf")
    assert retrieve(web, "/a", extraction, size=100).outcome == PageOutcome.FOUND
    page = retrieve(web, "/a", extraction, pdf_size=100)
    assert (page.outcome, page.reason) == (PageOutcome.TOO_LARGE, "more than 100 bytes")


# --- Other types ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b'{"title": "F\\u00e4hre", "sunk": false}', '{\n "title": "Fähre",\n "sunk": false\n}'),
        (b'["\\ud800"]', '[\n "?"\n]'),
        (b"[" * 100_000, "[" * 100_000),
        (b"{not JSON", "{not JSON"),
    ],
)
def test_json_is_read_as_text(body: bytes, text: str) -> None:
    assert extracted(body, content_type="application/json") == ("", text)


@pytest.mark.parametrize("kind", ["text/csv", "text/markdown; charset=utf-8"])
def test_other_plain_text_is_read_whole(kind: str) -> None:
    assert extracted("a,ß\n".encode(), content_type=kind) == ("", "a,ß")
