from decimal import Decimal

import pytest

from annotation.models import Participation, Study
from annotation.work.problems import flag_problem
from annotation.work.review import exclude
from desk.worker_records import Record, records_of
from desk.worker_records.agreement import agreement
from desk.worker_records.record import figures_of
from tests.annotation.workers import POSTED, newcomer
from tests.cast import make_study
from tests.desk.worker_records.batches import work_through

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return make_study(sources=4, overlap=8, positive=3, per_batch=1, max_batches_per_worker=3)


def worked(study: Study, batches: int = 2) -> Participation:
    worker = newcomer(study)
    for _ in range(batches):
        work_through(worker, lambda _unit: POSTED)
    return worker


def records(study: Study, people: list[Participation]) -> list[Record]:
    figures = figures_of(study, [person.pk for person in people], agreement(study))
    return records_of(people, figures)


def test_a_record_holds_what_all_batches_say(study: Study) -> None:
    worker, _other = worked(study), worked(study)
    first = worker.assignments.order_by("pk")[0]
    flag_problem(assignment=first, unit=first.assignment_units.all()[0].unit_id, text="Cut off.")
    exclude(assignments=[first], reason="a faulty text", by=None)
    (record,) = records(study, [worker])
    assert (record.submitted, record.excluded, record.to_review) == (2, 1, 1)
    assert (record.figures.controls.right, record.figures.controls.met) == (2, 2)
    assert record.figures.pace is not None
    assert record.figures.longest_run is not None
    assert record.figures.longest_run.longest == 4
    assert record.problems == 1
    assert list(record.earned) == [(Decimal("3.00"), "USD")]


def test_an_empty_record_says_nothing_instead_of_zero(study: Study) -> None:
    (record,) = records(study, [newcomer(study)])
    assert record.figures.controls.share is None
    assert (record.figures.agreement, record.figures.pace, record.figures.longest_run) == (
        {},
        None,
        None,
    )
    assert list(record.earned) == []


def test_records_come_in_the_order_that_was_asked_for(study: Study) -> None:
    people = [newcomer(study) for _ in range(3)][::-1]
    assert [record.participation for record in records(study, people)] == people


def test_more_people_take_no_more_queries(study: Study, django_assert_num_queries: object) -> None:
    people = [worked(study) for _ in range(6)]
    with django_assert_num_queries(22):  # type: ignore[operator]
        records(study, people[:1])
    with django_assert_num_queries(22):  # type: ignore[operator]
        records(study, people)
