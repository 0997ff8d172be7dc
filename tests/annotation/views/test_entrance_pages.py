"""Arriving from a panel by its pages: what is stored when, what is refused, who is let in."""

import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.entry.arrival import arrive_from_panel
from annotation.models import Participation, Study, Worker
from annotation.panels.contract import Visit
from annotation.work.qualification import change_state
from annotation.work.submission import submit
from tests.annotation.views.panel_links import IDS, address, recruiting
from tests.annotation.worker_client import framed_prefix
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import make_study

pytestmark = pytest.mark.django_db

HIT = {
    "workerId": "W1",
    "assignmentId": "A1",
    "hitId": "H1",
    "turkSubmitTo": "https://workersandbox.mturk.com",
}


@pytest.fixture
def study() -> Study:
    return recruiting("prolific")


def lobby(study: Study) -> str:
    return reverse("annotation:lobby", args=[study.slug])


def consent(study: Study) -> str:
    return reverse("annotation:consent", args=[study.slug])


def end(study: Study) -> str:
    return reverse("annotation:end", args=[study.slug])


def url(response: Any) -> str:
    return str(response.url)


def policy(response: HttpResponse | Any, directive: str) -> str:
    found = re.search(rf"{directive} ([^;]*)", response["Content-Security-Policy"])
    assert found is not None
    return found[1]


def framed(study: Study) -> str:
    return framed_prefix(study.participations.get())


def test_following_a_panels_link_stores_nothing_until_the_button_is_pressed(
    client: Client, study: Study
) -> None:
    page = client.get(address(study))
    assert page.status_code == 200
    assert client.head(address(study)).status_code == 200
    assert not Worker.objects.exists()
    assert url(client.post(address(study))) == lobby(study)
    worker = Worker.objects.get()
    assert (worker.panel, worker.external_id) == ("prolific", "5f2a")
    assert Participation.objects.get().panel_session["session"] == "7c"
    assert url(client.get(lobby(study))) == consent(study)


def test_who_comes_back_is_at_their_place_at_once_on_any_device(
    client: Client, study: Study
) -> None:
    client.post(address(study))
    for device in (client, Client()):
        assert url(device.get(address(study))) == lobby(study)
        assert device.get(lobby(study), follow=True).status_code == 200
    assert Participation.objects.count() == 1


def test_a_double_click_lets_in_one_person(client: Client, study: Study) -> None:
    client.post(address(study))
    client.post(address(study))
    assert Participation.objects.count() == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"PROLIFIC_PID": ""},
        {"SESSION_ID": ""},
        {"PROLIFIC_PID": "a" * 101},
        {"STUDY_ID": "a" * 5000},
        {"PROLIFIC_PID": "%7B%7B%25PROLIFIC_PID%25%7D%7D"},
        {"PROLIFIC_PID": "%00"},
    ],
)
def test_a_wrong_parameter_is_named_in_plain_words_and_nothing_stored(
    client: Client, study: Study, wrong: dict[str, str]
) -> None:
    for send in (client.get, client.post):
        refused = send(address(study, ids={**IDS, **wrong}))
        assert refused.status_code == 400
        page = refused.content.decode()
        assert f"parameter {next(iter(wrong))}" in page
        assert "Nothing was stored" in page
        assert "a" * 101 not in page
    assert not Worker.objects.exists()


@pytest.mark.parametrize("panel", ["mturk", "generic", "invitation", "elsewhere"])
def test_another_panel_than_the_studys_leads_nowhere(
    client: Client, study: Study, panel: str
) -> None:
    assert client.post(address(study, panel)).status_code == 404
    assert not Worker.objects.exists()


def test_nobody_arrives_by_parameters_in_a_study_with_invitations(client: Client) -> None:
    study = recruiting("invitation")
    assert client.post(address(study, "invitation", {"worker": "W"})).status_code == 404


def test_a_study_that_is_not_there_leads_nowhere(client: Client) -> None:
    assert client.get(reverse("annotation:arrive", args=["none", "prolific"])).status_code == 404


@pytest.mark.parametrize("state", [Study.State.DRAFT, Study.State.CLOSED])
def test_a_study_that_is_not_open_says_so_at_once(
    client: Client, study: Study, state: Study.State
) -> None:
    Study.objects.update(state=state)
    for send in (client.get, client.post):
        refused = send(address(study))
        assert refused.status_code == 403
        assert "This study is not open" in refused.content.decode()
        assert lobby(study) not in refused.content.decode()
    assert not Worker.objects.exists()


def test_who_had_their_data_erased_is_told_so(client: Client, study: Study) -> None:
    client.post(address(study))
    Worker.objects.update(erased_at=timezone.now())
    for send in (client.get, client.post):
        refused = send(address(study))
        assert refused.status_code == 410
        assert "The data about you was erased" in refused.content.decode()


def test_ids_of_a_generic_panel_come_under_the_names_of_the_study_file(client: Client) -> None:
    study = recruiting("generic", parameters={"worker": "pid", "session": "s"})
    assert client.get(address(study, "generic", {"pid": "A"})).status_code == 400
    client.post(address(study, "generic", {"pid": "A", "s": "S1"}))
    assert Worker.objects.get().external_id == "A"


def test_equal_ids_of_two_panels_are_two_workers_who_see_nothing_of_each_other(
    client: Client, study: Study
) -> None:
    client.post(address(study))
    other = recruiting("generic", "other", parameters={"worker": "pid"})
    stranger = Client()
    stranger.post(address(other, "generic", {"pid": "5f2a"}))
    assert Worker.objects.count() == 2
    assert stranger.get(lobby(study)).status_code == 404
    assert client.get(lobby(other)).status_code == 404


def test_another_worker_sees_neither_the_end_nor_the_batch(client: Client, study: Study) -> None:
    client.post(address(study))
    foreign = recruiting("prolific", "foreign")
    batch = lease(newcomer(foreign))
    assert client.get(end(foreign)).status_code == 404
    assert client.get(reverse("annotation:review", args=[batch.public_id])).status_code == 404


def test_the_end_page_is_for_workers_alone(client: Client, study: Study, owner: object) -> None:
    assert client.get(end(study)).status_code == 403
    client.force_login(owner)  # type: ignore[arg-type]
    assert client.get(end(study)).status_code == 403


# --- The end ------------------------------------------------------------------------------------


def batch_done(study: Study) -> Participation:
    participation = Participation.objects.get(study=study)
    batch = answer_all(lease(participation))
    submit(assignment=batch, now=timezone.now())
    return participation


def test_completed_work_shows_code_and_link_wherever_the_worker_looks(
    client: Client, study: Study
) -> None:
    client.post(address(study))
    batch = batch_done(study).assignments.get()
    done = reverse("annotation:done", args=[batch.public_id])
    for place in (done, lobby(study), done):
        page = client.get(place).content.decode()
        assert "<code>DONE-1</code>" in page
        assert 'href="https://app.prolific.com/submissions/complete?cc=DONE-1"' in page
    again = Client()
    assert "DONE-1" in again.get(address(study), follow=True).content.decode()


def test_posting_the_end_of_a_batch_again_is_harmless(client: Client, study: Study) -> None:
    client.post(address(study))
    participation = batch_done(study)
    paid = participation.ledger.count()
    batch = participation.assignments.get()
    for _ in range(2):
        again = client.post(reverse("annotation:submit", args=[batch.public_id]))
        assert url(again) == reverse("annotation:done", args=[batch.public_id])
    assert participation.ledger.count() == paid


def test_before_any_work_there_is_no_code_anywhere(client: Client, study: Study) -> None:
    client.post(address(study))
    page = client.get(lobby(study)).content.decode()
    assert "DONE-1" not in page
    assert url(client.get(end(study))) == lobby(study)


@pytest.mark.parametrize(
    ("state", "code", "words"),
    [
        (Participation.State.SCREENED_OUT, "OUT-2", "time you spent is paid"),
        (Participation.State.LEFT, "BACK-3", "You have left this study"),
        (Participation.State.REMOVED, "BACK-3", "there is nothing more to do"),
    ],
)
def test_each_end_has_its_own_page_and_code(
    client: Client, study: Study, state: Participation.State, code: str, words: str
) -> None:
    client.post(address(study))
    change_state(participation=Participation.objects.get(), to=state, reason="test")
    page = Client().get(address(study), follow=True)
    assert page.redirect_chain[-1][0] == end(study)
    text = page.content.decode()
    assert f"<code>{code}</code>" in text
    assert f"complete?cc={code}" in text
    assert words in text
    assert "DONE-1" not in text


def test_without_a_code_the_end_page_says_what_to_do(client: Client, study: Study) -> None:
    Study.objects.update(recruitment={"panel": "prolific", "completion_code": "DONE-1"})
    client.post(address(study))
    client.post(reverse("annotation:leave", args=[study.slug]))
    page = client.get(end(study)).content.decode()
    assert "return the task" in page
    assert "complete?cc=" not in page


def test_a_strange_code_cannot_break_out_of_the_page(client: Client, study: Study) -> None:
    given = {"panel": "prolific", "completion_code": '"><script>alert(1)</script>'}
    Study.objects.update(recruitment=given)
    client.post(address(study))
    batch_done(study)
    page = client.get(lobby(study)).content.decode()
    assert "<script>alert" not in page
    assert "cc=%22%3E%3Cscript%3E" in page


# --- Mechanical Turk ----------------------------------------------------------------------------


def test_a_preview_says_what_the_task_is_and_stores_nothing(client: Client) -> None:
    study = recruiting("mturk")
    ids = {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE", "hitId": "H1"}
    for send in (client.get, client.post):
        page = send(address(study, "mturk", ids))
        assert page.status_code == 200
        text = page.content.decode()
        for words in ("This is a preview", "Read the passage", "1.50 USD", "Example board"):
            assert words in text
        assert "<form" not in text
    assert not Worker.objects.exists()


def test_a_preview_of_a_closed_study_warns(client: Client) -> None:
    study = recruiting("mturk")
    Study.objects.update(state=Study.State.CLOSED)
    ids = {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE", "hitId": "H1"}
    page = client.get(address(study, "mturk", ids)).content.decode()
    assert "please do not accept" in page


def test_a_hit_ends_with_a_form_to_the_platform_and_only_there(client: Client) -> None:
    study = recruiting("mturk")
    client.post(address(study, "mturk", HIT))
    place = framed(study) + lobby(study)
    assert policy(client.get(place), "form-action") == "'self'"
    batch_done(study)
    page = client.get(place)
    assert policy(page, "form-action") == "'self' https://workersandbox.mturk.com"
    text = page.content.decode()
    assert 'action="https://workersandbox.mturk.com/mturk/externalSubmit"' in text
    for name, value in (("assignmentId", "A1"), ("code", "DONE-1"), ("outcome", "completed")):
        assert f'name="{name}" value="{value}"' in text
    form = text[text.index("externalSubmit") :]
    assert "csrfmiddlewaretoken" not in form[: form.index("</form>")]


def test_a_form_to_an_unknown_place_is_refused_on_arrival(client: Client) -> None:
    study = recruiting("mturk")
    refused = client.post(address(study, "mturk", HIT | {"turkSubmitTo": "https://evil.example"}))
    assert refused.status_code == 400
    assert not Worker.objects.exists()


# --- Inside a frame -----------------------------------------------------------------------------


@pytest.fixture
def framing() -> Study:
    return recruiting(
        "generic", parameters={"worker": "pid"}, frame_origins=["https://panel.example"]
    )


def came(study: Study) -> str:
    """The beginning of every address of somebody who came without keeping any cookie."""
    response = Client(enforce_csrf_checks=True).post(address(study, "generic", {"pid": "A"}))
    prefix = framed(study)
    assert url(response) == prefix + lobby(study)
    assert not response.cookies
    return prefix


def test_no_page_of_a_study_that_names_no_frame_may_be_framed(client: Client, study: Study) -> None:
    client.post(address(study))
    for place in (address(study), lobby(study), framed(study) + lobby(study), "/"):
        page = client.get(place)
        assert policy(page, "frame-ancestors") == "'none'"
        assert page["X-Frame-Options"] == "DENY"


def test_the_pages_of_a_framing_study_may_be_framed_by_its_panel_alone(framing: Study) -> None:
    prefix = came(framing)
    client = Client()
    for place in (
        address(framing, "generic", {"pid": "B"}),
        address(framing, "generic", {}),
        prefix + lobby(framing),
        prefix + reverse("annotation:consent", args=[framing.slug]),
    ):
        page = client.get(place)
        assert policy(page, "frame-ancestors") == "https://panel.example"
        assert "X-Frame-Options" not in page


def test_other_pages_of_a_framing_study_stay_out_of_frames(
    client: Client, framing: Study, owner: object
) -> None:
    came(framing)
    client.force_login(owner)  # type: ignore[arg-type]
    back = reverse("annotation:return", args=[Participation.objects.get().token])
    for place in ("/", back, lobby(framing), reverse("desk:study", args=[framing.slug])):
        assert policy(client.get(place), "frame-ancestors") == "'none'"


def test_the_whole_way_needs_no_cookie_inside_a_frame(framing: Study) -> None:
    prefix = came(framing)

    def send(place: str, data: dict[str, str] | None = None) -> Any:
        """From a browser that keeps nothing, to a server that checks its forms."""
        client = Client(enforce_csrf_checks=True)
        assert place.startswith(prefix)
        return client.get(place) if data is None else client.post(place, data)

    consent = prefix + reverse("annotation:consent", args=[framing.slug])
    text_hash = send(consent).context["form"]["text_hash"].value()
    agreed = send(consent, {"text_hash": text_hash, "agree": "on", "of_age": "on"})
    assert url(agreed) == prefix + lobby(framing)
    question = url(send(prefix + reverse("annotation:start", args=[framing.slug]), {}))
    page = send(question).content.decode()
    # Its own addresses are relative to where it is.
    assert '<form method="post" class="question' in page
    assert 'hx-post="draft/"' in page
    assert 'href="/work/' not in page
    saved = send(question, {"sentences": "0", "revision": "0", "go": "next"})
    assert url(saved).startswith(prefix)
    batch = answer_all(Participation.objects.get().assignments.get())
    done = send(prefix + reverse("annotation:submit", args=[batch.public_id]), {})
    page = send(url(done)).content.decode()
    assert "DONE-1" in page
    assert 'href="/work/' not in page
    assert 'href="/static/' in page


def test_the_way_back_leads_out_of_the_frame(framing: Study) -> None:
    prefix = came(framing)
    back = reverse("annotation:return", args=[Participation.objects.get().token])
    link = f"http://testserver{back}"
    assert f'readonly value="{link}"' in Client().get(prefix + consent(framing)).content.decode()
    batch_done(framing)
    page = Client().get(prefix + lobby(framing)).content.decode()
    assert f'href="{link}" target="_blank"' in page


def test_an_address_of_a_frame_opens_that_study_and_that_worker_alone(
    client: Client, framing: Study
) -> None:
    prefix = came(framing)
    other = make_study("other")
    foreign = newcomer(other)
    person = Participation.objects.get(study=framing)
    worker = person.worker
    arrive_from_panel(study=other, panel=worker.panel, visit=Visit(worker.external_id))
    theirs = lease(foreign)
    for place in (
        lobby(other),
        reverse("annotation:review", args=[theirs.public_id]),
        "/",
        "/studies/small/",
        reverse("annotation:return", args=[person.token]),
    ):
        assert client.get(prefix + place).status_code == 404


def test_the_address_says_who_it_is_whatever_a_cookie_says(client: Client, framing: Study) -> None:
    prefix = came(framing)
    stranger = newcomer(framing)
    client.get(reverse("annotation:return", args=[stranger.token]))
    page = client.get(prefix + lobby(framing), follow=True).content.decode()
    assert Participation.objects.get(worker__external_id="A").token in page
    assert stranger.token not in page


def test_a_wrong_token_opens_nothing(client: Client, framing: Study) -> None:
    came(framing)
    assert client.get(f"/in/{framing.slug}/wrong{lobby(framing)}").status_code == 404
    assert client.get(f"/in/nowhere/wrong{lobby(framing)}").status_code == 404


def test_addresses_are_plain_again_after_a_framed_page(framing: Study) -> None:
    client, prefix = Client(), came(framing)
    client.get(prefix + lobby(framing))
    client.get(prefix + "/work/nothing/here/")
    assert reverse("desk:home") == "/"
