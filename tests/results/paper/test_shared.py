"""Results for readers who are no members: by whom made, what is in them, and when they end."""

import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Member, Study, User
from estimates.report.cache import report_of
from results.models import ResultsLink
from results.paper.shared.links import NotClosed, make_link, page_by, revoke_link, standing_link
from results.paper.shared.page import LARGEST, page_of_results, style_source
from tests.cast import join
from tests.results.imported import import_raters
from tests.sessions import as_user

pytestmark = pytest.mark.django_db
NAMES = ("Grace Hopperfield", "A2XJMTURK99", "bob@example.org")


@pytest.fixture
def closed(answered: Study) -> Study:
    answered.state = Study.State.CLOSED
    answered.save()
    return answered


def address(study: Study, name: str, *more: object) -> str:
    return reverse(f"results:{name}", args=[study.slug, *more])


def test_an_owner_makes_a_link_that_anybody_can_read_until_it_is_revoked(
    closed: Study, owner: User
) -> None:
    client, reader = as_user(owner), Client()
    assert client.post(address(closed, "share")).status_code == 302
    link = ResultsLink.objects.get()
    shared = reverse("results:shared", args=[link.token])
    assert shared in client.get(address(closed, "paper")).content.decode()

    answer = reader.get(shared)
    assert answer.status_code == 200
    assert "Do people agree?" in answer.content.decode()
    assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "no-store" in answer.headers["Cache-Control"]
    assert style_source() in answer.headers["Content-Security-Policy"]
    assert "unsafe" not in answer.headers["Content-Security-Policy"]

    client.post(address(closed, "revoke-link", link.pk))
    assert reader.get(shared).status_code == 404
    link.refresh_from_db()
    assert link.page == ""
    assert shared not in client.get(address(closed, "paper")).content.decode()


def test_only_owners_make_and_revoke_links(
    closed: Study, owner: User, colleague: User, outsider: User
) -> None:
    editor = User.objects.create_user("editor")
    join(closed, editor, Member.Role.EDITOR)
    link = make_link(study=closed, by=owner)
    for user, status in ((outsider, 404), (colleague, 403), (editor, 403)):
        client = as_user(user)
        assert client.post(address(closed, "share")).status_code == status
        assert client.post(address(closed, "revoke-link", link.pk)).status_code == status
    assert Client().post(address(closed, "share")).status_code == 302
    assert ResultsLink.objects.get().revoked_at is None
    assert link.token not in as_user(colleague).get(address(closed, "paper")).content.decode()


def test_a_link_of_another_study_is_not_revoked(closed: Study, owner: User) -> None:
    other = Study.objects.create(slug="other", title="Other", state=Study.State.CLOSED)
    link = make_link(study=other, by=owner)
    assert as_user(owner).post(address(closed, "revoke-link", link.pk)).status_code == 404
    assert standing_link(link.token) is not None


def test_an_open_study_is_not_shared(closed: Study, owner: User) -> None:
    link = make_link(study=closed, by=owner)
    Study.objects.filter(pk=closed.pk).update(state=Study.State.OPEN)
    closed.refresh_from_db()
    assert Client().get(reverse("results:shared", args=[link.token])).status_code == 404
    with pytest.raises(NotClosed):
        make_link(study=closed, by=owner)
    as_user(owner).post(address(closed, "share"))
    assert ResultsLink.objects.count() == 1


def test_no_token_no_page(closed: Study, outsider: User) -> None:
    for client in (Client(), as_user(outsider)):
        assert client.get(reverse("results:shared", args=["nothing"])).status_code == 404


def test_a_link_is_revoked_once(closed: Study, owner: User) -> None:
    link = make_link(study=closed, by=owner)
    assert revoke_link(link=link)
    assert not revoke_link(link=link)


def test_the_page_is_made_again_only_when_something_changed(closed: Study, owner: User) -> None:
    link = make_link(study=closed, by=owner)
    first = page_by(link, report_of(closed))
    ResultsLink.objects.update(page="kept")
    link.refresh_from_db()
    assert page_by(link, report_of(closed)) == "kept"
    closed.title = "Another title"
    assert "Another title" in page_by(link, report_of(closed))
    assert first != "kept"


def test_the_page_stands_alone(closed: Study) -> None:
    page = page_of_results(report_of(closed))
    assert len(page) < LARGEST
    assert "<script" not in page
    assert "href" not in page
    assert "url(" not in page
    assert not re.search(r"https?://(?!www\.w3\.org)", page)
    assert "<svg" in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_the_page_has_no_texts_of_units(closed: Study) -> None:
    page = page_of_results(report_of(closed))
    for text in ("carried traffic", "The river rose", "claim-1", "Example board"):
        assert text not in page


def test_names_of_imported_people_are_not_on_the_page(tmp_path: Path) -> None:
    people = {
        name: {f"u{at}": "ab"[(at + k) % 2 if at % 5 else 0] for at in range(40)}
        for k, name in enumerate(NAMES)
    }
    judge = {"mild-judge": {f"u{at}": "ab"[at % 2] for at in range(40)}}
    study = import_raters(tmp_path, people, judge, level="nominal")
    page = page_of_results(report_of(study))
    for name in NAMES:
        assert name not in page
        assert name.split()[0] not in page
    assert "person 1" in page
    assert "mild-judge" in page


def test_the_file_is_the_same_page(closed: Study, colleague: User, outsider: User) -> None:
    answer = as_user(colleague).get(address(closed, "page-file"))
    assert answer.content.decode() == page_of_results(report_of(closed))
    assert 'filename="small-results-r' in answer.headers["Content-Disposition"]
    assert as_user(outsider).get(address(closed, "page-file")).status_code == 404
