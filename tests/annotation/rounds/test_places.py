"""Which units get a place in which round."""

from typing import Any

import pytest

from annotation.models import Place, Round, Study, Unit
from annotation.rounds.places import open_places
from tests.cast import add_units, make_study

pytestmark = pytest.mark.django_db


def without_places(**fields: Any) -> Study:
    study = make_study(**fields)
    Place.objects.all().delete()
    return study


def later_round(study: Study, **fields: object) -> Round:
    return Round.objects.create(
        study=study, position=1, name="later", normal_per_batch=1, expected_minutes=5, **fields
    )


def placed(round_: Round) -> set[int]:
    return set(Place.objects.filter(round=round_).values_list("unit", flat=True))


def test_every_unit_and_control_gets_one_place_and_no_second_one() -> None:
    study = without_places(sources=3, positive=2, negative=1)
    assert open_places(study) == 6
    assert placed(study.rounds.get()) == set(study.units.values_list("pk", flat=True))
    assert open_places(study) == 0


def test_a_round_with_units_of_its_own_gives_out_those_alone() -> None:
    study = without_places(sources=3)
    main, later = study.rounds.get(), later_round(study)
    own = study.units.order_by("pk")[0]
    Unit.objects.filter(pk=own.pk).update(round=later)
    open_places(study)
    assert placed(later) == {own.pk}
    assert placed(main) == set(study.units.exclude(pk=own.pk).values_list("pk", flat=True))


def test_a_round_that_shows_answers_takes_the_training_units_of_all_rounds_and_its_own() -> None:
    study = without_places(sources=3)
    main, later = study.rounds.get(), later_round(study, shows_answers=True)
    roles = [(number, Unit.Role.TRAINING) for number in (100, 101, 102)]
    everywhere, own, elsewhere = add_units(study, later, roles)
    Unit.objects.filter(pk=own.pk).update(round=later)
    Unit.objects.filter(pk=elsewhere.pk).update(round=main)
    Place.objects.all().delete()
    open_places(study)
    assert placed(later) == {everywhere.pk, own.pk}
