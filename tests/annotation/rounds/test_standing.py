from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Assignment, Participation, StateChange, Study, User
from annotation.rounds.standing import forgiven_until, standing
from tests.annotation.pilot_study import do_batch, make_pilot_study
from tests.annotation.workers import newcomer

pytestmark = pytest.mark.django_db
State = Participation.State


def test_what_was_forgiven_last_and_before_is_graded_no_more(owner: User) -> None:
    study: Study = make_pilot_study(pilot={"max_batches": 3, "pass_accuracy": 0.1}, overlap=9)
    pilot, person = study.rounds.get(name="pilot"), newcomer(study)
    assert forgiven_until(person) is None
    now = timezone.now()
    for hours in (3, 2):
        StateChange.objects.create(
            participation=person, before=State.REMOVED, after=State.CONSENTED, by=owner
        )
        StateChange.objects.filter(pk=StateChange.objects.latest("pk").pk).update(
            at=now - timedelta(hours=hours)
        )
    assert forgiven_until(person) == now - timedelta(hours=2)
    batch = do_batch(person)
    assert standing(person, pilot).n_controls == 3
    Assignment.objects.filter(pk=batch.pk).update(submitted_at=now - timedelta(hours=2.5))
    assert (standing(person, pilot).n_batches, standing(person, pilot).n_controls) == (1, 0)
