"""What a worker says is wrong with a question: kept while the batch is open, and never lost."""

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import AssignmentUnit, Draft, Study
from annotation.rights.withdrawal import withdraw
from annotation.work.problems import LONGEST
from tests.annotation.worker_client import Person
from tests.annotation.workers import answer_all
from tests.cast import make_study

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

ANSWER = {"sentences": ["0"]}
JANE = "My name is Jane."


@pytest.fixture
def study() -> Study:
    return make_study()


@pytest.fixture
def person(study: Study) -> Person:
    return Person(study)


def problem() -> str:
    return AssignmentUnit.objects.get(position=1).problem


def test_a_report_is_kept_with_the_answer_beside_it(person: Person) -> None:
    sent = person.post({**ANSWER, "revision": "0", "problem": f"  {JANE} ", "go": "stay"})
    assert sent.status_code == 302
    assert problem() == JANE
    assert JANE in person.get()
    # A double click, whose form knows nothing of the first one.
    assert person.post({**ANSWER, "revision": "0", "problem": JANE}).status_code == 302
    assert Draft.objects.get().revision == 1


def test_a_report_alone_is_a_change_and_a_very_long_one_is_cut(person: Person) -> None:
    person.post({**ANSWER, "revision": "0"})
    person.autosave({**ANSWER, "revision": "1", "problem": "x" * 3000})
    assert problem() == "x" * LONGEST
    assert Draft.objects.get().revision == 2


@pytest.mark.parametrize("way", ["post", "autosave"])
def test_nothing_is_kept_from_an_old_tab_after_a_withdrawal(person: Person, way: str) -> None:
    withdraw(participation=person.batch.participation, now=timezone.now())
    sent = getattr(person, way)({**ANSWER, "revision": "0", "problem": JANE})
    assert sent.status_code == 409
    assert problem() == ""


def test_a_submitted_batch_takes_no_new_words(person: Person) -> None:
    answer_all(person.batch)
    person.submit()
    posted = {"sentences": ["0", "2"], "revision": "1", "problem": JANE}
    assert person.post(posted).status_code == 409
    assert problem() == ""


def test_an_old_tab_takes_no_report_away(person: Person) -> None:
    person.post({**ANSWER, "revision": "0", "problem": "It is cut off."})
    for old in (ANSWER, {"sentences": ["2"]}):
        assert person.post({**old, "revision": "0", "problem": ""}).status_code == 409
        assert person.autosave({**old, "revision": "0", "problem": ""}).status_code == 409
    assert problem() == "It is cut off."


def test_who_chooses_between_two_versions_keeps_what_they_reported(
    person: Person, study: Study
) -> None:
    person.autosave({**ANSWER, "revision": "0"})
    choice = person.post({"sentences": ["2"], "revision": "0", "problem": JANE})
    page = choice.content.decode()
    assert choice.status_code == 409
    assert f'name="problem" value="{JANE}"' in page
    for name in ("lobby", "leave", "my-data"):
        assert reverse(f"annotation:{name}", args=[study.slug]) in page


def test_a_character_that_no_database_keeps_is_left_out(person: Person) -> None:
    sent = person.autosave({"sentences": ["0\0"], "revision": "0", "problem": "cut\0 off"})
    assert sent.status_code == 200
    assert problem() == "cut off"
    assert Draft.objects.get().posted == ANSWER
    person.client.post(person.of_batch("submit"), {"comment": "thank\0 you"})
    person.batch.refresh_from_db()
    assert person.batch.comment == "thank you"


def test_a_place_beyond_all_numbers_is_no_place(person: Person) -> None:
    for position in ("9" * 25, "99999", "32768"):
        for rest in ("", "draft/", "answer/"):
            address = f"/work/batch/{person.batch.public_id}/{position}/1/{rest}"
            assert person.client.post(address, ANSWER).status_code in (404, 405)
    assert person.client.get("/join/a%00b/").status_code == 404


def test_a_comment_outlives_a_text_that_is_asked_about_again(person: Person) -> None:
    Study.objects.update(consent_text="Other words.", consent_version="2")
    sent = person.client.post(person.of_batch("submit"), {"comment": "It was long."})
    assert "consent" in sent.headers["Location"]
    person.batch.refresh_from_db()
    assert person.batch.comment == "It was long."
