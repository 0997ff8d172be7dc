"""The tabs of a study lead each role to what it may see, and to nothing else."""

import re

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from annotation.models import Member, Study, User
from desk.templatetags.study_navigation import TABS
from tests.cast import join
from tests.sessions import as_user

pytestmark = pytest.mark.django_db
MOST_PAGES = 28
MOVED = [
    ("units/7/record/", "desk:unit"),
    ("problems/", "desk:reviews"),
    ("invited/", "desk:recruitment"),
    ("invitations/", "desk:recruitment"),
    ("set-up/recruitment/", "desk:recruitment"),
    ("set-up/units/", "desk:controls"),
    ("set-up/introduction/", "desk:set-up-texts"),
    ("set-up/ethics/", "desk:set-up-texts"),
    ("set-up/judges/", "judges:runs"),
    ("members/", "desk:settings"),
    ("workers/lost-link/", "desk:workers"),
]


@pytest.mark.parametrize("role", Member.Role)
def test_each_role_may_open_every_link_of_its_tabs(
    client: Client, study: Study, role: Member.Role
) -> None:
    user = User.objects.create_user("reader")
    join(study, user, role)
    client.force_login(user)
    seen, waiting = set(), [study.get_absolute_url()]
    while waiting:
        response = client.get(address := waiting.pop())
        assert response.status_code in (200, 202), address
        seen.add(address)
        linked = {link.url for name in ("tabs", "pages") for link in response.context[name]}
        waiting += linked - seen - set(waiting)
    pages = [page for tab in TABS for page in tab.pages if role.may(page.least)]
    allowed = {reverse(page.view, args=[study.slug]) for page in pages if page.applies(study)}
    assert seen == allowed


def test_every_view_of_the_tabs_is_there() -> None:
    names = {view for tab in TABS for page in tab.pages for view in page.views}
    apps = {name.split(":")[0] for name in names}
    there = {
        f"{app}:{name}"
        for app in apps
        for name in get_resolver().namespace_dict[app][1].reverse_dict
        if isinstance(name, str)
    }
    assert names <= there


def test_the_page_that_is_open_is_marked(client: Client, owner: User, study: Study) -> None:
    client.force_login(owner)
    page = client.get(reverse("desk:pay", args=[study.slug])).content.decode()
    assert f'<a href="{reverse("desk:pay", args=[study.slug])}" aria-current="page">Pay</a>' in page
    assert 'aria-current="true">People</a>' in page


def labels() -> list[str]:
    """What the tabs and their pages are called; a tab of one page lists none."""
    return [
        str(title)
        for tab in TABS
        for title in (tab.title, *(page.title for page in tab.pages if len(tab.pages) > 1))
    ]


@pytest.mark.parametrize("batches", Study.Batches)
def test_a_study_has_few_pages_and_no_word_names_two_of_them(study: Study, batches: str) -> None:
    study.batches = batches
    pages = [page for tab in TABS for page in tab.pages if page.applies(study)]
    assert len(pages) <= MOST_PAGES
    assert len(labels()) == len(set(labels()))


def test_filters_of_results_are_carried_along_and_end_there(
    client: Client, owner: User, study: Study
) -> None:
    client.force_login(owner)
    shown = client.get(reverse("results:summary", args=[study.slug]), {"round": "main"}).context
    assert all(link.url.endswith("?round=main") for link in shown["pages"])
    assert not any("?" in link.url for link in shown["tabs"])


@pytest.mark.parametrize(("old", "page"), MOVED)
def test_an_old_address_leads_to_the_page_of_today_with_its_query(
    owner: User, outsider: User, study: Study, old: str, page: str
) -> None:
    address = f"/studies/{study.slug}/{old}?q=a&page=2"
    keys = [study.slug, *re.findall(r"[0-9]+", old)]
    assert Client().get(address).status_code == 302
    assert as_user(outsider).get(address).status_code == 404
    answer = as_user(owner).get(address)
    assert answer.status_code == 301
    assert answer["Location"] == f"{reverse(page, args=keys)}?q=a&page=2"
