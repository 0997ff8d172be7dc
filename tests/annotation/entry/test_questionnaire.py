"""A questionnaire about the person: asked once, erased with them, told before consent."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.entry.arrival import arrive
from annotation.entry.consent import agreed_texts, consent_hash
from annotation.entry.invitations import invite
from annotation.entry.questionnaire import is_due_at_the_end, keep_answers
from annotation.models import Member, Participation, Study, User
from annotation.rights.erasure import erase_worker
from annotation.rights.retention import erase_expired
from annotation.rights.stored_data import stored_about
from annotation.rights.withdrawal import take_back, withdraw
from annotation.work.qualification import change_state
from annotation.work.submission import submit
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import join, make_study
from tests.sessions import as_user

pytestmark = pytest.mark.django_db

LEVEL = {
    "question": "How well do you read English?",
    "kind": "choice",
    "options": ["well", "<b>not</b> so well"],
    "asked": "before",
    "required": True,
}
YEARS = {"question": "Years?", "kind": "number", "options": [], "asked": "before"}
ANYTHING = {"question": "Anything else?", "kind": "text", "options": [], "asked": "after"}
QUESTIONS = [LEVEL, {**YEARS, "required": False}, {**ANYTHING, "required": False}]
TOLD = [{"question": LEVEL["question"], "answer": "well"}, {"question": "Years?", "answer": 3.0}]


@pytest.fixture
def study() -> Study:
    return make_study(
        questionnaire={"purpose": "To describe who answered.", "questions": QUESTIONS}
    )


def browser_of(person: Participation) -> Client:
    client = Client()
    client.get(reverse("annotation:return", args=[person.token]))
    return client


def page(person: Participation, when: str, posted: dict[str, Any] | None = None) -> Any:
    address = reverse("annotation:questionnaire", args=[person.study.slug, when])
    client = browser_of(person)
    return client.get(address) if posted is None else client.post(address, posted)


def start(person: Participation) -> Any:
    return browser_of(person).post(reverse("annotation:start", args=[person.study.slug]))


def worked(study: Study) -> Participation:
    person = newcomer(study)
    submit(assignment=answer_all(lease(person)), now=timezone.now())
    return person


def test_it_comes_before_the_first_batch_and_once(study: Study) -> None:
    person = newcomer(study)
    first = start(person)
    assert first.url == reverse("annotation:questionnaire", args=["small", "before"])
    shown = page(person, "before").content.decode()
    assert "To describe who answered." in shown
    assert "&lt;b&gt;not&lt;/b&gt; so well" in shown
    assert "Anything else?" not in shown
    sent = page(person, "before", {"question-0": "well", "question-1": "3"})
    assert "/work/batch/" in sent.url
    person.refresh_from_db()
    assert person.questionnaire == {"before": TOLD}
    assert "/work/batch/" in start(person).url


def test_what_is_needed_and_left_open_is_named_and_nothing_typed_is_lost(study: Study) -> None:
    person = newcomer(study)
    answer = page(person, "before", {"question-1": "many"})
    said = answer.content.decode()
    assert answer.status_code == 422
    assert "Please answer this question." in said
    assert "Please enter a number." in said
    assert 'value="many"' in said
    person.refresh_from_db()
    assert person.questionnaire == {}


def test_a_choice_that_was_not_offered_and_a_flood_are_refused(study: Study) -> None:
    person = worked(study)
    assert page(person, "before", {"question-0": "none"}).status_code == 422
    assert page(person, "after", {"question-0": "x" * 1001}).status_code == 422
    assert page(person, "before", {"question-0": "well", "question-1": "nan"}).status_code == 422


def test_leaving_all_open_is_an_answer_where_nothing_is_needed(study: Study) -> None:
    person = worked(study)
    assert is_due_at_the_end(person)
    assert page(person, "after", {"question-0": ""}).status_code == 302
    person.refresh_from_db()
    assert person.questionnaire == {"after": []}
    assert not is_due_at_the_end(person)


def test_the_last_questions_wait_until_something_was_done(study: Study) -> None:
    person = newcomer(study)
    assert not is_due_at_the_end(person)
    assert page(person, "after").status_code == 404
    batch = answer_all(lease(person))
    submit(assignment=batch, now=timezone.now())
    done = browser_of(person).get(reverse("annotation:done", args=[batch.public_id]))
    link = reverse("annotation:questionnaire", args=["small", "after"])
    assert f'href="{link}"' in done.content.decode()
    change_state(participation=person, to=Participation.State.LEFT, reason="left")
    assert not is_due_at_the_end(person)


def test_somebody_of_another_study_finds_nothing(study: Study) -> None:
    stranger = newcomer(make_study("other"))
    address = reverse("annotation:questionnaire", args=["small", "before"])
    assert browser_of(stranger).get(address).status_code == 404
    assert Client().get(address).status_code == 403  # signed out
    assert page(newcomer(study), "during").status_code == 404


def test_a_visit_that_proves_nothing_may_be_asked_and_neither_sees_nor_changes_what_was_told(
    study: Study,
) -> None:
    person = newcomer(study)
    keep_answers(participation=person, when="before", answers={"Years?": 7700707})
    assert "7700707" in page(person, "before").content.decode()
    client = browser_of(person)
    session = client.session
    session["places"] = {"small": [person.pk, "other"]}
    session.save()
    address = reverse("annotation:questionnaire", args=["small", "before"])
    for seen in (client.get(address), client.post(address, {"question-0": "well"})):
        assert seen.status_code == 403
        assert "7700707" not in seen.content.decode()
    person.refresh_from_db()
    assert person.questionnaire["before"] == [{"question": "Years?", "answer": 7700707}]
    Participation.objects.update(questionnaire={})
    assert client.get(address).status_code == 200


def test_the_consent_page_says_what_is_asked_and_why_and_a_change_is_agreed_to_anew(
    study: Study,
) -> None:
    plain = make_study("plain")
    assert consent_hash(plain) == consent_hash(make_study("plain-too"))
    person = arrive(study=study, invitation=invite(study=study, created_by=None))
    consent = browser_of(person).get(reverse("annotation:consent", args=["small"]))
    said = consent.content.decode()
    for words in ("To describe who answered.", "How well do you read English?", "Anything else?"):
        assert words in said
    before = consent_hash(study)
    study.questionnaire = {**study.questionnaire, "purpose": "To sell it."}
    study.save()
    assert consent_hash(study) != before != consent_hash(plain)
    newcomer(study)
    (agreed,) = agreed_texts(study)
    assert agreed.words is not None
    assert agreed.words.ethics["questionnaire"]["purpose"] == "To sell it."


def test_it_is_in_the_persons_own_data_and_goes_and_comes_back_with_a_withdrawal(
    study: Study,
) -> None:
    person = worked(study)
    keep_answers(participation=person, when="after", answers={"Anything else?": "No."})
    told = {"after": [{"question": "Anything else?", "answer": "No."}]}
    assert stored_about(person)["participation"]["questionnaire"] == told
    address = reverse("annotation:my-data", args=[study.slug])
    said = browser_of(person).get(address).content.decode()
    assert "and what you have earned. So is what you told us about yourself." in said
    withdraw(participation=person, now=timezone.now())
    person.refresh_from_db()
    assert person.questionnaire == {}
    keep_answers(participation=person, when="after", answers={"Anything else?": "Yes."})
    assert page(person, "after").status_code == 404
    take_back(participation=person, now=timezone.now())
    person.refresh_from_db()
    assert person.questionnaire == told


def test_it_is_erased_with_the_person_and_when_its_time_is_over(study: Study) -> None:
    gone, other = worked(study), worked(study)
    for person in (gone, other):
        keep_answers(participation=person, when="before", answers={"Years?": 3})
    erase_worker(worker=gone.worker, now=timezone.now())
    assert list(Participation.objects.exclude(questionnaire={})) == [other]
    assert erase_expired(now=timezone.now() + timedelta(days=366)).questionnaires == 1
    assert not Participation.objects.exclude(questionnaire={}).exists()


def test_reviewers_read_it_on_the_persons_page(study: Study, owner: User) -> None:
    person = worked(study)
    join(study, owner, Member.Role.REVIEWER)
    keep_answers(participation=person, when="after", answers={"Anything else?": "<b>No."})
    shown = as_user(owner).get(reverse("desk:worker", args=["small", person.number]))
    assert '<dt dir="auto">Anything else?</dt><dd dir="auto">&lt;b&gt;No.</dd>' in (
        shown.content.decode()
    )
