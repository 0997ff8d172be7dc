"""Deciding about submitted batches: what counts, what is kept, and that pay stays."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Annotation, Assignment, Review, Study, User
from annotation.work.ledger import earned
from annotation.work.review import (
    NeedsReason,
    NotSubmitted,
    accept,
    exclude,
    undo,
    unseen_feedback,
    write_feedback,
)
from annotation.work.submission import submit
from tests.annotation.workers import answer_all, counts, lease, newcomer
from tests.cast import make_study

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
Verdict = Assignment.Verdict


@pytest.fixture
def study() -> Study:
    return make_study(sources=2, overlap=1, per_batch=2)


def submitted(study: Study) -> Assignment:
    return submit(assignment=answer_all(lease(newcomer(study))), now=timezone.now())


def history(batch: Assignment) -> list[tuple[str, str]]:
    return list(batch.reviews.values_list("verdict", "reason"))


def test_accepting_writes_a_review_and_changes_no_answer(study: Study, owner: User) -> None:
    batch = submitted(study)
    (changed,) = accept(assignments=[batch], by=owner)
    batch.refresh_from_db()
    assert changed == batch
    assert batch.verdict == Verdict.ACCEPTED
    assert history(batch) == [("accepted", "")]
    assert Review.objects.get().by == owner
    assert counts(study) == [(0, 1), (0, 1)]


def test_excluding_flags_all_answers_and_asks_for_them_anew(study: Study, owner: User) -> None:
    batch = submitted(study)
    exclude(assignments=[batch], reason="  answers at random ", by=owner)
    batch.refresh_from_db()
    assert batch.verdict == Verdict.EXCLUDED
    assert history(batch) == [("excluded", "answers at random")]
    reasons = batch.annotations.values_list("excluded_reason", flat=True)
    assert list(reasons) == ["answers at random"] * 4
    assert counts(study) == [(0, 0), (0, 0)]
    assert lease(newcomer(study)).assignment_units.count() == 2


def test_excluding_takes_no_pay_away(study: Study, owner: User) -> None:
    batch = submitted(study)
    before = earned(batch.participation)
    exclude(assignments=[batch], reason="careless", by=owner)
    assert earned(batch.participation) == before
    assert batch.ledger.count() == 2


@pytest.mark.parametrize("reason", ["", "   "])
def test_an_exclusion_without_a_reason_changes_nothing(
    study: Study, owner: User, reason: str
) -> None:
    batch = submitted(study)
    with pytest.raises(NeedsReason):
        exclude(assignments=[batch], reason=reason, by=owner)
    batch.refresh_from_db()
    assert batch.verdict == Verdict.OPEN
    assert not Review.objects.exists()
    assert not Annotation.objects.exclude(excluded_reason="").exists()


@pytest.mark.parametrize("verb", [undo, accept])
def test_what_was_excluded_counts_again_when_the_decision_is_taken_back(
    study: Study, owner: User, verb: object
) -> None:
    batch = submitted(study)
    exclude(assignments=[batch], reason="a mistake of mine", by=owner)
    verb(assignments=[batch], by=owner)  # type: ignore[operator]
    batch.refresh_from_db()
    assert batch.verdict == (Verdict.OPEN if verb is undo else Verdict.ACCEPTED)
    assert [verdict for verdict, _ in history(batch)] == ["excluded", batch.verdict]
    assert batch.annotations.standing().count() == 4
    assert counts(study) == [(0, 1), (0, 1)]


def test_undoing_after_the_room_was_given_away_leaves_surplus(study: Study, owner: User) -> None:
    batch = submitted(study)
    exclude(assignments=[batch], reason="careless", by=owner)
    submitted(study)
    undo(assignments=[batch], by=owner)
    assert set(batch.annotations.values_list("surplus", "excluded_reason")) == {(True, "")}
    assert counts(study) == [(0, 1), (0, 1)]


def test_surplus_takes_the_room_that_an_exclusion_makes(study: Study, owner: User) -> None:
    late = answer_all(lease(newcomer(study), now=timezone.now() - 2 * HOUR))
    first = submitted(study)
    submit(assignment=late, now=timezone.now())
    assert set(late.annotations.values_list("surplus", flat=True)) == {True}
    exclude(assignments=[first], reason="careless", by=owner)
    assert set(late.annotations.values_list("surplus", flat=True)) == {False}
    assert counts(study) == [(0, 1), (0, 1)]


def test_many_batches_are_decided_about_at_once(owner: User) -> None:
    study = make_study(sources=2, overlap=3, per_batch=2)
    batches = [submitted(study) for _ in range(3)]
    assert len(exclude(assignments=batches, reason="a faulty link", by=owner)) == 3
    assert counts(study) == [(0, 0), (0, 0)]
    assert len(undo(assignments=batches, by=owner)) == 3
    assert counts(study) == [(0, 3), (0, 3)]
    assert Review.objects.count() == 6


def test_one_batch_that_cannot_be_reviewed_keeps_all_from_it(owner: User) -> None:
    study = make_study(sources=2, overlap=2, per_batch=2)
    done, opened = submitted(study), lease(newcomer(study))
    with pytest.raises(NotSubmitted):
        accept(assignments=[done, opened], by=owner)
    done.refresh_from_db()
    assert done.verdict == Verdict.OPEN
    assert not Review.objects.exists()


def test_deciding_the_same_twice_is_one_review(study: Study, owner: User) -> None:
    batch = submitted(study)
    exclude(assignments=[batch], reason="careless", by=owner)
    assert exclude(assignments=[batch], reason="careless", by=owner) == []
    assert undo(assignments=[batch], by=owner)
    assert undo(assignments=[batch], by=owner) == []
    assert len(history(batch)) == 2


def test_a_decision_that_changes_what_counts_marks_the_study(study: Study, owner: User) -> None:
    batch = submitted(study)
    study.refresh_from_db()
    before = study.revision
    accept(assignments=[batch], by=owner)
    study.refresh_from_db()
    assert study.revision == before
    exclude(assignments=[batch], reason="careless", by=owner)
    study.refresh_from_db()
    assert study.revision > before


def test_deciding_about_more_batches_takes_no_more_queries_of_ours(
    owner: User, django_assert_max_num_queries: object
) -> None:
    study = make_study(sources=2, overlap=6, per_batch=2)
    batches = [submitted(study) for _ in range(6)]
    with django_assert_max_num_queries(8):  # type: ignore[operator] # two for the change log
        accept(assignments=batches, by=owner)


def test_feedback_waits_until_the_worker_has_seen_it(study: Study, owner: User) -> None:
    batch, now = submitted(study), timezone.now()
    write_feedback(assignment=batch, text=" Well read, thank you. ", by=owner)
    (unseen,) = unseen_feedback(participation=batch.participation, now=now)
    assert unseen.feedback == "Well read, thank you."
    assert unseen_feedback(participation=batch.participation, now=now) == []
    batch.refresh_from_db()
    assert batch.feedback_seen_at == now


def test_feedback_that_was_changed_is_shown_anew_and_kept_in_the_history(
    study: Study, owner: User
) -> None:
    batch = submitted(study)
    write_feedback(assignment=batch, text="Please read on.", by=owner)
    unseen_feedback(participation=batch.participation, now=timezone.now())
    write_feedback(assignment=batch, text="Please read on.", by=owner)
    assert not unseen_feedback(participation=batch.participation, now=timezone.now())
    write_feedback(assignment=batch, text="Please read to the end.", by=owner)
    assert unseen_feedback(participation=batch.participation, now=timezone.now())
    assert history(batch) == [
        ("open", "feedback: Please read on."),
        ("open", "feedback: Please read to the end."),
    ]


def test_nobody_writes_about_a_batch_that_is_still_open(study: Study, owner: User) -> None:
    with pytest.raises(NotSubmitted):
        write_feedback(assignment=lease(newcomer(study)), text="Hello", by=owner)
