from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from annotation.models import Annotation, Assignment, AssignmentUnit, Rating, Round, Study
from annotation.rights.withdrawal import leave
from annotation.work.leases import NotActive, release_expired_leases, renew_lease
from annotation.work.ledger import earned
from annotation.work.submission import Incomplete, submit
from tests.annotation.workers import NONE, answer_all, answer_step, counts, lease, newcomer, step_at
from tests.cast import make_study

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
Outcome = AssignmentUnit.Outcome


def submitted(batch: Assignment, now: object = None) -> Assignment:
    return submit(assignment=answer_all(batch), now=now or timezone.now())  # type: ignore[arg-type]


def run_out(study: Study) -> Assignment:
    """A batch whose lease has run out, with every question answered."""
    now = timezone.now() - 2 * HOUR
    batch = answer_all(lease(newcomer(study), now=now))
    release_expired_leases(now=timezone.now())
    batch.refresh_from_db()
    return batch


@pytest.fixture
def study() -> Study:
    return make_study(sources=2, overlap=1, per_batch=2)


def test_every_draft_becomes_an_answer_with_its_ratings(study: Study) -> None:
    batch = submitted(lease(newcomer(study)))
    answers = Annotation.objects.filter(assignment=batch)
    assert answers.count() == 4
    assert set(answers.values_list("rater__name", "round__name", "surplus")) == {
        ("worker-1", "main", False)
    }
    sets = Rating.objects.filter(facet="recovery")
    assert [rating.members for rating in sets] == [[0, 2], [0, 2]]
    assert list(Rating.objects.filter(facet="utility").values_list("number", flat=True)) == [40, 40]


def test_what_was_held_is_counted(study: Study) -> None:
    batch = submitted(lease(newcomer(study)))
    assert counts(study) == [(0, 1), (0, 1)]
    assert set(batch.assignment_units.values_list("holds", "outcome")) == {(False, Outcome.COUNTED)}
    assert batch.submitted_at is not None
    assert not batch.late


def test_the_study_is_marked_as_changed(study: Study) -> None:
    submitted(lease(newcomer(study)))
    study.refresh_from_db()
    assert study.revision > 0


def test_a_batch_with_gaps_says_where_they_are_and_changes_nothing(study: Study) -> None:
    batch = lease(newcomer(study))
    answer_step(step_at(batch, 2))
    with pytest.raises(Incomplete) as gaps:
        submit(assignment=batch, now=timezone.now())
    assert gaps.value.positions == [1, 2]
    assert not Annotation.objects.exists()
    assert counts(study) == [(1, 0), (1, 0)]


def test_an_unfinished_answer_is_a_gap(study: Study) -> None:
    batch = lease(newcomer(study))
    answer_step(step_at(batch), {"sentences": ["0"], "none": ["on"]})
    with pytest.raises(Incomplete):
        submit(assignment=batch, now=timezone.now())


def test_submitting_twice_stores_counts_and_pays_once(study: Study) -> None:
    batch = submitted(lease(newcomer(study)))
    first = batch.submitted_at
    again = submit(assignment=batch, now=timezone.now() + HOUR)
    assert again.submitted_at == first
    assert Annotation.objects.count() == 4
    assert counts(study) == [(0, 1), (0, 1)]
    assert batch.ledger.count() == 2


def test_a_late_submission_counts_while_there_is_room(study: Study) -> None:
    batch = submit(assignment=run_out(study), now=timezone.now())
    assert batch.late
    assert counts(study) == [(0, 1), (0, 1)]
    assert not Annotation.objects.filter(surplus=True).exists()


def test_a_late_submission_without_room_is_kept_as_surplus_and_paid(study: Study) -> None:
    batch = run_out(study)
    lease(newcomer(study))
    submit(assignment=batch, now=timezone.now())
    assert counts(study) == [(1, 0), (1, 0)]
    assert set(batch.assignment_units.values_list("outcome", flat=True)) == {Outcome.SURPLUS}
    assert Annotation.objects.filter(surplus=True).count() == 4
    assert batch.ledger.count() == 2


def test_a_revived_batch_counts_what_it_holds_and_keeps_the_rest_as_surplus() -> None:
    study = make_study(sources=2, overlap=1, per_batch=2)
    batch = run_out(study)
    Round.objects.update(normal_per_batch=1)
    other = submitted(lease(newcomer(study)))
    renew_lease(assignment=batch, now=timezone.now())
    submit(assignment=batch, now=timezone.now())
    assert not batch.late
    assert counts(study) == [(0, 1), (0, 1)]
    outcomes = dict(batch.assignment_units.values_list("unit", "outcome"))
    assert outcomes.pop(other.assignment_units.get().unit_id) == Outcome.SURPLUS
    assert set(outcomes.values()) == {Outcome.COUNTED}


def test_a_lease_that_ran_out_unnoticed_still_holds_its_room(study: Study) -> None:
    batch = answer_all(lease(newcomer(study), now=timezone.now() - 2 * HOUR))
    assert submit(assignment=batch, now=timezone.now()).late
    assert counts(study) == [(0, 1), (0, 1)]


def test_the_answer_to_a_control_is_always_recorded() -> None:
    study = make_study(sources=1, overlap=1, positive=1, per_batch=1)
    batch = run_out(study)
    lease(newcomer(study))
    submit(assignment=batch, now=timezone.now())
    surplus = dict(batch.annotations.values_list("question__unit__role", "surplus"))
    assert surplus == {"normal": True, "positive": False}


def test_a_returned_batch_cannot_be_submitted(study: Study) -> None:
    batch = answer_all(lease(newcomer(study)))
    leave(participation=batch.participation)
    with pytest.raises(NotActive):
        submit(assignment=batch, now=timezone.now())


def test_a_batch_may_be_finished_after_the_study_was_closed(study: Study) -> None:
    batch = answer_all(lease(newcomer(study)))
    Study.objects.update(state=Study.State.CLOSED)
    assert submit(assignment=batch, now=timezone.now()).state == Assignment.State.SUBMITTED


def paid(batch: Assignment) -> dict[str, Decimal]:
    return dict(batch.ledger.values_list("kind", "amount"))


def test_without_a_pass_mark_everyone_gets_base_and_bonus(study: Study) -> None:
    batch = submitted(lease(newcomer(study)))
    assert paid(batch) == {"base": Decimal("1.00"), "bonus": Decimal("0.50")}
    assert earned(batch.participation) == [(Decimal("1.50"), "USD")]


@pytest.mark.parametrize(
    ("mark", "right", "bonus"), [(1.0, 1, True), (1.0, 0, False), (0, 0, True)]
)
def test_with_a_pass_mark_the_bonus_is_for_who_reaches_it(
    mark: float, right: int, bonus: bool
) -> None:
    study = make_study(sources=1, positive=1, per_batch=1)
    Round.objects.update(pass_accuracy=mark)
    batch = lease(newcomer(study))
    if not right:
        control = batch.assignment_units.get(place__role="positive")
        answer_step(step_at(batch, control.position), NONE)
        answer_step(step_at(batch, control.position, 2))
        normal = batch.assignment_units.get(place__role="normal")
        for part in (1, 2):
            answer_step(step_at(batch, normal.position, part))
    else:
        answer_all(batch)
    submit(assignment=batch, now=timezone.now())
    assert ("bonus" in paid(batch)) is bonus
    assert paid(batch)["base"] == Decimal("1.00")
