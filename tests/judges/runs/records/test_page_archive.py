"""Pages are kept: retrieved once, the same for every judge, and to be looked up later."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any
from unittest.mock import AsyncMock

import pytest
from django.utils import timezone

from judges.methods.fingract import FinGrAct
from judges.methods.fingract.parameters import FinGrActParameters
from judges.models import RetrievedPage
from judges.runs.records.page_archive import PageArchive, no_pages_warning, retriever
from retrieval.browser import ChromiumRenderer
from retrieval.connections import GuardedNetwork
from retrieval.download import Fetcher
from retrieval.page import NAMES_CHECKED, Page, PageOutcome
from retrieval.proxy import Proxy
from retrieval.retriever import Retriever
from tests.retrieval.web import ARTICLE, PUBLIC, Answer, Names, Web, fetcher

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
        (PageOutcome.NOT_RETRIEVED, False),
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
    kept.keep(replace(retrieved(outcome), via=f"http, {NAMES_CHECKED}"))
    assert kept.kept(URL) is not None
    kept.keep(replace(retrieved(outcome, days=0.05), via=f"http, {NAMES_CHECKED}"))
    assert (kept.kept(URL) is not None) is is_kept


@pytest.mark.parametrize(
    ("outcome", "minutes"),
    [
        (PageOutcome.NOT_RETRIEVED, 5),
        (PageOutcome.FAILED, 60),
        (PageOutcome.DISALLOWED, 24 * 60),
    ],
)
def test_a_network_that_was_away_is_tried_again_soon(
    web: Web, outcome: PageOutcome, minutes: int
) -> None:
    kept = pages(web)
    kept.keep(retrieved(outcome, days=(minutes - 1) / 1440))
    assert kept.kept(URL) is not None
    kept.keep(retrieved(outcome, days=(minutes + 1) / 1440))
    assert kept.kept(URL) is None


def test_a_name_that_was_not_found_before_names_were_checked_is_looked_up_again(web: Web) -> None:
    kept = pages(web)
    by_name = replace(retrieved(PageOutcome.NOT_FOUND), via="http")
    kept.keep(by_name)
    assert kept.kept(URL) is None
    kept.keep(replace(by_name, via=f"http, {NAMES_CHECKED}"))
    assert kept.kept(URL) is not None
    assert kept.kept(URL, max_age_days=0) is None
    kept.keep(replace(by_name, status=404))
    assert kept.kept(URL) is not None


def test_a_page_of_a_type_that_was_not_read_before_is_retrieved_again(web: Web) -> None:
    kept = pages(web)
    without = retrieved(PageOutcome.NO_CONTENT)
    kept.keep(replace(without, content_type="application/pdf"))
    assert kept.kept(URL) is None
    kept.keep(replace(without, content_type="image/png"))
    assert kept.kept(URL) is not None
    kept.keep(replace(without, content_type="application/pdf", sha256="a" * 64))
    assert kept.kept(URL) is not None


def test_a_name_of_a_network_without_names_is_no_fact(web: Web) -> None:
    # Without a network every name "does not exist", as far as the resolver can say.
    fetching = Fetcher(GuardedNetwork(resolver=Names({}), probe_names=["probe.example"]))
    page = asyncio.run(Retriever(fetching).retrieve(URL))
    assert (page.outcome, page.exists) == (PageOutcome.NOT_RETRIEVED, None)
    names = Names({"probe.example": [[PUBLIC]]})
    checked = asyncio.run(
        Retriever(Fetcher(GuardedNetwork(resolver=names, probe_names=["probe.example"]))).retrieve(
            URL
        )
    )
    assert (checked.outcome, checked.exists) == (PageOutcome.NOT_FOUND, False)
    kept = pages(web)
    kept.keep(checked)
    assert kept.kept(URL) == checked


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
    assert network.proxy is None
    assert retriever().fetcher.robots is not None
    assert retriever().renderer is None


@pytest.fixture
def renewed() -> Iterator[None]:
    """The retriever is made anew, by the settings of the test."""
    retriever.cache_clear()
    yield
    retriever.cache_clear()


@pytest.mark.usefixtures("renewed")
def test_a_proxy_is_as_the_settings_have_it(settings: Any) -> None:
    settings.PAGES_PROXY = "http://proxy.example:8080"
    settings.PAGES_PROXY_RESOLVES = True
    settings.PAGES_PROBE_NAMES = ["probe.example"]
    network = retriever().fetcher.network
    assert network.proxy == Proxy("proxy.example", 8080, resolves=True)
    assert network.lookup.probe_names == ("probe.example",)


@pytest.mark.usefixtures("renewed")
def test_that_nothing_outside_can_be_reached_is_said_of_judges_that_retrieve_pages(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    retrieving = FinGrAct(FinGrActParameters(summary="beginning"), model="tiny")
    others = FinGrAct(FinGrActParameters(pages="none"), model="tiny")
    assert no_pages_warning(retrieving) == ""  # nothing is tried without names
    settings.PAGES_PROBE_NAMES = ["probe.example"]
    retriever.cache_clear()
    network = retriever().fetcher.network
    network.lookup.resolver = Names({})
    assert "(tried: probe.example)" in no_pages_warning(retrieving)
    assert no_pages_warning(others) == ""
    monkeypatch.setattr(type(network), "reaches_outside", AsyncMock(return_value=True))
    assert no_pages_warning(retrieving) == ""


@pytest.mark.usefixtures("renewed")
def test_a_browser_is_used_where_it_is_set_and_goes_through_the_same_door(settings: Any) -> None:
    settings.PAGES_RENDERED = True
    found = retriever()
    assert isinstance(found.renderer, ChromiumRenderer)
    assert found.renderer.fetcher is found.fetcher
    assert found.renderer.sandbox
