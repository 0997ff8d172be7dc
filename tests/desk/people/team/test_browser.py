"""A team in a real browser: how a researcher comes to one, and how a member answers, pauses and
comes back."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from annotation.models import Assignment, AssignmentUnit, Draft, Member, Study
from tests.annotation.rounds.team.teams import make_team_study, team_of, work
from tests.cast import join, make_user
from tests.services.browser import DESKTOP, PHONE, accessible, follow, scrolls_sideways
from tests.sessions import sign_in
from tests.set_up.steps.studies import mills

pytestmark = pytest.mark.django_db(transaction=True)

NewPage = Callable[..., Page]


@pytest.fixture(autouse=True)
def _uploads(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


def test_a_team_with_its_links_is_four_clicks_from_the_rounds(new_page: NewPage) -> None:
    """Team, Save, the page Team, the links."""
    page, maker = new_page(**DESKTOP), make_user("maker")
    study = mills(maker)
    sign_in(page, maker)
    page.goto(reverse("desk:set-up-rounds", args=[study.slug]))
    members = page.get_by_label("Members of the team")
    expect(members).to_be_hidden()
    page.get_by_label("Who answers").select_option("team")
    expect(members).to_have_value("3")
    expect(page.locator("#cost")).to_contain_text("Each shares 20 with each of 2 others")
    accessible(page)
    follow(page.get_by_role("button", name="Save", exact=True))
    follow(page.get_by_role("link", name="People", exact=True))
    follow(page.get_by_role("button", name="Make links for those who have none"))
    expect(page.locator(".link-for-copying")).to_have_count(3)
    assert Study.objects.get().seats.exclude(invitation=None).count() == 3


@pytest.mark.parametrize("options", [DESKTOP, {"viewport": {"width": 390, "height": 844}}])
def test_the_page_of_a_team_is_read_by_everybody(
    new_page: NewPage, options: dict[str, Any]
) -> None:
    page, owner = new_page(**options), make_user("owner")
    study = make_team_study(sources=6, systems=2, members=3, overlap=2)
    join(study, owner, Member.Role.OWNER)
    first, *_others = team_of(study)
    work(first)
    sign_in(page, owner)
    page.goto(reverse("desk:team", args=[study.slug]))
    page.get_by_label("Name of member 1").fill("Ann")
    page.get_by_label("Name of member 2").fill("Ben")
    follow(page.get_by_role("button", name="Save names"))
    expect(page.get_by_label("Name of member 2")).to_have_value("Ben")
    page.locator("summary", has_text="End").first.click()
    follow(page.get_by_role("button", name="End the membership"))
    expect(
        page.get_by_role("heading", name="wanted answers are assigned to nobody")
    ).to_be_visible()
    accessible(page)
    assert not scrolls_sideways(page)
    follow(page.get_by_role("button", name="A new member"))
    expect(page.get_by_label("Name of member 4")).to_be_visible()


def answer_unit(page: Page) -> None:
    page.locator("form.question [role=slider], form.question input[type=range]").first.press("End")
    follow(page.get_by_role("button", name="Save and continue"))


@pytest.mark.parametrize("options", [DESKTOP, PHONE])
def test_a_member_answers_pauses_for_weeks_and_goes_on(
    new_page: NewPage, options: dict[str, Any]
) -> None:
    study = make_team_study(sources=2, systems=2, members=2, overlap=2, lease_minutes=5)
    seat = study.seats.get(number=1)
    page, owner = new_page(**DESKTOP), make_user("owner")
    join(study, owner, Member.Role.OWNER)
    sign_in(page, owner)
    page.goto(reverse("desk:team", args=[study.slug]))
    follow(page.get_by_role("button", name="Make links for those who have none"))
    link = page.locator("#link-1").inner_text()

    mine = new_page(**options)
    mine.goto(link)
    while not mine.locator("form.question").count():
        for box in mine.locator("main form input[type=checkbox]").all():
            box.click()
        follow(mine.locator("main .button").first)
    assert not mine.locator(".lease").count()
    accessible(mine)
    answer_unit(mine)
    batch = Assignment.objects.get()
    assert batch.participation == type(seat).objects.get(pk=seat.pk).participation

    # Weeks pass, on another device.
    weeks = timedelta(weeks=6)
    Assignment.objects.update(
        leased_at=batch.leased_at - weeks, lease_until=batch.lease_until - weeks
    )
    Draft.objects.update(saved_at=timezone.now() - weeks)
    later = new_page(**options)
    later.goto(link)
    later.goto(reverse("annotation:lobby", args=[study.slug]))
    follow(later.get_by_role("button", name="Continue where you stopped"))
    answer_unit(later)
    follow(later.get_by_role("button", name="Submit"))
    expect(later.locator("main")).to_contain_text("You have submitted 2 of 4 texts.")
    accessible(later)
    follow(later.get_by_role("link", name="To the overview"))
    expect(later.locator("main")).to_contain_text("You have submitted 2 of 4 texts.")
    assert set(AssignmentUnit.objects.values_list("outcome", flat=True)) == {"counted"}
