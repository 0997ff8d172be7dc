"""Whoever is removed, screened out or not counted is told why, in plain words."""

import pytest
from django.urls import reverse

from annotation.entry.comprehension import take_check
from annotation.messages.reasons import why_ended
from annotation.models import Study, User
from annotation.rights.withdrawal import leave
from annotation.work.qualification import reinstate_worker, remove_worker
from annotation.work.review import accept, exclude, write_feedback
from tests.annotation.pilot_study import hand_in, make_pilot_study
from tests.annotation.worker_client import Person
from tests.annotation.workers import answer_all, newcomer
from tests.cast import make_study

pytestmark = pytest.mark.django_db

CHECK = [{"question": "What for?", "options": ["a", "b"], "right": "a", "explanation": ""}]


@pytest.fixture
def study() -> Study:
    return make_study()


def page(person: Person, name: str) -> str:
    slug = person.batch.participation.study.slug
    return person.client.get(reverse(f"annotation:{name}", args=[slug])).content.decode()


def test_who_is_removed_reads_the_researchers_reason(study: Study, owner: User) -> None:
    person = Person(study)
    who = person.batch.participation
    remove_worker(participation=who, reason="All answers are <the same>.", by=owner)
    words = "gave this reason: All answers are &lt;the same&gt;."
    assert words in page(person, "end")
    assert words in person.client.get(person.of_batch("review")).content.decode()
    reinstate_worker(participation=who, reason="A mistake.", by=owner)
    assert why_ended(who) == ""


def test_who_fails_a_round_is_told_how_many_had_to_be_right_and_no_name_of_ours() -> None:
    person = Person(make_pilot_study())
    hand_in(person.batch, wrong=3)
    told = page(person, "end")
    assert "All 3 known answers had to be right for you to go on. You had 0 right." in told
    assert "pilot" not in told
    assert "controls" not in told


def test_where_workers_are_told_no_count_the_reason_holds_none() -> None:
    study = make_pilot_study()
    study.tell_controls = False
    study.save()
    person = Person(study)
    hand_in(person.batch, wrong=3)
    told = page(person, "end")
    assert "Some of the questions had known answers. Too few of yours were right." in told
    assert "known answers had to be" not in told


def test_who_fails_the_check_of_the_instructions_is_told_so(study: Study) -> None:
    study.comprehension, study.comprehension_tries = CHECK, 1
    study.save()
    who = newcomer(study)
    take_check(participation=who, number=1, chosen=["b"])
    assert "check of the instructions" in why_ended(who)


def test_whoever_leaves_needs_no_reason(study: Study) -> None:
    who = newcomer(study)
    leave(participation=who)
    assert why_ended(who) == ""


def test_the_statement_says_which_batches_are_not_counted_and_why(
    study: Study, owner: User
) -> None:
    person = Person(study)
    answer_all(person.batch)
    person.submit()
    heading = "Batches that are not counted"
    assert heading not in page(person, "statement")
    exclude(assignments=[person.batch], reason="Written without reading.", by=owner)
    write_feedback(assignment=person.batch, text="Please read it all.", by=owner)
    told = page(person, "statement")
    assert heading in told
    assert "gave this reason: Written without reading." in told
    assert "feedback: " not in told
    accept(assignments=[person.batch], by=owner)
    assert heading not in page(person, "statement")
