"""The tabs of a study lead each role to what it may see, and to nothing else."""

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from annotation.models import Member, Study, User
from desk.templatetags.study_navigation import TABS
from tests.cast import join

pytestmark = pytest.mark.django_db


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


def test_a_tab_with_many_pages_groups_them(client: Client, owner: User, study: Study) -> None:
    client.force_login(owner)
    shown = client.get(reverse("desk:set-up", args=[study.slug])).context
    groups = {group.title: [link.title for link in group.links] for group in shown["groups"]}
    assert list(groups) == ["", "What is asked", "How it runs", "More"]
    assert [title for titles in groups.values() for title in titles] == [
        link.title for link in shown["pages"]
    ]
    assert shown["here"] == "Checklist"
    assert client.get(reverse("desk:members", args=[study.slug])).context["groups"] == []
