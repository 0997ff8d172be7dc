"""Managing a study in a real browser: on a phone, on a desktop, without scripts."""

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.models import Member, Study, User
from annotation.work.problems import flag_problem
from tests.annotation.workers import lease, newcomer
from tests.cast import join, make_study, make_user
from tests.services.browser import axe_violations, follow, scrolls_sideways
from tests.sessions import sign_in

pytestmark = pytest.mark.django_db(transaction=True)

NewPage = Callable[..., Page]
SIZES = {"phone": {"width": 360, "height": 740}, "desktop": {"width": 1280, "height": 900}}


@pytest.fixture
def study() -> Study:
    made = make_study(sources=4, positive=1, negative=1)
    join(made, make_user("keeper"), Member.Role.OWNER)
    return made


def checked(page: Page) -> None:
    """Where axe can run, that is with scripts."""
    assert axe_violations(page) == []
    assert not scrolls_sideways(page)


@pytest.mark.parametrize("size", SIZES)
def test_an_editor_tries_the_study_and_comes_back(
    new_page: NewPage, study: Study, size: str
) -> None:
    page = new_page(viewport=SIZES[size])
    sign_in(page, User.objects.get(username="keeper"))
    page.goto(study.get_absolute_url())
    checked(page)
    follow(page.get_by_role("button", name="Try it as a worker"))
    expect(page.get_by_text("This is a try-out")).to_be_visible()
    checked(page)
    follow(page.get_by_role("link", name="Back to the study's own page"))
    expect(page.locator("h1")).to_contain_text(study.title)


@pytest.mark.parametrize("size", SIZES)
def test_an_editor_makes_links_and_ends_one(new_page: NewPage, study: Study, size: str) -> None:
    page = new_page(viewport=SIZES[size])
    sign_in(page, User.objects.get(username="keeper"))
    page.goto(reverse("desk:recruitment", args=[study.slug]))
    page.get_by_label("For one person").check()
    page.get_by_label("How many links").fill("3")
    follow(page.get_by_role("button", name="Make links"))
    expect(page.get_by_text("3 links were made.")).to_be_visible()
    checked(page)
    follow(page.get_by_role("button", name="End link 2"))
    expect(page.get_by_text("ended")).to_be_visible()
    checked(page)


@pytest.mark.parametrize("size", SIZES)
def test_a_reviewer_reads_what_is_reported(new_page: NewPage, study: Study, size: str) -> None:
    batch = lease(newcomer(study))
    unit = batch.assignment_units.all()[0].unit_id
    flag_problem(assignment=batch, unit=unit, text="The second passage is cut off.")
    page = new_page(viewport=SIZES[size])
    sign_in(page, User.objects.get(username="keeper"))
    page.goto(study.get_absolute_url())
    follow(page.get_by_role("link", name="1 reported problem"))
    expect(page.get_by_text("The second passage is cut off.")).to_be_visible()
    checked(page)
    follow(page.locator("h2 a"))
    checked(page)
    follow(page.get_by_role("link", name="1 problem reported"))
    expect(page.get_by_text("The second passage is cut off.")).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_a_list_keeps_clear_of_the_border_around_it(
    new_page: NewPage, study: Study, size: str
) -> None:
    page = new_page(viewport=SIZES[size])
    sign_in(page, User.objects.get(username="keeper"))
    page.goto(reverse("desk:settings", args=[study.slug]))
    padding = page.locator("ul.panel").evaluate("panel => getComputedStyle(panel).paddingLeft")
    assert float(padding.removesuffix("px")) >= 8
