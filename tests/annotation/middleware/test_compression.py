import gzip
from collections.abc import Iterator

import pytest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import RequestFactory

from annotation.middleware.compression import CompressedPages
from tests.annotation.worker_client import Person
from tests.cast import make_study

BROWSER = {"Accept-Encoding": "gzip, deflate, br"}


def answered(response: HttpResponse | StreamingHttpResponse, **headers: str) -> HttpResponse:
    def view(request: HttpRequest) -> HttpResponse:
        return response  # type: ignore[return-value]

    request = RequestFactory().get("/", headers={**BROWSER, **headers})
    return CompressedPages(view)(request)  # type: ignore[return-value]


@pytest.mark.django_db
def test_a_question_comes_compressed_and_is_the_same_page() -> None:
    person = Person(make_study())
    plain = person.get().encode()
    response = person.client.get(person.address(), headers=BROWSER)
    assert response.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in response.headers["Vary"]
    unpacked = gzip.decompress(response.content)
    assert (unpacked[:15], unpacked.count(b"<label")) == (plain[:15], plain.count(b"<label"))
    assert len(response.content) < len(plain) / 2


@pytest.mark.parametrize("asks", ["cross-site", "same-site"])
def test_what_another_site_makes_a_browser_ask_for_tells_nothing_by_its_length(asks: str) -> None:
    page = HttpResponse("word " * 500)
    assert "Content-Encoding" not in answered(page, **{"Sec-Fetch-Site": asks}).headers


@pytest.mark.parametrize("headers", [{}, {"Sec-Fetch-Site": "none"}])
def test_our_own_pages_and_old_browsers_get_random_lengths(headers: dict[str, str]) -> None:
    sizes = {len(answered(HttpResponse("word " * 500), **headers).content) for _ in range(20)}
    assert len(sizes) > 1
    assert max(sizes) < 2500


def test_a_stream_is_handed_on_piece_by_piece_as_it_comes() -> None:
    made = []

    def pieces() -> Iterator[str]:
        for number in range(3):
            made.append(number)
            yield f"line {number} " * 500

    response = answered(StreamingHttpResponse(pieces()))
    assert made == []
    assert next(iter(response)).startswith(b"line 0")
    assert made == [0]
    assert "Content-Encoding" not in response.headers
