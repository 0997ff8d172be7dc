import pytest
from django.utils import timezone

from annotation.models import Annotation, AssignmentUnit, Study, Unit
from annotation.work.control_answers import Score, controls_met, scores
from annotation.work.review import exclude
from tests.annotation.workers import NONE, POSTED, RECOVERY, newcomer
from tests.cast import make_study
from tests.desk.worker_records.batches import Posted, work_through

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return make_study(sources=2, positive=1, negative=1, per_batch=1)


def right_but_for(role: str) -> object:
    """Every control right, but for the one of this role."""

    def answer(unit: AssignmentUnit) -> Posted:
        none = (unit.place.role == Unit.Role.NEGATIVE) != (unit.place.role == role)
        return {**POSTED, RECOVERY: NONE if none else POSTED[RECOVERY]}

    return answer


def shares(study: Study, people: list[int]) -> dict[int, float | None]:
    by_person = scores(controls_met(study, participations=people))
    return {key: score.share for key, score in by_person.items()}


def test_controls_count_once_each_and_normal_units_not_at_all(study: Study) -> None:
    batch = work_through(newcomer(study), right_but_for("negative"))  # type: ignore[arg-type]
    met = controls_met(study, assignments=[batch.pk])
    assert scores(met, by="assignment") == {batch.pk: Score(right=1, met=2)}
    assert shares(study, [batch.participation_id]) == {batch.participation_id: 0.5}


def test_who_has_met_no_control_has_no_share() -> None:
    study = make_study(sources=1, per_batch=1)
    batch = work_through(newcomer(study), lambda _unit: POSTED)
    assert shares(study, [batch.participation_id]) == {}
    assert Score(0, 0).share is None


def test_what_was_excluded_stays_in_the_record_and_what_was_withdrawn_does_not(
    study: Study,
) -> None:
    batch = work_through(newcomer(study), right_but_for("positive"))  # type: ignore[arg-type]
    exclude(assignments=[batch], reason="failed a control", by=None)
    assert shares(study, [batch.participation_id]) == {batch.participation_id: 0.5}
    Annotation.objects.update(withdrawn_at=timezone.now())
    assert shares(study, [batch.participation_id]) == {}


def test_the_records_of_two_people_are_kept_apart(study: Study) -> None:
    bad = work_through(newcomer(study), right_but_for("negative"))  # type: ignore[arg-type]
    good = work_through(newcomer(study), right_but_for("none"))  # type: ignore[arg-type]
    found = shares(study, [bad.participation_id, good.participation_id])
    assert found == {bad.participation_id: 0.5, good.participation_id: 1.0}
