"""The overview in a real browser: it follows what happens, and reads well on a phone."""

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.models import Member, Study
from tests.annotation.workers import lease, newcomer
from tests.cast import join, make_study, make_user
from tests.services.browser import axe_violations, follow, scrolls_sideways
from tests.sessions import sign_in

pytestmark = pytest.mark.django_db(transaction=True)

NewPage = Callable[..., Page]


@pytest.fixture
def study() -> Study:
    return make_study(sources=6, overlap=3)


def checked(page: Page) -> None:
    assert axe_violations(page) == []
    assert not scrolls_sideways(page)


def test_an_owner_watches_pauses_and_archives_on_a_phone(new_page: NewPage, study: Study) -> None:
    keeper = make_user("keeper")
    join(study, keeper, Member.Role.OWNER)
    page = new_page(viewport={"width": 360, "height": 740})
    sign_in(page, keeper)
    page.goto(reverse("desk:home"))
    checked(page)
    follow(page.get_by_role("link", name=study.title))
    checked(page)
    expect(page.get_by_text("No worker has a batch at the moment.")).to_be_visible()
    person = lease(newcomer(study)).participation.pseudonym
    page.evaluate("window.htmx.trigger(document.querySelector('[data-live]'), 'look')")
    expect(page.get_by_role("link", name=person)).to_be_visible()
    follow(page.get_by_role("button", name="Pause"))
    expect(page.get_by_text("Workers get no new batches")).to_be_visible()
    checked(page)
    follow(page.get_by_role("button", name="Close the study"))
    follow(page.get_by_role("link", name="Settings"))
    checked(page)
    follow(page.get_by_role("button", name="Archive the study"))
    expect(page.get_by_text("No studies match this filter.")).to_be_visible()
    checked(page)
    page.goto(reverse("desk:recruitment", args=[study.slug]))
    checked(page)
