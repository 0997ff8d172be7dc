"""What a worker says about a whole batch: kept, read by researchers, theirs to take back."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Assignment, Study, User
from annotation.rights.stored_data import stored_about
from annotation.rights.withdrawal import withdraw
from annotation.work.comments import LONGEST, comment_on
from annotation.work.submission import submit
from tests.annotation.worker_client import Person
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import make_study

pytestmark = pytest.mark.django_db
WORDS = "The <b>third</b> text & its passage do not fit."


@pytest.fixture
def person() -> Person:
    return Person(make_study())


def stored() -> str:
    return Assignment.objects.get().comment


def test_a_comment_is_sent_with_the_batch(person: Person) -> None:
    answer_all(person.batch)
    person.client.post(person.of_batch("submit"), {"comment": f"  {WORDS} "})
    assert (Assignment.objects.get().state, stored()) == ("submitted", WORDS)


def test_a_batch_without_a_comment_is_as_good(person: Person) -> None:
    answer_all(person.batch)
    for posted in ({}, {"comment": ""}):
        person.client.post(person.of_batch("submit"), posted)
    assert (Assignment.objects.get().state, stored()) == ("submitted", "")


def test_what_was_written_is_kept_while_answers_are_missing(person: Person) -> None:
    page = person.client.post(person.of_batch("submit"), {"comment": WORDS})
    assert page.status_code == 422
    assert "&lt;b&gt;third&lt;/b&gt;" in page.content.decode()
    assert "&lt;b&gt;third" in person.client.get(person.of_batch("review")).content.decode()
    assert Assignment.objects.get().state == "active"


def test_a_second_submission_changes_nothing(person: Person) -> None:
    answer_all(person.batch)
    for comment in ("first", "second"):
        person.client.post(person.of_batch("submit"), {"comment": comment})
    assert stored() == "first"
    comment_on(assignment=person.batch, text="an old page")
    assert stored() == "first"


def test_a_comment_longer_than_the_field_is_cut(person: Person) -> None:
    comment_on(assignment=person.batch, text="x" * (LONGEST + 1))
    assert len(stored()) == LONGEST


def test_nobody_comments_on_somebody_elses_batch(person: Person) -> None:
    other = lease(newcomer(person.batch.participation.study))
    address = reverse("annotation:submit", args=[other.public_id])
    assert person.client.post(address, {"comment": WORDS}).status_code == 404
    assert not Assignment.objects.exclude(comment="").exists()


def test_reviewers_read_it_as_it_was_written(client: Client, study: Study, owner: User) -> None:
    batch = lease(newcomer(study))
    comment_on(assignment=batch, text=WORDS)
    submit(assignment=answer_all(batch), now=timezone.now())
    client.force_login(owner)
    page = client.get(reverse("desk:review", args=[study.slug, batch.pk])).content.decode()
    assert "The &lt;b&gt;third&lt;/b&gt; text &amp; its passage do not fit." in page


def test_it_is_in_the_workers_own_file_and_goes_with_a_withdrawal(person: Person) -> None:
    comment_on(assignment=person.batch, text=WORDS)
    participation = person.batch.participation
    assert [one["comment"] for one in stored_about(participation)["batches"]] == [WORDS]
    withdraw(participation=participation, now=timezone.now())
    assert stored() == ""
