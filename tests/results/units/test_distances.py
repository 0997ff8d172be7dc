"""How far apart people and judges are on each unit, as lists of units show it."""

import pytest

from annotation.models import Study
from results.models import KeptDistances, UnitDistance
from results.units.distances import distances_kept, keep_distances
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions, rate


@pytest.fixture
def rated(db: None) -> Study:
    """One unit rated 20 and 40 of 100 by people, 70 by a judge; another rated by one person."""
    study = make_study(sources=2, blocks=[("slider", {})])
    people = [make_rater(study, name, "human") for name in ("ada", "bob")]
    first, second = questions(study)
    for rater, number in zip(people, (20.0, 40.0), strict=True):
        rate(rater, first, number)
    rate(make_rater(study, "lexical", "judge"), first, 70.0)
    rate(people[0], second, 50.0)
    return study


def stored(study: Study) -> dict[tuple[int, str], tuple[int, float | None]]:
    rows = UnitDistance.objects.filter(study=study).select_related("rater").order_by("unit", "pk")
    units = list(study.units.order_by("pk").values_list("pk", flat=True))
    return {
        (units.index(row.unit_id), row.rater.name if row.rater else "people"): (
            row.n,
            row.distance,
        )
        for row in rows
    }


def test_numbers_are_apart_as_a_share_of_their_scale(rated: Study) -> None:
    assert keep_distances(study=rated)
    assert stored(rated) == {
        (0, "people"): (2, 0.2),  # the deviation, 10, of at most 50
        (0, "lexical"): (1, 0.4),  # 70 from the mean, 30, of 100
        (1, "people"): (1, None),
    }


def test_only_what_has_changed_is_written_anew(rated: Study) -> None:
    distances_kept(rated)
    before = dict(UnitDistance.objects.values_list("pk", "distance"))
    rate(make_rater(rated, "cleo", "human"), questions(rated)[1], 100.0)
    kept = distances_kept(rated)
    rated.refresh_from_db()
    assert kept is not None
    assert kept.revision == rated.revision
    after = dict(UnitDistance.objects.values_list("pk", "distance"))
    assert after.keys() == before.keys()
    assert sorted(value or 0 for value in after.values()) == [0.2, 0.4, 0.5]


def test_sets_are_apart_by_their_own_distance(db: None) -> None:
    study = make_study(sources=1, blocks=[("citation_recovery", {})])
    (question,) = questions(study)
    for name, chosen in (("ada", (0,)), ("bob", (0,))):
        choose(make_rater(study, name, "human"), question, *chosen)
    keep_distances(study=study)
    assert stored(study) == {(0, "people"): (2, 0.0)}


def test_an_older_count_does_not_replace_a_newer_one(rated: Study) -> None:
    KeptDistances.objects.create(study=rated, revision=10**6)
    keep_distances(study=rated)
    assert not UnitDistance.objects.exists()
