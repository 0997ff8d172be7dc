import pytest

from annotation.models import Assignment, Study
from annotation.work.review import exclude
from desk.worker_records.likeness import alike_on, likeness, overall
from tasktypes.facets import Facet
from tests.annotation.workers import RECOVERY, SLIDER, newcomer
from tests.cast import make_study
from tests.desk.worker_records.batches import work_through

pytestmark = pytest.mark.django_db


def overalls(study: Study, people: list[int]) -> dict[int, float | None]:
    return {person: overall(per) for person, per in likeness(study, people).items()}


LABEL = Facet("l", "L", "label", "nominal")
SET = Facet("s", "S", "set", "jaccard")
SCALE = Facet("n", "N", "number", "interval", low=0, high=100)
STEPS = Facet("o", "O", "number", "ordinal", low=1, high=5)
OPEN = Facet("p", "P", "number", "interval")


@pytest.mark.parametrize(
    ("facet", "one", "other", "alike"),
    [
        (LABEL, "yes", "yes", 1),
        (LABEL, "yes", "no", 0),
        (SET, frozenset({0, 2}), frozenset({0}), 1 / 2),
        (SET, frozenset(), frozenset(), 1),
        (SET, frozenset(), frozenset({1}), 0),
        (SCALE, 40.0, 65.0, 0.75),
        (STEPS, 4.0, 5.0, 0),
        (OPEN, 4.0, 5.0, 0),
        (OPEN, 4.0, 4.0, 1),
    ],
)
def test_how_like_two_values_are(facet: Facet, one: object, other: object, alike: float) -> None:
    assert alike_on(facet, one, other) == alike
    assert alike_on(facet, other, one) == alike


@pytest.fixture
def study() -> Study:
    return make_study(sources=1, overlap=3, per_batch=1)


def says(study: Study, sentences: list[str], value: str) -> Assignment:
    posted = {RECOVERY: {"sentences": sentences}, SLIDER: {"value": [value]}}
    return work_through(newcomer(study), lambda _unit: posted)


def test_everybody_is_compared_with_everybody_else(study: Study) -> None:
    first = says(study, ["0", "2"], "40")
    second = says(study, ["0"], "50")
    third = says(study, ["0", "2"], "90")
    people = [batch.participation_id for batch in (first, second, third)]
    found = likeness(study, people)
    recovery, utility = sorted(found[people[0]])
    # The sets {0, 2}, {0} and {0, 2}: 1/2 and 1 for the first, 1/2 and 1/2 for the second.
    assert [found[who][recovery] for who in people] == pytest.approx([3 / 4, 1 / 2, 3 / 4])
    # 40, 50 and 90 of 100: 10 and 50 away, 10 and 40 away, 50 and 40 away.
    assert [found[who][utility] for who in people] == pytest.approx([0.7, 0.75, 0.55])
    assert overall(found[people[0]]) == pytest.approx((0.75 + 0.7) / 2)
    assert overalls(study, people)[people[1]] == pytest.approx((0.5 + 0.75) / 2)


def test_who_was_alone_has_no_figure(study: Study) -> None:
    batch = says(study, ["0"], "40")
    assert overalls(study, [batch.participation_id]) == {}


def test_excluded_answers_are_not_compared_with_but_stay_in_their_own_record(
    study: Study,
) -> None:
    careful, careless = says(study, ["0", "2"], "40"), says(study, ["1"], "100")
    exclude(assignments=[careless], reason="careless", by=None)
    found = overalls(study, [careful.participation_id, careless.participation_id])
    assert careful.participation_id not in found
    assert found[careless.participation_id] == pytest.approx((0 + 0.4) / 2)


def test_control_units_do_not_make_people_look_alike() -> None:
    study = make_study(sources=2, overlap=1, positive=1, per_batch=1)
    people = [says(study, ["0", "2"], "40").participation_id for _ in range(2)]
    assert overalls(study, people) == {}
