"""A panel id proves that somebody may work, and nothing else: the stranger who knows one, and all
the ways in which the worker themselves is known again."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.access import PLACES_SESSION_KEY
from annotation.entry.consent import consent_hash, give_consent
from annotation.entry.invitations import end_invitation, invite
from annotation.models import (
    Annotation,
    Assignment,
    BrowserSession,
    Draft,
    Participation,
    Study,
    User,
    Worker,
)
from annotation.urls import urlpatterns
from annotation.work.submission import submit
from tests.annotation.views.panel_links import IDS, address, recruiting
from tests.annotation.worker_client import HTMX
from tests.annotation.workers import answer_all, lease
from tests.services.prolific import FakeProlific

pytestmark = pytest.mark.django_db

INVENTED = {**IDS, "SESSION_ID": "made-up"}
OWN = ("my-data", "my-data-file", "withdraw", "statement", "leave")
SECRET = "Only I know that the bridge hums."
FRAMES: dict[str, Any] = {
    "parameters": {"worker": "pid", "session": "sid"},
    "frame_origins": ["https://p.example"],
}


@pytest.fixture
def study() -> Study:
    return recruiting("prolific")


def come(study: Study, client: Client, ids: dict[str, str] | None = None) -> Participation:
    """By the panel's link, agreeing to the study."""
    assert client.post(address(study, ids=ids)).status_code == 302
    pid = (ids or IDS)["PROLIFIC_PID"]
    person = study.participations.get(worker__external_id=pid)
    give_consent(participation=person, text_hash=consent_hash(study), of_age=True)
    return person


@pytest.fixture
def worker(study: Study, client: Client) -> Participation:
    """Who came first, in `client`: with a submitted batch, and an open one that is answered."""
    person = come(study, client)
    batch = submit(assignment=answer_all(lease(person)), now=timezone.now())
    Assignment.objects.filter(pk=batch.pk).update(comment=SECRET, feedback=SECRET)
    opened = answer_all(lease(person))
    opened.assignment_units.update(problem=SECRET)
    return person


@pytest.fixture
def stranger(study: Study, worker: Participation) -> Client:
    """With the worker's id, in a browser and a session that nobody has seen."""
    client = Client()
    come(study, client, INVENTED)
    return client


def page(client: Client, name: str, study: Study) -> Any:
    return client.get(reverse(f"annotation:{name}", args=[study.slug]))


def is_proved(client: Client, study: Study) -> bool:
    """As its pages are: all of those that are the worker's alone, or none."""
    found = {page(client, name, study).status_code for name in OWN}
    assert found in ({200}, {403}), found
    return found == {200}


def places(study: Study) -> Iterator[str]:
    """Every address of the workers' pages that names the study or a batch of it."""
    values: dict[str, object] = {"position": 1, "block": 1, "number": 1, "when": "before"}
    for pattern in urlpatterns:
        needed = set(pattern.pattern.converters)
        if "slug" in needed and "panel" not in needed:
            given = {name: values[name] for name in needed - {"slug"}}
            yield reverse(f"annotation:{pattern.name}", kwargs={"slug": study.slug, **given})
        for batch in Assignment.objects.filter(round__study=study):
            if "public_id" in needed:
                given = {name: values[name] for name in needed - {"public_id"}}
                names = {"public_id": batch.public_id, **given}
                yield reverse(f"annotation:{pattern.name}", kwargs=names)


def test_a_stranger_with_a_workers_id_sees_nothing_of_theirs_on_any_page(
    study: Study, worker: Participation, stranger: Client
) -> None:
    secrets = (SECRET, worker.token, "batch by batch", 'value="0" checked')
    seen = list(places(study))
    assert len(seen) > 25
    before = list(Draft.objects.order_by("pk").values())
    for place in seen:
        for method in (stranger.get, stranger.post):
            come(study, stranger, INVENTED)  # one of the pages signs out
            shown = method(place, follow=True)
            assert shown.status_code < 500, place
            for secret in secrets:
                assert secret not in shown.content.decode(), (place, secret)
    for name in OWN:
        told = page(stranger, name, study)
        assert told.status_code == 403
        assert "open your personal link" in told.content.decode()
    # And nothing was changed by all that.
    worker.refresh_from_db()
    assert worker.state == Participation.State.CONSENTED
    assert not Annotation.objects.exclude(withdrawn_at=None).exists()
    assert list(Draft.objects.order_by("pk").values()) == before


def test_a_stranger_neither_reads_nor_changes_what_was_typed_into_an_open_batch(
    study: Study, worker: Participation, stranger: Client
) -> None:
    batch = worker.assignments.get(state="active")
    place = reverse("annotation:question", args=[batch.public_id, 1, 1])
    before = list(Draft.objects.order_by("pk").values())
    typed = {"none": "on", "revision": "1"}
    assert stranger.post(place, typed).status_code == 403
    assert stranger.post(f"{place}draft/", typed, headers=HTMX).status_code == 403
    for name in ("submit", "extend"):
        sent = stranger.post(reverse(f"annotation:{name}", args=[batch.public_id]))
        assert sent.status_code == 403
    start = reverse("annotation:start", args=[study.slug])
    assert stranger.post(start).status_code == 403
    assert "begun in another browser" in page(stranger, "lobby", study).content.decode()
    assert list(Draft.objects.order_by("pk").values()) == before


def begin(client: Client, study: Study) -> Assignment:
    client.post(reverse("annotation:start", args=[study.slug]))
    return Assignment.objects.latest("pk")


def test_who_proved_nothing_may_work_and_sees_their_own_work(study: Study, client: Client) -> None:
    come(study, client)
    unproved, other = Client(), Client()
    come(study, unproved, INVENTED)
    batch = begin(unproved, study)
    place = reverse("annotation:question", args=[batch.public_id, 1, 1])
    answer_all(batch)
    assert "checked" in unproved.get(place).content.decode()
    come(study, other, {**IDS, "SESSION_ID": "another"})
    assert other.get(place).status_code == 403
    # The same session on another device is the same visit; the worker themselves may see all.
    device = Client()
    come(study, device, INVENTED)
    assert device.get(place).status_code == client.get(place).status_code == 200
    done = unproved.post(reverse("annotation:submit", args=[batch.public_id]), follow=True)
    told = done.content.decode()
    assert "your answers are stored" in told
    assert "bridge number" in page(unproved, "debrief", study).content.decode()
    assert "bridge number" not in page(other, "debrief", study).content.decode()
    assert not is_proved(unproved, study)


def test_an_invented_session_is_no_proof_when_it_comes_again(
    study: Study, worker: Participation, stranger: Client
) -> None:
    for client in (stranger, Client()):
        come(study, client, INVENTED)
        assert not is_proved(client, study)


def test_a_strangers_visit_does_not_displace_the_workers_session(
    study: Study, client: Client
) -> None:
    come(study, client)
    for number in range(3):
        come(study, Client(), {**IDS, "SESSION_ID": f"made-up-{number}"})
    again = Client()
    come(study, again)
    assert is_proved(again, study)


def by_the_same_browser(study: Study, first: Client) -> Client:
    come(study, first, {**IDS, "SESSION_ID": "second-study"})
    return first


def by_the_same_session(study: Study, first: Client) -> Client:
    client = Client()
    come(study, client)
    return client


def by_the_personal_link(study: Study, first: Client) -> Client:
    client = Client()
    come(study, client, INVENTED)
    token = Participation.objects.get().token
    client.get(reverse("annotation:return", args=[token]))
    come(study, client, INVENTED)
    return client


@pytest.mark.parametrize("way", [by_the_same_browser, by_the_same_session, by_the_personal_link])
def test_the_worker_is_known_again(
    study: Study, client: Client, way: Callable[[Study, Client], Client]
) -> None:
    come(study, client)
    assert is_proved(client, study)
    assert is_proved(way(study, client), study)


def test_a_session_that_came_with_a_proved_browser_proves_from_then_on(
    study: Study, client: Client
) -> None:
    come(study, client)
    come(study, Client(), INVENTED)
    come(study, client, INVENTED)
    again = Client()
    come(study, again, INVENTED)
    assert is_proved(again, study)


def test_a_panel_without_sessions_knows_nobody_again_by_the_id(client: Client) -> None:
    study = recruiting("generic")
    arrive = address(study, "generic", {"worker": "W1"})
    client.post(arrive)
    other = Client()
    other.post(arrive)
    assert is_proved(client, study)
    assert not is_proved(other, study)


def test_a_browser_of_one_study_opens_no_other(study: Study, worker: Participation) -> None:
    other, guest = recruiting("prolific", "other"), Client()
    come(other, guest, INVENTED)  # the owner of this study knows the id
    assert is_proved(guest, other)
    for place in places(study):
        assert {guest.get(place).status_code, guest.post(place).status_code} <= {404, 405}
    come(study, guest, INVENTED)
    assert not is_proved(guest, study)
    guest.get(reverse("annotation:return", args=[worker.token]))
    assert is_proved(guest, study)


def test_who_came_first_to_another_study_by_the_id_has_no_part_in_this_one(study: Study) -> None:
    other, early, client = recruiting("prolific", "other"), Client(), Client()
    come(other, early, INVENTED)
    worker = come(study, client)
    assert is_proved(client, study)
    link = reverse("annotation:return", args=[other.participations.get().token])
    for browser in (early, Client()):
        assert browser.get(link)["Location"] == reverse("annotation:lobby", args=[other.slug])
        assert page(browser, "my-data", study).status_code == 404
        come(study, browser, INVENTED)
        assert not is_proved(browser, study)
    assert worker.worker == other.participations.get().worker


def test_an_open_invitation_takes_nobody_for_the_worker_of_another_study(
    study: Study, client: Client
) -> None:
    join = {
        one.slug: reverse("annotation:join", args=[invite(study=one, created_by=None).token])
        for one in (study, recruiting("invitation", "other"))
    }
    client.post(join[study.slug])
    client.post(join["other"])
    assert Worker.objects.count() == 2
    guest = Client()
    guest.get(reverse("annotation:return", args=[Participation.objects.earliest("pk").token]))
    assert page(guest, "lobby", Study.objects.get(slug="other")).status_code == 404


def test_an_account_that_is_signed_in_is_proof(owner: User) -> None:
    study = recruiting("account")
    for client in (Client(), Client()):
        client.force_login(owner)
        client.post(reverse("annotation:arrive", args=[study.slug, "account"]))
        assert is_proved(client, study)
    assert Worker.objects.count() == 1


def signed(study: Study, ids: dict[str, str], token: str) -> str:
    return address(study, ids={**ids, "prolific_token": token})


def test_an_address_that_prolific_signed_is_proof(
    study: Study, worker: Participation, signing: FakeProlific
) -> None:
    client, again = Client(), {**IDS, "SESSION_ID": "second-study"}
    came = client.get(signed(study, again, signing.sign(again, "testserver")))
    assert came["Location"] == reverse("annotation:lobby", args=[study.slug])
    assert is_proved(client, study)
    # It opens that worker's place, and nobody else's.
    come(study, Client(), {**IDS, "PROLIFIC_PID": "other"})
    stranger, other = Client(), {**again, "PROLIFIC_PID": "other"}
    stranger.get(signed(study, other, signing.sign(again, "testserver")))
    assert not is_proved(stranger, study)


def test_an_address_is_as_good_without_a_signature_that_proves_nothing(
    study: Study, worker: Participation, signing: FakeProlific
) -> None:
    gone = timezone.now() - timedelta(minutes=5)
    for number, token in enumerate(
        ["junk", signing.sign(IDS, "testserver"), signing.sign(INVENTED, "testserver", exp=gone)]
    ):
        client = Client()
        came = client.get(signed(study, INVENTED, token))
        assert came["Location"] == reverse("annotation:lobby", args=[study.slug]), number
        assert not is_proved(client, study)
        assert page(client, "lobby", study).status_code == 200


def test_inside_a_frame_a_signature_is_as_good(signing: FakeProlific) -> None:
    study = recruiting("prolific", "framed", frame_origins=["https://app.prolific.com"])
    come(study, Client())
    token = signing.sign(INVENTED, "testserver")
    for sent, status in (("junk", 403), (token, 200)):
        came = Client().get(signed(study, INVENTED, sent))
        prefix = str(came["Location"]).partition("/work/")[0]
        shown = Client().get(prefix + reverse("annotation:my-data", args=[study.slug]))
        assert shown.status_code == status


def test_a_token_is_kept_nowhere(
    study: Study, client: Client, signing: FakeProlific, caplog: pytest.LogCaptureFixture
) -> None:
    token = signing.sign(IDS, "testserver")
    arrival = signed(study, IDS, token)
    answers = [client.get(arrival), client.post(arrival), client.get(arrival, follow=True)]
    answers.append(client.post(reverse("annotation:arrive", args=["none", "prolific"]) + arrival))
    for answer in answers:
        assert token not in answer.content.decode()
        assert token not in str(answer.headers)
        assert token not in str(getattr(answer, "redirect_chain", ""))
    person = study.participations.get()
    assert token not in str([*client.session.items(), vars(person), vars(person.worker)])
    assert token not in caplog.text
    assert signing.calls == [("GET", "jwks.json")] * len(signing.calls)


def test_a_personal_invitation_is_proof_until_it_ends(study: Study) -> None:
    invitation = invite(study=study, created_by=None, personal=True)
    join = reverse("annotation:join", args=[invitation.token])
    for client in (Client(), Client()):
        client.post(join)
        assert is_proved(client, study)
    end_invitation(invitation=invitation, now=timezone.now())
    assert Client().post(join).status_code == 410


def test_an_open_invitation_proves_newcomers_alone(
    study: Study, worker: Participation, stranger: Client
) -> None:
    join = reverse("annotation:join", args=[invite(study=study, created_by=None).token])
    stranger.post(join)
    assert not is_proved(stranger, study)
    newcomer = Client()
    newcomer.post(join)
    assert is_proved(newcomer, study)
    assert study.participations.count() == 2


def test_arriving_gets_a_new_session_key(study: Study, client: Client) -> None:
    planted = client.session
    planted["planted"] = True
    planted.save()
    come(study, client)
    key = client.session.session_key
    assert key != planted.session_key
    assert not BrowserSession.objects.filter(pk=planted.session_key).exists()
    client.post(reverse("annotation:not-me", args=[study.slug]))
    assert client.session.session_key != key
    assert PLACES_SESSION_KEY not in client.session


def framed(study: Study, session: str) -> str:
    """The beginning of the address that a worker's browser gets inside the panel's frame."""
    came = Client().post(address(study, "generic", {"pid": "W1", "sid": session}))
    return str(came["Location"]).partition("/work/")[0]


def test_a_framed_address_holds_what_its_visit_has_proved_and_no_more() -> None:
    study = recruiting("generic", **FRAMES)
    own, again, invented = (framed(study, sid) for sid in ("s1", "s1", "made-up"))
    assert own == again != invented
    token = Participation.objects.get().token
    assert token not in own + invented
    for prefix, status in ((own, 200), (invented, 403)):
        for name in OWN:
            place = prefix + reverse(f"annotation:{name}", args=[study.slug])
            shown = Client().get(place)
            assert shown.status_code == status
            assert (token in shown.content.decode()) is (status == 200 and name != "my-data-file")
    # Without the visit's key, or with one made up, the signature does not hold.
    head, key, mark = *invented.rpartition("/")[2].rpartition(".")[0].split("-"), invented[-43:]
    lobby = reverse("annotation:lobby", args=[study.slug])
    for forged in (f"{head}-.{mark}", f"{head}-{key[:-1]}.{mark}", f"{head}-{key}.{mark[:-1]}"):
        assert Client().get(f"/in/{study.slug}/{forged}{lobby}").status_code == 404
