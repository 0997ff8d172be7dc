"""The example with the published set-up loads, opens, and can be worked to the end."""

from decimal import Decimal

import pytest
from django.utils import timezone

from annotation.entry.arrival import arrive_from_panel
from annotation.entry.consent import consent_hash, give_consent
from annotation.messages.ending import ending
from annotation.models import Assignment, Participation, Question, Study
from annotation.panels.contract import Visit, VisitOutcome
from annotation.pay.payouts import NothingOwed, file_text, make_file
from annotation.pay.rewards import Covers
from annotation.work.assignment import NothingLeft, Reason, lease_batch
from annotation.work.ledger import earned
from annotation.work.submission import submit
from tests.annotation.published import open_published
from tests.annotation.right_answers import answer_rightly, fill, wrong
from tests.annotation.workers import lease, newcomer

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


def prolific(study: Study, name: str) -> Participation:
    visit = Visit(name, session=f"of-{name}", study="one")
    person = arrive_from_panel(study=study, panel="prolific", visit=visit)
    give_consent(participation=person, text_hash=consent_hash(study), of_age=True)
    return person


def filed(study: Study) -> str | None:
    covers = Covers.usual(study)
    at = make_file(study=study, panel="prolific", currency="USD", covers=covers)
    return file_text(study, at)


def test_reward_and_file_pay_who_goes_on_to_the_main_round(published: Study) -> None:
    person = prolific(published, "aa")
    for _ in range(2):
        answer_rightly(lease(person))
    assert earned(person) == [(Decimal("5.40"), "USD")]
    # The reward is the pilot's 1.00.
    assert filed(published) == "aa,4.40\n"


def test_who_fails_the_pilot_completes_it_for_the_reward(published: Study) -> None:
    person = prolific(published, "aa")
    batch = lease(person)
    fill(batch, lambda step: wrong(Question.objects.get(pk=step.question.pk)))
    submit(assignment=batch, now=timezone.now())
    person.refresh_from_db()
    assert person.state == Participation.State.NOT_QUALIFIED
    found = ending(person)
    assert found is not None
    assert (found.outcome, found.code) == (VisitOutcome.COMPLETED, "OWN-COMPLETED")
    # The reward is the pilot's 1.00, and nothing else is owed.
    assert earned(person) == [(Decimal("1.00"), "USD")]
    with pytest.raises(NothingOwed):
        filed(published)


def test_one_person_may_do_the_pilot_and_five_batches(published: Study) -> None:
    person = newcomer(published)
    sizes = []
    while isinstance(batch := lease_batch(participation=person, now=timezone.now()), Assignment):
        sizes.append((batch.round.name, batch.assignment_units.count()))
        answer_rightly(batch)
    assert sizes == [("pilot", 6)] + [("main", 6)] * 5
    assert batch == NothingLeft(Reason.LIMIT)
    assert earned(person) == [(Decimal("16.20"), "USD")]
