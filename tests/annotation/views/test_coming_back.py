"""One person stays one person: what the pages advise those whom nobody knows any more."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.access import PLACES_SESSION_KEY
from annotation.entry.invitations import end_invitation, invite
from annotation.models import Invitation, Participation, Study
from tests.annotation.views.panel_links import address, recruiting
from tests.annotation.worker_client import Person
from tests.cast import make_study

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Response

pytestmark = pytest.mark.django_db

RECOVER = "/return/"


@pytest.fixture
def study() -> Study:
    return make_study()


def join_link(study: Study, **options: Any) -> str:
    return reverse("annotation:join", args=[invite(study=study, created_by=None, **options).token])


def text(response: Any) -> str:
    return str(response.content.decode())


def personal_link(page: str) -> str:
    """The link at the foot of a page."""
    link = re.search(r'readonly value="([^"]+)"', page)
    assert link is not None
    return link[1]


def lobby(study: Study) -> str:
    return reverse("annotation:lobby", args=[study.slug])


def is_in(client: Client) -> int:
    """The participation that this browser belongs to."""
    ((participation, _visit),) = client.session[PLACES_SESSION_KEY].values()
    return int(participation)


def lost(client: Client, study: Study) -> str:
    """What is said where the cookie is gone."""
    client.cookies.clear()
    page = client.get(lobby(study))
    assert page.status_code == 403
    return text(page)


def test_an_open_invitation_recovers_by_the_personal_link(client: Client, study: Study) -> None:
    join = join_link(study)
    link = personal_link(text(client.post(join, follow=True)))
    before = is_in(client)
    said = lost(client, study)
    assert "open your personal link" in said
    assert "or your invitation" not in said
    for advice in (said, text(client.get(join))):
        assert "Have you been here before?" in advice
        assert f'action="{RECOVER}"' in advice
        again = Client()
        again.post(RECOVER, {"link": link}, follow=True)
        assert is_in(again) == before
    assert Participation.objects.count() == 1


def test_a_personal_invitation_leads_back_as_the_page_says(client: Client, study: Study) -> None:
    join = join_link(study, personal=True)
    client.post(join)
    before = is_in(client)
    assert "If your invitation was for you alone, its link works as well." in lost(client, study)
    client.get(join)
    assert is_in(client) == before
    assert "Have you been here before?" not in text(Client().get(join_link(study, personal=True)))


def test_who_came_from_a_panel_is_sent_back_to_it_by_its_name(client: Client) -> None:
    study = recruiting("prolific")
    client.post(address(study))
    before = is_in(client)
    assert "open the study from Prolific again" in lost(client, study)
    client.get(address(study))
    assert is_in(client) == before
    assert Participation.objects.count() == 1


def test_a_newcomer_from_a_panel_is_not_asked_for_a_link(client: Client) -> None:
    study = recruiting("prolific")
    assert "Have you been here before?" not in text(client.get(address(study)))


def test_who_has_an_account_is_sent_to_sign_in(client: Client) -> None:
    study = recruiting("account")
    page = text(client.get(lobby(study)))
    assert reverse("annotation:arrive", args=[study.slug, "account"]) in page


@pytest.mark.parametrize("shape", ["{}", " {}\n", "{}?x=1#y"])
def test_the_personal_link_may_be_pasted_in_any_shape(
    client: Client, study: Study, shape: str
) -> None:
    client.post(join_link(study))
    token = Participation.objects.get().token
    path = reverse("annotation:return", args=[token])
    for link in (f"http://testserver{path}", f"testserver{path}", path, path.rstrip("/")):
        back = Client().post(RECOVER, {"link": shape.format(link)})
        assert back.status_code == 302
        assert back["Location"] == path


@pytest.mark.parametrize(
    "link",
    [
        "",
        "hello",
        "https://elsewhere.example{path}",
        "//elsewhere.example{path}",
        "http://testserver@elsewhere.example{path}",
        "http://testserver/return/no-such-token/",
        "http://testserver/work/small/",
        "http://[testserver{path}",
        "javascript:alert(1)",
        "/" * 5000,
    ],
)
def test_anything_else_gets_a_plain_sentence_and_leads_nowhere(
    client: Client, study: Study, link: str
) -> None:
    Client().post(join_link(study))
    path = reverse("annotation:return", args=[Participation.objects.get().token])
    refused = client.post(RECOVER, {"link": link.format(path=path)})
    assert refused.status_code == 422
    assert "This is not a personal link of this site" in text(refused)
    assert PLACES_SESSION_KEY not in client.session


def test_a_form_of_another_site_cannot_sign_anybody_in(study: Study) -> None:
    Client().post(join_link(study))
    path = reverse("annotation:return", args=[Participation.objects.get().token])
    assert Client(enforce_csrf_checks=True).post(RECOVER, {"link": path}).status_code == 403


def refused_form(study: Study, *, is_known: bool) -> "Response":
    """A question sent with an old form token."""
    person = Person(study)
    client = Client(enforce_csrf_checks=True)
    if is_known:
        client.cookies = person.client.cookies
    return client.post(person.address(), {"sentences": ["2"], "csrfmiddlewaretoken": "old"})


def test_without_any_cookie_a_form_leads_to_the_personal_link_and_keeps_what_was_typed(
    study: Study,
) -> None:
    page = refused_form(study, is_known=False)
    assert page.status_code == 403
    for words in ("You are signed out", "open your personal link", "Have you been here before?"):
        assert words in text(page)
    assert '<input type="hidden" name="sentences" value="2">' in text(page)


def test_who_has_lost_the_form_cookie_alone_sends_the_form_again(study: Study) -> None:
    page = refused_form(study, is_known=True)
    assert "This page could not be sent" in text(page)
    assert '<input type="hidden" name="sentences" value="2">' in text(page)
    assert page["X-CSRFToken"]


def test_a_newcomer_without_cookies_is_not_called_signed_out(study: Study) -> None:
    page = Client(enforce_csrf_checks=True).post(join_link(study))
    assert page.status_code == 403
    assert "your browser keeps no cookies" in text(page)
    assert "signed out" not in text(page)


def used_up(study: Study) -> str:
    join = join_link(study, max_uses=1)
    Client().post(join)
    return join


def taken_back(study: Study) -> str:
    join = join_link(study)
    end_invitation(invitation=Invitation.objects.get(), now=timezone.now())
    return join


def closed(study: Study) -> str:
    Study.objects.update(state=Study.State.CLOSED)
    return join_link(study)


@pytest.mark.parametrize("refusal", [used_up, taken_back, closed])
def test_a_link_that_admits_nobody_still_leads_back_who_was_here(
    client: Client, study: Study, refusal: Callable[[Study], str]
) -> None:
    page = client.post(refusal(study))
    assert page.status_code in (403, 410)
    assert "Have you been here before?" in text(page)


def test_a_page_that_is_not_there_leads_to_the_personal_link(client: Client) -> None:
    page = client.get("/work/batch/no-such-batch/1/1/nowhere/")
    assert page.status_code == 404
    assert f'href="{RECOVER}"' in text(page)
    assert client.get(RECOVER).status_code == 200


def test_the_personal_link_stands_on_every_page_of_a_worker(study: Study) -> None:
    person = Person(study)
    client, slug = person.client, study.slug
    names = ("lobby", "consent", "leave", "statement", "my-data", "withdraw")
    pages = [client.get(reverse(f"annotation:{name}", args=[slug])) for name in names]
    pages += [client.get(person.address()), client.get(person.of_batch("review"))]
    person.post({"sentences": ["0"], "revision": "0"})
    pages.append(person.post({"sentences": ["2"], "revision": "0"}))  # two versions
    pages.append(person.post({"problem": "x" * 100_000, "revision": "1"}))
    client.post(reverse("annotation:leave", args=[slug]))
    pages.append(client.get(reverse("annotation:end", args=[slug])))
    pages.append(client.get(person.address()))  # a batch that is closed
    token = person.batch.participation.token
    for page in pages:
        assert personal_link(text(page)) == f"http://testserver/return/{token}/", page.request


def test_two_workers_at_one_question_each_see_their_own_link() -> None:
    study = make_study("one", sources=1, per_batch=1)
    people = [Person(study), Person(study)]
    links = {personal_link(person.get()) for person in people}
    tokens = {person.batch.participation.token for person in people}
    assert {link.split("/")[-2] for link in links} == tokens
