"""The first screen of results as a page: who sees it, at which cost, and where it leads."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page

from annotation.access import Role
from annotation.models import Member, Study, User
from estimates.report.cache import report_of
from results.summary import more_units
from tests.results.summary.crowded import crowded_report
from tests.results.two_judges import import_two_judges
from tests.services.browser import scrolls_sideways, violations_in_both_schemes
from tests.sessions import as_user, sign_in

KILOBYTE = 1_000
# The session, the user, study and role, its split, the kept report and its revision, blocks, runs
# under way.
QUERIES = 9


def address(study: Study, query: str = "") -> str:
    return reverse("results:summary", args=[study.slug]) + query


@pytest.fixture
def crowded(study: Study, monkeypatch: pytest.MonkeyPatch) -> Study:
    """A study whose report is crowded, in the facet of its second block."""
    (facet,) = study.blocks.get(position=1).facets
    report = crowded_report(study, facet)
    monkeypatch.setattr("results.views.summary.newest_report", lambda _study: report)
    return study


def test_the_facet_is_in_the_address(answered: Study, owner: User) -> None:
    client = as_user(owner)
    page = client.get(address(answered, "?facet=utility")).content.decode()
    assert 'href="?facet=recovery"' in page
    facets = page[page.index('aria-label="Facet"') :]
    assert facets.count('aria-current="true"') == 1
    assert 'href="?facet=utility" aria-current="true"' in page


def test_the_page_reads_no_more_the_more_there_is(
    answered: Study, owner: User, django_assert_num_queries: Any
) -> None:
    report_of(answered)
    client = as_user(owner)
    client.get(address(answered))
    with django_assert_num_queries(QUERIES):
        client.get(address(answered))


def test_a_crowded_screen_is_small(crowded: Study, owner: User) -> None:
    page = as_user(owner).get(address(crowded, "?facet=utility")).content
    assert len(page) < 60 * KILOBYTE
    for text in ("395 more people", "7 more judges", "24 more systems"):
        assert text in page.decode()


@pytest.mark.parametrize(
    ("asked", "follows"),
    [
        ("0.05", "or farther than the allowed ε = 0.05, is open"),
        ("0.2", "is as near to these 3 people as they are to each other"),
        # The study's own, and what nobody offers.
        ("0.1", ""),
        ("7", ""),
        ("nan", ""),
    ],
)
def test_another_allowance_is_tried_by_a_link_and_changes_nothing(
    asked: str, follows: str, tmp_path: Path, owner: User
) -> None:
    study = import_two_judges(tmp_path)
    Member.objects.create(study=study, user=owner, role=Role.EDITOR)
    report_of(study)
    client = as_user(owner)
    page = client.get(address(study)).content.decode()
    assert "Allowed: ε = 0.1." in page
    assert 'href="?epsilon=0.15#epsilon"' in page
    assert "Exploratory" not in page

    page = client.get(address(study, f"?epsilon={asked}")).content.decode()
    told = page.partition("Exploratory")[2]
    assert bool(told) == bool(follows)
    assert follows in told
    assert "Allowed: ε = 0.1." in page
    study.refresh_from_db()
    assert study.epsilon == 0.1


def test_facets_that_fill_more_than_a_line_are_a_list(
    answered: Study, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("results.summary.screen.LINE", 10)
    page = as_user(owner).get(address(answered, "?facet=utility")).content.decode()
    assert '<option value="utility" selected>' in page
    assert 'href="?facet=recovery"' not in page


def test_results_of_other_pages_lead_to_the_first_screen(answered: Study, owner: User) -> None:
    page = as_user(owner).get(reverse("desk:study", args=[answered.slug])).content.decode()
    assert f'href="{address(answered)}"' in page


def test_the_number_of_units_to_plan_comes_by_itself(owner: User, answered: Study) -> None:
    """Three units: too few to tell, with a link that works without the number."""
    client = as_user(owner)
    page = client.get(address(answered, "?facet=utility")).content.decode()
    planned = reverse("results:planned-step", args=[answered.slug])
    assert f'hx-get="{planned}?facet=utility"' in page
    assert "Plan more units" in page
    step = client.get(f"{planned}?facet=utility")
    assert step.status_code == 200
    assert reverse("results:plan", args=[answered.slug]) in step.content.decode()


def test_no_size_is_named_that_the_study_has_already(answered: Study) -> None:
    facet, report = answered.blocks.all()[1].facets[0], report_of(answered)

    wanted = more_units.planned(report, facet, 0.5)
    assert wanted is not None
    assert wanted.units.value is not None
    assert more_units.planned(report, facet, 1.9) is None


def test_nothing_is_planned_where_nothing_is_asked(owner: User, answered: Study) -> None:
    answered.annotations.all().delete()
    Study.objects.filter(pk=answered.pk).update(revision=99)
    planned = reverse("results:planned-step", args=[answered.slug])
    assert as_user(owner).get(planned).status_code == 404


def test_an_outsider_sees_nothing(answered: Study, outsider: User) -> None:
    for name in ("summary", "planned-step"):
        assert as_user(outsider).get(reverse(f"results:{name}", args=["small"])).status_code == 404


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_the_cards_fit_one_screen_and_axe_finds_nothing(
    crowded: Study, owner: User, new_page: Callable[..., Page]
) -> None:
    """A crowded, open study: its longest sentences, largest figures, and the note above them."""
    page = new_page(viewport={"width": 1280, "height": 800})
    sign_in(page, owner)
    page.goto(address(crowded, "?facet=utility"))
    cards = page.locator(".answer")
    assert cards.count() == 3
    for card in cards.all():
        box = card.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 800
    assert violations_in_both_schemes(page) == []
    for width in (768, 360):
        page.set_viewport_size({"width": width, "height": 740})
        assert not scrolls_sideways(page)
