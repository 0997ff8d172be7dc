from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Annotation, Assignment, AssignmentUnit, Place, Study
from annotation.work.exclusion import exclude_answers, include_answers
from annotation.work.leases import release_expired_leases
from annotation.work.submission import submit
from tests.annotation.workers import answer_all, counts, lease, newcomer
from tests.cast import make_study

pytestmark = pytest.mark.django_db
REASON = "answered at random"


def submitted(study: Study) -> Assignment:
    return submit(assignment=answer_all(lease(newcomer(study))), now=timezone.now())


def late(study: Study) -> Assignment:
    """A batch whose lease ran out before it was submitted, so that others could have it."""
    batch = lease(newcomer(study), now=timezone.now() - timedelta(days=1))
    release_expired_leases(now=timezone.now())
    return answer_all(batch)


def outcomes(batch: Assignment) -> set[str]:
    return set(batch.assignment_units.values_list("outcome", flat=True))


def flags(batch: Assignment) -> set[tuple[bool, str]]:
    return set(batch.annotations.values_list("surplus", "excluded_reason"))


def standing(study: Study) -> int:
    return Annotation.objects.filter(study=study).standing().count()


def test_excluded_answers_are_flagged_and_their_units_open_again() -> None:
    study = make_study(sources=2, overlap=1)
    batch = submitted(study)
    assert exclude_answers(assignments=[batch], reason=REASON) == 4
    assert flags(batch) == {(False, REASON)}
    assert outcomes(batch) == {"excluded"}
    assert counts(study) == [(0, 0), (0, 0)]
    assert lease(newcomer(study)).assignment_units.count() == 2


def test_an_exclusion_needs_a_reason() -> None:
    batch = submitted(make_study())
    with pytest.raises(ValueError, match="reason"):
        exclude_answers(assignments=[batch], reason=" ")


def test_excluding_twice_changes_nothing_and_keeps_the_first_reason() -> None:
    study = make_study(sources=2, overlap=1)
    batch = submitted(study)
    exclude_answers(assignments=[batch], reason=REASON)
    assert exclude_answers(assignments=[batch], reason="another") == 0
    assert flags(batch) == {(False, REASON)}
    assert counts(study) == [(0, 0), (0, 0)]


def test_several_answers_of_one_unit_go_out_at_once() -> None:
    study = make_study(sources=2, overlap=3)
    batches = [submitted(study), submitted(study)]
    exclude_answers(assignments=batches, reason=REASON)
    assert counts(study) == [(0, 0), (0, 0)]


def test_a_surplus_answer_is_counted_first_before_the_unit_is_given_out_again() -> None:
    study = make_study(sources=2, overlap=1)
    waiting = late(study)
    counted = submitted(study)
    submit(assignment=waiting, now=timezone.now())
    assert outcomes(waiting) == {"surplus"}
    exclude_answers(assignments=[counted], reason=REASON)
    assert outcomes(waiting) == {"counted"}
    assert flags(waiting) == {(False, "")}
    assert counts(study) == [(0, 1), (0, 1)]


def test_the_oldest_surplus_answer_is_counted_first() -> None:
    study = make_study(sources=2, overlap=1)
    slow, slower = late(study), late(study)
    counted = submitted(study)
    submit(assignment=slower, now=timezone.now())
    submit(assignment=slow, now=timezone.now())
    exclude_answers(assignments=[counted], reason=REASON)
    assert (outcomes(slower), outcomes(slow)) == ({"counted"}, {"surplus"})
    assert counts(study) == [(0, 1), (0, 1)]


def test_excluded_surplus_answers_are_never_counted() -> None:
    study = make_study(sources=2, overlap=1)
    waiting = late(study)
    counted = submitted(study)
    submit(assignment=waiting, now=timezone.now())
    exclude_answers(assignments=[waiting], reason=REASON)
    exclude_answers(assignments=[counted], reason=REASON)
    assert counts(study) == [(0, 0), (0, 0)]
    assert standing(study) == 0


def test_answers_are_taken_in_again_while_there_is_room() -> None:
    study = make_study(sources=2, overlap=1)
    batch = submitted(study)
    exclude_answers(assignments=[batch], reason=REASON)
    assert include_answers(assignments=[batch]) == 4
    assert flags(batch) == {(False, "")}
    assert outcomes(batch) == {"counted"}
    assert counts(study) == [(0, 1), (0, 1)]


def test_answers_taken_in_again_are_surplus_where_the_room_has_gone() -> None:
    study = make_study(sources=2, overlap=1)
    batch = submitted(study)
    exclude_answers(assignments=[batch], reason=REASON)
    lease(newcomer(study))
    include_answers(assignments=[batch])
    assert flags(batch) == {(True, "")}
    assert outcomes(batch) == {"surplus"}
    assert counts(study) == [(1, 0), (1, 0)]


def test_taking_in_what_was_never_excluded_changes_nothing() -> None:
    study = make_study(sources=2, overlap=1)
    assert include_answers(assignments=[submitted(study)]) == 0
    assert counts(study) == [(0, 1), (0, 1)]


def test_withdrawn_answers_stay_out() -> None:
    study = make_study(sources=2, overlap=1)
    batch = submitted(study)
    exclude_answers(assignments=[batch], reason="withdrawn")
    batch.annotations.update(withdrawn_at=timezone.now())
    assert include_answers(assignments=[batch]) == 0
    assert counts(study) == [(0, 0), (0, 0)]


def test_answers_to_controls_go_out_and_come_in_without_room() -> None:
    study = make_study(sources=1, positive=1, per_batch=1, overlap=1)
    batch = submitted(study)
    exclude_answers(assignments=[batch], reason=REASON)
    assert flags(batch) == {(False, REASON)}
    include_answers(assignments=[batch])
    assert flags(batch) == {(False, "")}


def test_an_open_batch_is_left_alone() -> None:
    study = make_study(sources=2, overlap=1)
    batch = lease(newcomer(study))
    exclude_answers(assignments=[batch], reason=REASON)
    assert outcomes(batch) == {"open"}
    assert counts(study) == [(1, 0), (1, 0)]
    assert AssignmentUnit.objects.filter(holds=True).count() == 2


def test_every_exclusion_and_its_undoing_make_the_estimates_anew() -> None:
    study = make_study(sources=2, overlap=1)
    batch = submitted(study)
    study.refresh_from_db()
    before = study.revision
    exclude_answers(assignments=[batch], reason=REASON)
    include_answers(assignments=[batch])
    study.refresh_from_db()
    assert study.revision == before + 2


def test_no_place_is_ever_overfull() -> None:
    study = make_study(sources=2, overlap=2)
    batches = [submitted(study), submitted(study)]
    exclude_answers(assignments=batches, reason=REASON)
    more = [submitted(study), submitted(study)]
    include_answers(assignments=batches)
    exclude_answers(assignments=more[:1], reason=REASON)
    assert set(Place.objects.values_list("counted", flat=True)) == {2}
    assert standing(study) == 8


def test_including_answers_again_takes_room_from_their_own_units_alone() -> None:
    study = make_study(sources=4, overlap=2, per_batch=2)
    other = make_study("other", sources=2, overlap=2)
    batch = submitted(study)
    exclude_answers(assignments=[batch], reason=REASON)
    include_answers(assignments=[batch])
    assert sorted(counts(study)) == [(0, 0), (0, 0), (0, 1), (0, 1)]
    assert counts(other) == [(0, 0), (0, 0)]
