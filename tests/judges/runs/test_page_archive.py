"""Pages are kept: retrieved once, the same for every judge, and to be looked up later."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from judges.models import RetrievedPage
from judges.retrieval.browser import ChromiumRenderer
from judges.retrieval.page import Page, PageOutcome
from judges.retrieval.retriever import Retriever
from judges.runs.page_archive import PageArchive, retriever
from tests.judges.retrieval.web import ARTICLE, Answer, Web, fetcher

pytestmark = pytest.mark.django_db
URL = "https://ferry.example/today"


def pages(web: Web) -> PageArchive:
    return PageArchive(Retriever(fetcher(web)))


def retrieved(outcome: PageOutcome = PageOutcome.FOUND, *, days: float = 0, text: str = "") -> Page:
    return Page(URL, outcome, text=text, retrieved_at=timezone.now() - timedelta(days=days))


def test_a_page_comes_back_as_it_was_kept(web: Web) -> None:
    web.answers["/ferry"] = Answer(ARTICLE.encode())
    kept = pages(web)
    page = asyncio.run(kept.retrieve(web.url("/ferry")))
    kept.keep(page)
    assert kept.kept(web.url("/ferry")) == page
    assert kept.kept(web.url("/other")) is None


def test_a_fragment_makes_no_other_page(web: Web) -> None:
    kept = pages(web)
    kept.keep(replace(retrieved(), url=f"{URL}#one"))
    assert kept.kept(f"{URL}#two") is not None
    assert kept.kept(f"{URL}?two") is None


def test_the_newest_counts_and_older_ones_stay(web: Web) -> None:
    kept = pages(web)
    kept.keep(retrieved(text="old", days=1))
    kept.keep(retrieved(text="new"))
    found = kept.kept(URL)
    assert found is not None
    assert found.text == "new"
    assert RetrievedPage.objects.count() == 2


def test_a_page_is_kept_for_ever_unless_its_age_matters(web: Web) -> None:
    kept = pages(web)
    kept.keep(retrieved(days=400))
    assert kept.kept(URL) is not None
    assert kept.kept(URL, max_age_days=401) is not None
    assert kept.kept(URL, max_age_days=399) is None


@pytest.mark.parametrize(
    ("outcome", "is_kept"),
    [
        (PageOutcome.NOT_FOUND, True),
        (PageOutcome.NO_CONTENT, True),
        (PageOutcome.REFUSED, True),
        (PageOutcome.TOO_LARGE, True),
        (PageOutcome.TIMEOUT, False),
        (PageOutcome.FAILED, False),
        (PageOutcome.DENIED, False),
    ],
)
def test_what_may_pass_is_tried_again_after_an_hour(
    web: Web, outcome: PageOutcome, *, is_kept: bool
) -> None:
    kept = pages(web)
    kept.keep(retrieved(outcome, days=0.03))
    assert kept.kept(URL) is not None
    kept.keep(retrieved(outcome, days=0.05))
    assert (kept.kept(URL) is not None) is is_kept


def test_an_address_may_be_long_and_in_any_script(web: Web) -> None:
    kept = pages(web)
    url = "https://ferry.example/" + "ß" * 1900
    kept.keep(replace(retrieved(text="a text"), url=url, final_url=url))
    found = kept.kept(url)
    assert found is not None
    assert found.text == "a text"


def test_the_way_to_the_web_is_as_the_settings_have_it() -> None:
    network = retriever().fetcher.network
    assert network.ports == {80, 443}
    assert network.allowed == ()
    assert retriever().renderer is None


def test_a_browser_is_used_where_it_is_set_and_goes_through_the_same_door(settings: Any) -> None:
    settings.PAGES_RENDERED = True
    retriever.cache_clear()
    try:
        found = retriever()
    finally:
        retriever.cache_clear()
    assert isinstance(found.renderer, ChromiumRenderer)
    assert found.renderer.fetcher is found.fetcher
    assert found.renderer.sandbox
