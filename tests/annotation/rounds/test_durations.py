from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Assignment
from annotation.rounds.durations import ENOUGH, minutes_of
from tests.annotation.workers import newcomer
from tests.cast import make_study

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("minutes", "told"),
    [
        ([1, 1, 2, 9], 7),  # the study file's estimate
        ([1, 1, 2.5, 9, 90], 3),
        ([2] * ENOUGH, 3),
        ([-178, -179, -180, *[2] * ENOUGH], 3),  # the clock was set back meanwhile
        ([-179] * ENOUGH, 7),
    ],
)
def test_the_median_is_told_rounded_up_once_enough_have_done_a_batch(
    minutes: list[float], told: int
) -> None:
    study = make_study()
    now, round_ = timezone.now(), study.rounds.get()
    for n in minutes:
        person = newcomer(study)
        Assignment.objects.create(
            participation=person,
            round=round_,
            seed=1,
            state=Assignment.State.SUBMITTED,
            leased_at=now - timedelta(minutes=n),
            lease_until=now,
            submitted_at=now,
        )
    assert minutes_of(round_) == told
