from itertools import cycle

import pytest

from annotation.models import AssignmentUnit, Study
from desk.worker_records.sameness import longest_run, runs, spreads
from tests.annotation.workers import RECOVERY, SLIDER, newcomer
from tests.cast import make_study
from tests.desk.worker_records.batches import Posted, work_through

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("values", "longest"), [("", 0), ("a", 1), ("abab", 1), ("abbba", 3), ("aab", 2)]
)
def test_the_longest_run(values: str, longest: int) -> None:
    assert longest_run(values) == longest


@pytest.fixture
def study() -> Study:
    return make_study(sources=6, overlap=1, per_batch=3, max_batches_per_worker=2)


def test_runs_go_on_from_batch_to_batch_in_the_order_in_which_units_were_met(study: Study) -> None:
    sentences = cycle(["0", "1", "2", "2", "2", "0"])
    values = iter(["10", "10", "10", "10", "10", "70"])
    turn = {}

    def answer(unit: AssignmentUnit) -> Posted:
        if unit.pk not in turn:
            turn[unit.pk] = {
                RECOVERY: {"sentences": [next(sentences)]},
                SLIDER: {"value": [next(values)]},
            }
        return turn[unit.pk]

    worker = newcomer(study)
    for _ in range(2):
        work_through(worker, answer)
    recovery, slider = runs(study, [worker.pk])[worker.pk]
    assert (recovery.longest, recovery.answers) == (3, 6)
    assert (slider.longest, slider.answers) == (5, 6)
    assert max(recovery.longest, slider.longest) == 5
    (spread,) = spreads(study, [worker.pk])[worker.pk]
    # Five times 10 and once 70: mean 20, variance (5 * 100 + 2500) / 6 = 500.
    assert spread.facet == "utility"
    assert spread.sd == pytest.approx(500**0.5)
    assert spread.ratings == 6


def test_nobody_without_answers_has_a_run(study: Study) -> None:
    worker = newcomer(study)
    assert runs(study, [worker.pk]) == {}
    assert spreads(study, [worker.pk]) == {}
