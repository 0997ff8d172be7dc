import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.entry.invitations import invite
from annotation.models import Assignment, Consent, Invitation, Participation, Study, Worker
from tests.annotation.views.training import CHECK
from tests.annotation.views.worker_pages import invitation_link
from tests.annotation.workers import newcomer
from tests.cast import make_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return make_study()


def join(client: Client, study: Study, **options: object) -> Invitation:
    invitation = invite(study=study, created_by=None, **options)  # type: ignore[arg-type]
    client.post(reverse("annotation:join", args=[invitation.token]))
    return invitation


def agree(client: Client, study: Study) -> None:
    page = client.get(reverse("annotation:consent", args=[study.slug]))
    text_hash = page.context["form"]["text_hash"].value()
    client.post(
        reverse("annotation:consent", args=[study.slug]),
        {"text_hash": text_hash, "agree": "on", "of_age": "on"},
    )


def lobby(study: Study) -> str:
    return reverse("annotation:lobby", args=[study.slug])


def test_opening_an_open_link_lets_nobody_in_before_they_say_so(
    client: Client, study: Study
) -> None:
    invitation = invite(study=study, created_by=None, max_uses=1)
    address = reverse("annotation:join", args=[invitation.token])
    assert client.get(address).status_code == 200
    assert not Worker.objects.exists()
    assert client.post(address).url == lobby(study)  # type: ignore[attr-defined]
    assert Participation.objects.count() == 1


def test_opening_the_link_again_leads_to_the_same_place(client: Client, study: Study) -> None:
    invitation = join(client, study, max_uses=1)
    again = client.get(reverse("annotation:join", args=[invitation.token]))
    assert again.url == lobby(study)  # type: ignore[attr-defined]
    assert Participation.objects.count() == 1


def test_a_used_up_link_says_so(client: Client, study: Study) -> None:
    invitation = join(client, study, max_uses=1)
    late = Client().post(reverse("annotation:join", args=[invitation.token]))
    assert late.status_code == 410
    assert "used up" in late.content.decode()


@pytest.mark.parametrize("max_uses", [None, 1])
def test_a_double_click_of_a_browser_without_a_session_lets_in_one_person(
    client: Client, study: Study, max_uses: int | None
) -> None:
    invitation = invite(study=study, created_by=None, max_uses=max_uses)
    address = reverse("annotation:join", args=[invitation.token])
    form = re.search(r'name="form" value="([^"]+)"', client.get(address).content.decode())
    assert form is not None
    for click in (Client(), Client()):
        assert click.post(address, {"form": form[1]}).url == lobby(study)  # type: ignore[attr-defined]
        assert click.get(lobby(study), follow=True).status_code == 200
    assert Participation.objects.count() == 1
    assert form[1] not in Worker.objects.get().external_id


def test_two_people_who_open_the_same_link_press_different_forms(study: Study) -> None:
    address = reverse("annotation:join", args=[invite(study=study, created_by=None).token])
    pages = {Client().get(address).content for _ in range(2)}
    assert len(pages) == 2
    for _ in range(2):
        Client().post(address, {"form": "the same for everybody"[:21]})
    assert Participation.objects.count() == 2


def test_a_personal_link_leads_to_the_same_place_on_any_device(study: Study) -> None:
    invitation = invite(study=study, created_by=None, personal=True)
    address = reverse("annotation:join", args=[invitation.token])
    assert Client().get(address).status_code == 200
    assert not Participation.objects.exists()
    assert Client().post(address).url == lobby(study)  # type: ignore[attr-defined]
    for device in (Client(), Client()):
        assert device.get(address).url == lobby(study)  # type: ignore[attr-defined]
        assert device.get(lobby(study), follow=True).status_code == 200
    assert Participation.objects.count() == 1


def test_a_closed_study_takes_in_nobody_new(client: Client, study: Study) -> None:
    Study.objects.update(state=Study.State.CLOSED)
    invitation = invite(study=study, created_by=None)
    for send in (client.get, client.post):
        refused = send(reverse("annotation:join", args=[invitation.token]))
        assert refused.status_code == 403
        assert "not open" in refused.content.decode()


def test_an_unknown_link_leads_nowhere(client: Client, study: Study) -> None:
    assert client.get(reverse("annotation:join", args=["no-such-link"])).status_code == 404
    assert client.get(reverse("annotation:return", args=["no-such-link"])).status_code == 404


def test_the_lobby_says_what_awaits_the_worker(client: Client, study: Study) -> None:
    join(client, study)
    agree(client, study)
    page = client.get(lobby(study)).content.decode()
    for words in (
        "A small study",
        "Read the passage",
        "There are 2 questions about each text.",
        "60 minutes",
        "about 7 minutes, plus about 2 minutes to read before the first batch; you have 60",
        "<bdi>1.50 USD</bdi> per batch; about 10.00 USD an hour, including the time to read",
        "Example board",
        "contact@example.org",
        reverse("annotation:return", args=[Participation.objects.get().token]),
    ):
        assert words in page


def test_before_anybody_is_in_they_are_told_what_the_way_in_takes_and_pays(
    client: Client, study: Study
) -> None:
    link = invitation_link(study)
    told = client.get(link).content.decode()
    assert "about 2 minutes to read before the first batch" in told
    assert "check of the instructions" not in told
    Study.objects.update(comprehension=CHECK)
    told = client.get(link).content.decode()
    assert "; nothing if you fail the check of the instructions" in told
    Study.objects.update(screenout_pay="0.30")
    told = client.get(link).content.decode()
    assert "; only 0.30 USD if you fail the check of the instructions" in told


def test_the_return_link_works_in_another_browser(client: Client, study: Study) -> None:
    join(client, study)
    token = Participation.objects.get().token
    other = Client()
    assert other.get(lobby(study)).status_code == 403
    assert other.get(reverse("annotation:return", args=[token])).url == lobby(study)  # type: ignore[attr-defined]
    assert other.get(lobby(study), follow=True).status_code == 200


def test_a_link_leads_to_one_study_and_one_of_an_earlier_version_to_all(
    client: Client, study: Study
) -> None:
    join(client, study)
    other = make_study("other")
    join(client, other)
    first, second = Participation.objects.order_by("pk")
    back = client.get(reverse("annotation:return", args=[first.token]))
    assert back.url == lobby(study)  # type: ignore[attr-defined]
    columns = {"sealed_token": first.sealed_token, "token_hash": first.token_hash}
    Participation.objects.filter(pk=second.pk).update(**columns)
    token = first.token
    page = client.get(reverse("annotation:return", args=[token])).content.decode()
    assert lobby(study) in page
    assert lobby(other) in page


def test_a_worker_sees_nothing_of_a_study_they_are_not_in(client: Client, study: Study) -> None:
    join(client, study)
    make_study("foreign")
    for name in ("lobby", "consent", "leave"):
        assert client.get(reverse(f"annotation:{name}", args=["foreign"])).status_code == 404
    assert client.post(reverse("annotation:start", args=["foreign"])).status_code == 404


def test_a_researcher_is_no_worker(client: Client, study: Study, owner: object) -> None:
    client.force_login(owner)  # type: ignore[arg-type]
    assert client.get(lobby(study)).status_code == 403


def test_the_consent_page_names_all_that_it_must(client: Client, study: Study) -> None:
    join(client, study)
    page = client.get(reverse("annotation:consent", args=[study.slug])).content.decode()
    for words in (
        "Taking part is voluntary.",
        "Example board",
        "E-1",
        "contact@example.org",
        "Example university",
        "Why we may use your data (lawful basis)",
        "365 days",
        "18 years old or older",
        "false",
    ):
        assert words in page


@pytest.mark.parametrize("ticked", [{}, {"agree": "on"}, {"of_age": "on"}])
def test_every_box_of_the_consent_form_must_be_ticked(
    client: Client, study: Study, ticked: dict[str, str]
) -> None:
    join(client, study)
    address = reverse("annotation:consent", args=[study.slug])
    text_hash = client.get(address).context["form"]["text_hash"].value()
    refused = client.post(address, {"text_hash": text_hash, **ticked})
    assert refused.status_code == 422
    assert 'class="field__error"' in refused.content.decode()
    assert not Consent.objects.exists()


def test_consent_to_a_text_that_has_changed_meanwhile_is_asked_again(
    client: Client, study: Study
) -> None:
    join(client, study)
    address = reverse("annotation:consent", args=[study.slug])
    text_hash = client.get(address).context["form"]["text_hash"].value()
    Study.objects.update(consent_text="Other words.")
    refused = client.post(address, {"text_hash": text_hash, "agree": "on", "of_age": "on"})
    assert refused.status_code == 409
    assert "Other words." in refused.content.decode()
    assert not Consent.objects.exists()


def test_nothing_starts_without_consent(client: Client, study: Study) -> None:
    join(client, study)
    start = reverse("annotation:start", args=[study.slug])
    consent = reverse("annotation:consent", args=[study.slug])
    assert client.post(start).url == consent  # type: ignore[attr-defined]
    agree(client, study)
    Study.objects.update(consent_version="2")
    assert client.post(start).url == consent  # type: ignore[attr-defined]
    assert not Assignment.objects.exists()


def test_a_double_click_on_start_leases_one_batch(client: Client, study: Study) -> None:
    join(client, study)
    agree(client, study)
    start = reverse("annotation:start", args=[study.slug])
    first, second = client.post(start), client.post(start)
    assert first.url == second.url  # type: ignore[attr-defined]
    assert Assignment.objects.count() == 1


def test_a_study_closed_meanwhile_says_so_and_starts_nothing(client: Client, study: Study) -> None:
    join(client, study)
    agree(client, study)
    Study.objects.update(state=Study.State.CLOSED)
    refused = client.post(reverse("annotation:start", args=[study.slug]))
    assert refused.status_code == 409
    assert "The study is closed" in refused.content.decode()
    assert "closed" in client.get(lobby(study)).content.decode()
    assert not Assignment.objects.exists()


def test_when_nothing_is_left_the_page_says_why(client: Client) -> None:
    study = make_study(sources=1, overlap=1, per_batch=1)
    from tests.annotation.workers import lease

    lease(newcomer(study))
    join(client, study)
    agree(client, study)
    page = client.post(reverse("annotation:start", args=[study.slug]))
    assert page.status_code == 200
    assert "Nothing is available right now" in page.content.decode()


def test_leaving_is_asked_once_more_and_then_done(client: Client, study: Study) -> None:
    join(client, study)
    agree(client, study)
    client.post(reverse("annotation:start", args=[study.slug]))
    leave = reverse("annotation:leave", args=[study.slug])
    assert "Leave the study?" in client.get(leave).content.decode()
    assert Assignment.objects.get().state == Assignment.State.ACTIVE
    end = reverse("annotation:end", args=[study.slug])
    assert client.post(leave).url == end  # type: ignore[attr-defined]
    assert Assignment.objects.get().state == Assignment.State.RETURNED
    assert client.get(lobby(study)).url == end  # type: ignore[attr-defined]
    page = client.get(end).content.decode()
    assert "You have left this study" in page
    assert "Start" not in page
    refused = client.post(reverse("annotation:start", args=[study.slug]))
    assert refused.status_code == 409


def test_a_form_that_cannot_be_checked_says_what_to_do(study: Study) -> None:
    strict = Client(enforce_csrf_checks=True)
    invitation = invite(study=study, created_by=None)
    refused = strict.post(reverse("annotation:join", args=[invitation.token]))
    assert refused.status_code == 403
    assert "This page could not be sent" in refused.content.decode()
    assert not Worker.objects.exists()


def test_no_cache_keeps_a_workers_page(client: Client, study: Study) -> None:
    join(client, study)
    assert "no-store" in client.get(lobby(study))["Cache-Control"]


def test_the_lobby_needs_few_queries(
    client: Client, study: Study, django_assert_max_num_queries: object
) -> None:
    join(client, study)
    agree(client, study)
    with django_assert_max_num_queries(13):  # type: ignore[operator]
        assert client.get(lobby(study)).status_code == 200
