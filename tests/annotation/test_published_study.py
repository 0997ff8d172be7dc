"""The example with the published set-up loads, opens, and can be worked to the end."""

from decimal import Decimal

import pytest
from django.utils import timezone

from annotation.assigning import NothingLeft, Reason, lease_batch
from annotation.models import Assignment, Study
from annotation.paying import earned
from tests.annotation.knowing import answer_rightly
from tests.annotation.published import open_published
from tests.annotation.work import newcomer

pytestmark = pytest.mark.django_db


@pytest.fixture
def published() -> Study:
    return open_published()


def test_the_published_study_opens(published: Study) -> None:
    pilot, main = published.rounds.all()
    assert published.state == Study.State.OPEN
    assert published.overlap == 5
    assert (pilot.normal_per_batch, pilot.positive_per_batch, pilot.negative_per_batch) == (3, 2, 1)
    assert (main.normal_per_batch, main.positive_per_batch, main.negative_per_batch) == (4, 1, 1)
    assert (pilot.base_pay, pilot.bonus_pay) == (Decimal("1.00"), Decimal("1.70"))
    assert (main.base_pay, main.bonus_pay) == (Decimal("2.70"), Decimal("0.00"))
    assert (pilot.pass_accuracy, main.keep_accuracy) == (1.0, 0.7)


def test_the_pilot_has_units_of_its_own(published: Study) -> None:
    pilot, main = published.rounds.all()
    own = set(pilot.places.values_list("source", flat=True))
    assert len(own) == 6
    assert not own & set(main.places.values_list("source", flat=True))


def test_one_person_may_do_the_pilot_and_five_batches(published: Study) -> None:
    person = newcomer(published)
    sizes = []
    while isinstance(batch := lease_batch(participation=person, now=timezone.now()), Assignment):
        sizes.append((batch.round.name, batch.batch_units.count()))
        answer_rightly(batch)
    assert sizes == [("pilot", 6)] + [("main", 6)] * 5
    assert batch == NothingLeft(Reason.LIMIT)
    assert earned(person) == [(Decimal("16.20"), "USD")]
