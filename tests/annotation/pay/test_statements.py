from decimal import Decimal

import pytest
from django.utils import timezone

from annotation.models import Study, Worker
from annotation.pay.payouts import make_file
from annotation.pay.rewards import Covers
from annotation.pay.statements import statement
from annotation.work.ledger import adjust, newest_row
from annotation.work.submission import submit
from desk.people.pay.totals import paid_people, totals_of, worker_totals
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import make_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return make_study(sources=3, per_batch=1, max_batches_per_worker=2)


def test_a_line_per_batch_then_what_belongs_to_none(
    study: Study, django_assert_num_queries: object
) -> None:
    worker = newcomer(study)
    batches = [submit(assignment=answer_all(lease(worker)), now=timezone.now()) for _ in range(2)]
    adjust(
        participation=worker, amount=Decimal(1), note="Thanks", by=None, after=newest_row(worker)
    )
    with django_assert_num_queries(1):  # type: ignore[operator]
        found = statement(worker)
    assert [line.assignment for line in found.lines] == [*batches, None]
    assert [line.total for line in found.lines] == [Decimal("1.50")] * 2 + [Decimal("1.00")]
    assert found.lines[0].at == batches[0].submitted_at
    assert found.sums == [(Decimal("4.00"), "USD")]
    assert found.newest_row == newest_row(worker)


def test_a_statement_of_nothing(study: Study) -> None:
    found = statement(newcomer(study))
    assert (found.lines, found.sums, found.newest_row) == ([], [], 0)


def test_totals_of_the_study_are_the_sums_of_its_workers(study: Study) -> None:
    workers = [newcomer(study) for _ in range(2)]
    for worker in workers:
        Worker.objects.filter(pk=worker.worker_id).update(external_id=f"w{worker.pk}")
        submit(assignment=answer_all(lease(worker)), now=timezone.now())
    newcomer(study)
    make_file(study=study, panel="invitation", currency="USD", covers=Covers.EXTRAS)
    (whole,) = totals_of(study)
    assert (whole.base, whole.bonus) == (Decimal("2.00"), Decimal("1.00"))
    assert (whole.adjustment, whole.total) == (Decimal(0), Decimal("3.00"))
    each = worker_totals(list(paid_people(study)))
    assert [one.participation for one in each] == workers
    assert sum(sums.total for one in each for sums in one.totals) == whole.total
