import pytest

from annotation.arriving import arrive
from annotation.consenting import (
    ConsentChanged,
    NotOfAge,
    consent_hash,
    give_consent,
    needs_consent,
)
from annotation.inviting import invite
from annotation.models import Participation, Study
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


def test_a_minimum_age_must_be_confirmed(arrived: Participation) -> None:
    with pytest.raises(NotOfAge):
        give_consent(participation=arrived, text_hash=consent_hash(arrived.study), of_age=False)
    arrived.study.ethics["minimum_age"] = None
    give_consent(participation=arrived, text_hash=consent_hash(arrived.study), of_age=False)
