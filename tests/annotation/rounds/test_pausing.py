"""While a study is paused nobody begins, and those at work finish."""

import threading

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.entry.arrival import NotOpen, Paused, arrive
from annotation.entry.invitations import invite
from annotation.models import Assignment, Change, Study, User
from annotation.queries.studies import hold_state
from annotation.rounds.opening import close_study, open_study, pause_study, resume_study
from annotation.work import leases
from annotation.work.assignment import NothingLeft, Reason, lease_batch
from tests.annotation.worker_client import Person
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import make_study

pytestmark = pytest.mark.django_db


def pause(study: Study, by: User | None = None) -> bool:
    return pause_study(study=study, by=by, now=timezone.now())


def test_a_pause_is_noted_once_with_who_made_it(study: Study, owner: User) -> None:
    assert pause(study, owner)
    assert not pause(study, owner)
    assert resume_study(study=study, by=owner)
    assert not resume_study(study=study, by=owner)
    noted = list(Change.objects.order_by("pk").values_list("action", "by"))
    assert noted == [("study.paused", owner.pk), ("study.resumed", owner.pk)]


def test_nobody_gets_another_batch_until_it_is_resumed(study: Study) -> None:
    person = newcomer(study)
    pause(study)
    assert lease_batch(participation=person, now=timezone.now()) == NothingLeft(Reason.PAUSED)
    resume_study(study=study, by=None)
    assert isinstance(lease_batch(participation=person, now=timezone.now()), Assignment)


def test_those_at_work_save_and_submit_even_after_their_lease_ran_out(study: Study) -> None:
    batch = lease(newcomer(study))
    pause(study)
    later = batch.lease_until
    leases.release_expired_leases(now=later)
    again = lease_batch(participation=batch.participation, now=later)
    assert isinstance(again, Assignment)
    leases.renew_lease(assignment=again, now=later)
    answer_all(again)
    assert Person(study, again).submit().status_code == 302
    again.refresh_from_db()
    assert again.state == Assignment.State.SUBMITTED


def test_newcomers_are_refused_and_the_link_is_not_used_up(study: Study) -> None:
    link = invite(study=study, created_by=None)
    pause(study)
    study.refresh_from_db()
    with pytest.raises(Paused):
        arrive(study=study, invitation=link)
    link.refresh_from_db()
    assert link.uses == 0


def test_only_an_open_study_is_paused_and_closing_ends_the_pause(study: Study) -> None:
    pause(study)
    assert close_study(study=study)
    study.refresh_from_db()
    assert (study.state, study.paused_at) == (Study.State.CLOSED, None)
    assert not pause(study)
    with pytest.raises(NotOpen) as refusal:
        arrive(study=study, invitation=invite(study=study, created_by=None))
    assert not isinstance(refusal.value, Paused)
    with pytest.raises(IntegrityError), transaction.atomic():
        Study.objects.filter(pk=study.pk).update(paused_at=timezone.now())
    open_study(study=study)
    study.refresh_from_db()
    assert study.accepts_workers


def test_workers_read_that_it_is_paused_not_closed(study: Study) -> None:
    at_work, done = Person(study), Person(study)
    answer_all(done.batch)
    done.submit()
    pause(study)
    lobby = reverse("annotation:lobby", args=[study.slug])
    assert "This study is paused" not in at_work.client.get(lobby).content.decode()
    page = done.client.get(lobby).content.decode()
    assert "This study is paused" in page
    assert "The study is closed" not in page
    assert reverse("annotation:start", args=[study.slug]) not in page
    assert "This study is paused" in done.client.get(done.of_batch("done")).content.decode()
    refused = done.client.post(reverse("annotation:start", args=[study.slug]))
    assert (refused.status_code, "paused" in refused.content.decode()) == (200, True)
    link = reverse("annotation:join", args=[invite(study=study, created_by=None).token])
    stranger = Client()
    told = stranger.get(link)
    assert told.status_code == 403
    assert "This study is paused" in told.content.decode()


@pytest.mark.django_db(transaction=True)
def test_a_pause_waits_for_a_batch_that_is_being_composed() -> None:
    """Once pausing has returned, the number of batches grows no more."""
    study = make_study(sources=6, overlap=3)
    composing, paused = threading.Event(), threading.Event()

    def press_pause() -> None:
        try:
            composing.wait(60)
            pause(study)
            paused.set()
        finally:
            connection.close()

    thread = threading.Thread(target=press_pause)
    thread.start()
    try:
        with transaction.atomic():
            assert hold_state(study.pk) == ("open", False)
            composing.set()
            assert not paused.wait(0.3)
    finally:
        thread.join(60)
    assert paused.is_set()
    assert hold_state_now(study) == ("open", True)


def hold_state_now(study: Study) -> tuple[str, bool]:
    with transaction.atomic():
        return hold_state(study.pk)


@pytest.mark.django_db(transaction=True)
def test_many_who_start_while_it_is_paused_get_a_batch_before_it_or_none() -> None:
    study = make_study(sources=20, overlap=4)
    people = [newcomer(study) for _ in range(6)]
    barrier, outcomes, at_pause = threading.Barrier(7), [], []
    lock = threading.Lock()

    def start(person: object) -> None:
        try:
            barrier.wait(60)
            outcome = lease_batch(participation=person, now=timezone.now())  # type: ignore[arg-type]
            with lock:
                outcomes.append(outcome)
        finally:
            connection.close()

    def press_pause() -> None:
        try:
            barrier.wait(60)
            pause(study)
            at_pause.append(Assignment.objects.count())
        finally:
            connection.close()

    threads = [threading.Thread(target=start, args=[person]) for person in people]
    threads.append(threading.Thread(target=press_pause))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(outcomes) == len(people)
    batches = [outcome for outcome in outcomes if isinstance(outcome, Assignment)]
    assert Assignment.objects.count() == len(batches) == at_pause[0]
    assert all(o in batches or o == NothingLeft(Reason.PAUSED) for o in outcomes)
