import pytest
from django.test import Client
from django.urls import reverse

from annotation.entry.arrival import arrive
from annotation.entry.consent import (
    ConsentChanged,
    NotOfAge,
    agreed_texts,
    consent_hash,
    give_consent,
    needs_consent,
)
from annotation.entry.invitations import invite
from annotation.models import Consent, Participation, Study, User
from annotation.rights.stored_data import stored_about
from tests.annotation.workers import newcomer
from tests.cast import make_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def arrived() -> Participation:
    study = make_study()
    return arrive(study=study, invitation=invite(study=study, created_by=None))


def test_consent_is_recorded_with_its_version_its_text_and_its_time(
    arrived: Participation,
) -> None:
    shown = consent_hash(arrived.study)
    consent = give_consent(participation=arrived, text_hash=shown, of_age=True)
    assert (consent.version, consent.text_hash, consent.of_age) == ("1", shown, True)
    assert consent.given_at is not None
    arrived.refresh_from_db()
    assert arrived.state == Participation.State.CONSENTED


def test_a_second_click_records_no_second_consent(arrived: Participation) -> None:
    shown = consent_hash(arrived.study)
    for _ in range(2):
        give_consent(participation=arrived, text_hash=shown, of_age=True)
    assert arrived.consents.count() == 1


@pytest.mark.parametrize(
    "change",
    [
        {"consent_text": "Taking part is voluntary. We keep recordings."},
        {"consent_version": "2"},
        {"ethics": {"board": "Another board"}},
    ],
)
def test_changed_words_are_asked_again(arrived: Participation, change: dict[str, object]) -> None:
    give_consent(participation=arrived, text_hash=consent_hash(arrived.study), of_age=True)
    assert not needs_consent(arrived)
    for name, value in change.items():
        setattr(arrived.study, name, value)
    assert needs_consent(arrived)


def test_nobody_agrees_to_words_that_changed_while_they_read(arrived: Participation) -> None:
    shown = consent_hash(arrived.study)
    Study.objects.update(consent_text="Other words.")
    arrived.study.refresh_from_db()
    with pytest.raises(ConsentChanged):
        give_consent(participation=arrived, text_hash=shown, of_age=True)
    assert needs_consent(arrived)


def test_the_words_that_people_agreed_to_stay_readable(arrived: Participation) -> None:
    study = arrived.study
    give_consent(participation=arrived, text_hash=consent_hash(study), of_age=True)
    other = arrive(study=study, invitation=invite(study=study, created_by=None))
    give_consent(participation=other, text_hash=consent_hash(study), of_age=True)
    Study.objects.update(consent_text="Other words.", ethics={"board": "Another board"})
    arrived.study.refresh_from_db()
    give_consent(participation=arrived, text_hash=consent_hash(arrived.study), of_age=True)
    newer, older = agreed_texts(study)
    assert older.words is not None
    assert (older.version, older.people, older.words.text) == ("1", 2, "Taking part is voluntary.")
    assert older.words.ethics["board"] == "Example board"
    assert newer.words is not None
    assert (newer.people, newer.words.text) == (1, "Other words.")
    told = stored_about(arrived)["consents"]
    assert [one["text"] for one in told] == ["Taking part is voluntary.", "Other words."]
    assert told[1]["ethics"] == {"board": "Another board"}


def test_words_that_were_not_kept_are_said_to_be_unknown(arrived: Participation) -> None:
    Consent.objects.create(participation=arrived, version="0", text_hash="0" * 64, of_age=True)
    (text,) = agreed_texts(arrived.study)
    assert text.words is None
    assert stored_about(arrived)["consents"][0]["text"] is None


def test_owners_alone_see_what_people_agreed_to(
    client: Client, study: Study, owner: User, colleague: User, outsider: User
) -> None:
    Consent.objects.create(
        participation=newcomer(study), version="0", text_hash="0" * 64, of_age=True
    )
    address = reverse("desk:consents", args=[study.slug])
    for user, status in ((colleague, 403), (outsider, 404)):
        client.force_login(user)
        assert client.get(address).status_code == status
    client.force_login(owner)
    page = client.get(address).content.decode()
    for words in ("Taking part is voluntary.", "Example board", "before texts were stored"):
        assert words in page
    people = client.get(reverse("desk:workers", args=[study.slug])).content.decode()
    assert address in people


def test_a_minimum_age_must_be_confirmed(arrived: Participation) -> None:
    with pytest.raises(NotOfAge):
        give_consent(participation=arrived, text_hash=consent_hash(arrived.study), of_age=False)
    arrived.study.ethics["minimum_age"] = None
    give_consent(participation=arrived, text_hash=consent_hash(arrived.study), of_age=False)
