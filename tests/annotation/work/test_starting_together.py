"""Many workers who start at once on PostgreSQL: they wait for each other as little as can be."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection, transaction
from django.utils import timezone

from annotation.models import Assignment, Participation, Place, Round, Study
from annotation.work.assignment import _seed, lease_batch
from annotation.work.composition import _waiting_point
from tests.annotation.workers import newcomer
from tests.cast import make_study

SOURCES, PER_BATCH = 9, 8
# What a test waits for happens; were it never to, it fails by this instead of hanging.
GUARD_S = 60

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        "not __import__('django').db.connection.features.has_select_for_update_skip_locked",
        reason="on this database one writer at a time has all of it",
    ),
]


class Holder:
    """Somebody whose transaction has locked places, until told to end it."""

    def __init__(self, places: list[int]) -> None:
        self.places = places
        self.has_locked, self.may_end = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self._hold)
        self.thread.start()
        assert self.has_locked.wait(GUARD_S)

    def _hold(self) -> None:
        try:
            with transaction.atomic():
                Place.objects.filter(pk__in=self.places).lock()
                self.has_locked.set()
                self.may_end.wait(GUARD_S)
        finally:
            connection.close()

    def end(self) -> None:
        self.may_end.set()
        self.thread.join(GUARD_S)


class Starter:
    """Somebody who starts a batch in a connection of their own."""

    def __init__(self, participation: Participation) -> None:
        self.participation = participation
        self.got: Assignment | None = None
        self.process_id = 0
        self.connected = threading.Event()
        self.thread = threading.Thread(target=self._start)
        self.thread.start()
        assert self.connected.wait(GUARD_S)

    def _start(self) -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_backend_pid()")
                self.process_id = cursor.fetchone()[0]
            self.connected.set()
            found = lease_batch(participation=self.participation, now=timezone.now())
            assert isinstance(found, Assignment)
            self.got = found
        finally:
            connection.close()

    def waits(self) -> bool:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_locks WHERE pid = %s AND NOT granted", [self.process_id]
            )
            return bool(cursor.fetchone()[0])

    def batch(self) -> Assignment:
        self.thread.join(GUARD_S)
        assert self.got is not None, "still waiting, or refused"
        return self.got


@contextmanager
def holding(places: list[int]) -> Iterator[Holder]:
    holder = Holder(places)
    try:
        yield holder
    finally:
        holder.end()


def until_waiting(starter: Starter) -> None:
    deadline = timezone.now().timestamp() + GUARD_S
    while not starter.waits():
        assert timezone.now().timestamp() < deadline
        assert starter.thread.is_alive(), "did not wait at all"


@pytest.fixture
def round_() -> Round:
    study = make_study(sources=SOURCES, overlap=5, per_batch=PER_BATCH, positive=0, negative=0)
    return study.rounds.get()


def places(round_: Round) -> list[int]:
    found = Place.objects.filter(round=round_, role="normal").order_by("shuffle")
    return list(found.values_list("pk", flat=True))


def one_who_waits_beyond_the_first(study: Study, round_: Round) -> Participation:
    """The first newcomer whose own point in the shuffle lies behind its first place."""
    second = Place.objects.filter(pk=places(round_)[1]).values_list("shuffle", flat=True)[0]
    first = Place.objects.filter(pk=places(round_)[0]).values_list("shuffle", flat=True)[0]
    while True:
        person = newcomer(study)
        if first < _waiting_point(round_, set(), _seed(person, round_, 0)) <= second:
            return person


def test_who_starts_does_not_wait_for_whoever_has_the_first_place(round_: Round) -> None:
    """Eight of nine places are locked by one who is soon ready, the first by one who is not."""
    person = one_who_waits_beyond_the_first(round_.study, round_)
    first, *others = places(round_)
    with holding([first]), holding(others) as soon_ready:
        starter = Starter(person)
        until_waiting(starter)
        soon_ready.end()
        batch = starter.batch()
    assert set(batch.assignment_units.values_list("place", flat=True)) == set(others)


def test_nobody_is_told_that_nothing_is_left_while_others_have_it_locked(round_: Round) -> None:
    person = newcomer(round_.study)
    with holding(places(round_)) as everything:
        starter = Starter(person)
        until_waiting(starter)
        everything.end()
        assert starter.batch().assignment_units.count() == PER_BATCH


def test_who_starts_passes_over_what_is_locked_where_enough_is_free(round_: Round) -> None:
    head, *others = places(round_)
    with holding([head]):
        batch = Starter(newcomer(round_.study)).batch()
    assert set(batch.assignment_units.values_list("place", flat=True)) == set(others)
