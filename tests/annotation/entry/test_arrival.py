import threading

import pytest
from django.db import connection
from django.utils import timezone

from annotation.entry import arrival
from annotation.entry.arrival import Erased, NotOpen, UsedUp, arrive, arrive_from_panel
from annotation.entry.invitations import invite
from annotation.models import Invitation, Participation, Rater, Round, Study, Worker
from annotation.panels.contract import Visit
from annotation.rights.withdrawal import erase_now
from tests.cast import make_study

pytestmark = pytest.mark.django_db


def test_a_personal_invitation_always_leads_to_the_same_place() -> None:
    study = make_study()
    invitation = invite(study=study, created_by=None, personal=True)
    first = arrive(study=study, invitation=invitation)
    assert arrive(study=study, invitation=invitation) == first
    assert first.worker == invitation.worker


def test_an_open_invitation_lets_in_as_many_people_as_it_may() -> None:
    study = make_study()
    invitation = invite(study=study, created_by=None, max_uses=2)
    people = [arrive(study=study, invitation=invitation).worker for _ in range(2)]
    assert len(set(people)) == 2
    with pytest.raises(UsedUp):
        arrive(study=study, invitation=invitation)
    assert Worker.objects.count() == 2


def test_who_is_in_already_comes_back_through_an_open_link_without_using_it_up() -> None:
    study = make_study()
    invitation = invite(study=study, created_by=None, max_uses=1)
    first = arrive(study=study, invitation=invitation)
    assert arrive(study=study, invitation=invitation, worker=first.worker) == first
    invitation.refresh_from_db()
    assert invitation.uses == 1


def test_a_worker_of_another_study_keeps_their_identity() -> None:
    one, other = make_study("one"), make_study("other")
    known = arrive(study=one, invitation=invite(study=one, created_by=None))
    link = invite(study=other, created_by=None)
    assert arrive(study=other, invitation=link, worker=known.worker).worker == known.worker


def test_workers_are_numbered_within_a_study_and_named_by_their_number() -> None:
    study = make_study()
    invitation = invite(study=study, created_by=None)
    people = [arrive(study=study, invitation=invitation) for _ in range(3)]
    assert [person.number for person in people] == [1, 2, 3]
    assert people[2].rater.name == "worker-3"
    assert people[2].rater.kind == Rater.Kind.HUMAN


def test_a_pseudonym_never_takes_the_name_of_an_imported_rater() -> None:
    study = make_study()
    Rater.objects.create(study=study, name="worker-1", kind=Rater.Kind.HUMAN, origin="imported")
    person = arrive(study=study, invitation=invite(study=study, created_by=None))
    assert person.pseudonym == "worker-2"


@pytest.mark.parametrize("state", [Study.State.DRAFT, Study.State.CLOSED])
def test_nobody_new_comes_into_a_study_that_is_not_open(state: Study.State) -> None:
    study = make_study(state=state)
    with pytest.raises(NotOpen):
        arrive(study=study, invitation=invite(study=study, created_by=None))
    assert not Participation.objects.exists()


def test_who_takes_part_still_gets_in_after_the_study_was_closed() -> None:
    study = make_study()
    invitation = invite(study=study, created_by=None, personal=True)
    before = arrive(study=study, invitation=invitation)
    Study.objects.update(state=Study.State.CLOSED)
    assert arrive(study=study, invitation=invitation) == before


def later_round(study: Study) -> Round:
    return Round.objects.create(study=study, position=1, name="later")


def test_a_personal_invitation_to_a_later_round_leads_there() -> None:
    study = make_study()
    person = arrive(study=study, invitation=invite(study=study, created_by=None))
    on = Invitation.objects.create(study=study, worker=person.worker, round=later_round(study))
    for _ in range(2):
        assert arrive(study=study, invitation=on).round == on.round


def test_an_open_invitation_takes_nobody_past_a_round() -> None:
    study = make_study()
    person = arrive(study=study, invitation=invite(study=study, created_by=None))
    on = Invitation.objects.create(study=study, round=later_round(study))
    assert arrive(study=study, invitation=on, worker=person.worker).round is None


@pytest.mark.django_db(transaction=True)
def test_pressing_the_button_several_times_at_once_lets_in_one_person() -> None:
    study = make_study()
    places: list[int] = []

    def press() -> None:
        try:
            visit = Visit("W1", session="S1")
            places.append(arrive_from_panel(study=study, panel="prolific", visit=visit).pk)
        finally:
            connection.close()

    threads = [threading.Thread(target=press) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert places == [Participation.objects.get().pk] * 6
    assert Worker.objects.count() == 1


def test_who_withdrew_at_the_same_moment_leaves_no_session_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    study = make_study()
    visit = Visit("5f3a", session="s1", study="t1")
    person = arrive_from_panel(study=study, panel="prolific", visit=visit)
    before = Worker.objects.get(pk=person.worker_id)
    erase_now(participation=person, now=timezone.now())
    # As the arrival saw it, before it waited for the withdrawal.
    monkeypatch.setattr(arrival, "find_worker", lambda **_: before)
    with pytest.raises(Erased):
        arrive_from_panel(study=study, panel="prolific", visit=Visit("5f3a", session="s2"))
    person.refresh_from_db()
    assert person.panel_session == {}
