"""Counts of what was done at a question: kept as counts, only where the study asks for them."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.entry.consent import agreed_texts, consent_hash, needs_consent
from annotation.models import Annotation, Draft, Study
from annotation.rights.retention import erase_expired
from annotation.rights.stored_data import stored_about
from annotation.rights.withdrawal import withdraw
from annotation.views.questions import reported_counts
from annotation.work.paradata import COUNTS, MOST, as_posted, counts_after
from annotation.work.submission import submit
from tests.annotation.worker_client import Person
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import make_study

POSTED = {"sentences": ["0"], "revision": "0", "active_seconds": "10", "paradata": "1 2 30 4 5"}
STORED = dict(zip(COUNTS, (1, 2, 30, 4, 5), strict=True))
PAGE = 'name="paradata"'


def after(before: dict[str, int] | None, reported: str, *, saved: bool = True) -> object:
    draft = Draft(paradata=before, saved_at=timezone.now() if saved else None)
    return counts_after(draft, reported_counts(reported))


@pytest.mark.parametrize(
    "text", ["", "1 2 3", "1 2 3 4 5 6", "1 2 3 4 x", "1 2 3 4 -5", "1 2 3 4 1.5", "1 2 3 4 ٥"]
)
def test_what_is_no_five_counts_is_not_recorded(text: str) -> None:
    assert reported_counts(text) is None


def test_counts_are_read_and_a_flood_of_them_is_cut() -> None:
    assert reported_counts("1 2 30 4 5") == STORED
    assert reported_counts("999999999 0 0 0 0") == dict.fromkeys(COUNTS, 0) | {"pastes": MOST}
    assert as_posted(STORED) == "1 2 30 4 5"
    assert as_posted(None) == "0 0 0 0 0"


def test_counts_never_go_down_and_a_save_sent_twice_adds_nothing() -> None:
    assert after(STORED, "1 2 30 4 5") == STORED
    assert after(STORED, "0 9 0 0 0") == STORED | {"blurs": 9}
    assert after(None, "1 2 30 4 5", saved=False) == STORED


def test_what_one_page_did_not_record_is_not_known_ever_after_and_is_not_0() -> None:
    assert after(STORED, "") is None
    assert after(None, "1 2 30 4 5") is None


@pytest.fixture
def study(db: None) -> Study:
    return make_study(collect_paradata=True)


def test_a_save_keeps_the_counts_and_the_next_page_goes_on_from_them(study: Study) -> None:
    person = Person(study)
    assert f'{PAGE} value="" data-so-far="0 0 0 0 0"' in person.get()
    person.autosave(POSTED)
    assert Draft.objects.get().paradata == STORED
    assert 'data-so-far="1 2 30 4 5"' in person.get()
    person.post(POSTED | {"revision": "1", "paradata": "1 3 30 4 5"})
    assert Draft.objects.get(question__block__position=0).paradata == STORED | {"blurs": 3}


def test_a_page_without_a_script_records_nothing_and_is_saved_alike(study: Study) -> None:
    person = Person(study)
    person.get()
    person.post({"sentences": ["0"], "revision": "0", "paradata": "", "active_seconds": ""})
    draft = Draft.objects.get(question__block__position=0)
    assert (draft.paradata, draft.complete) == (None, True)


def test_a_study_that_does_not_ask_has_no_script_and_keeps_no_counts(db: None) -> None:
    person = Person(make_study())
    page = person.get()
    assert PAGE not in page
    assert "paradata.js" not in page
    person.autosave(POSTED)
    assert Draft.objects.get().paradata is None


def test_the_same_number_of_queries_saves_with_counts_and_without(
    db: None,
) -> None:
    numbers = []
    for slug, asks in (("with", True), ("without", False)):
        person = Person(make_study(slug, collect_paradata=asks))
        person.get()
        with CaptureQueriesContext(connection) as queries:
            person.autosave(POSTED)
        numbers.append(len(queries))
    assert numbers[0] == numbers[1]


def worked(study: Study) -> Annotation:
    """An answer whose counts were stored with it, of somebody's submitted batch."""
    batch = answer_all(lease(newcomer(study)))
    Draft.objects.update(paradata=STORED)
    submit(assignment=batch, now=timezone.now())
    answers = list(Annotation.objects.all())
    assert [answer.paradata for answer in answers] == [STORED] * len(answers)
    return answers[0]


def test_workers_get_their_counts_and_a_withdrawal_erases_them(study: Study) -> None:
    participation = worked(study).assignment.participation  # type: ignore[union-attr]
    batch = stored_about(participation)["batches"][0]
    assert batch["answers"][0]["paradata"] == STORED
    assert batch["drafts"][0]["paradata"] == STORED
    withdraw(participation=participation, now=timezone.now())
    assert set(Annotation.objects.values_list("paradata", flat=True)) == {None}
    assert not Annotation.objects.filter(paradata__isnull=False).exists()


def test_when_a_studys_time_is_over_the_counts_are_erased_and_the_answers_stay(
    study: Study,
) -> None:
    worked(study)
    erased = erase_expired(now=timezone.now() + timedelta(days=366))
    assert erased.counted == Annotation.objects.count() == 4
    assert not Annotation.objects.filter(paradata__isnull=False).exists()
    assert not Annotation.objects.filter(answer={}).exists()


def test_who_agreed_before_pages_counted_is_asked_again_and_the_record_says_what_to(
    db: None,
) -> None:
    study = make_study()
    before, person = consent_hash(study), newcomer(study)
    study.collect_paradata = True
    study.save()
    person.refresh_from_db()
    assert consent_hash(study) != before
    assert needs_consent(person)
    newcomer(study)
    words = [agreed.words for agreed in agreed_texts(study)]
    assert [one.ethics.get("collect_paradata") for one in words if one] == [True, None]


def test_the_consent_page_says_that_pages_count_only_where_they_do(study: Study) -> None:
    person = Person(study)
    address = reverse("annotation:consent", args=[study.slug])
    sentence = "the page counts how often you paste something"
    assert sentence in person.client.get(address).content.decode()
    Study.objects.update(collect_paradata=False)
    assert sentence not in person.client.get(address).content.decode()
