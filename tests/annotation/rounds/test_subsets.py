import pytest

from annotation.models import Place, Study
from annotation.rounds.subsets import (
    LONGEST_NAME,
    add_to_subset,
    open_setting,
    remove_from_subset,
)
from tests.cast import make_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return make_study(sources=2)


def units_of(study: Study, name: str) -> set[int]:
    return set(study.units.filter(subsets__name=name).values_list("pk", flat=True))


def test_only_units_that_were_not_in_the_subset_are_put_into_it(study: Study) -> None:
    first, second = study.units.values_list("pk", flat=True)
    assert add_to_subset(study=study, units=[first], name=" hard ") == [first]
    assert add_to_subset(study=study, units=[first, second], name="hard") == [second]
    assert units_of(study, "hard") == {first, second}
    assert remove_from_subset(study=study, units=[first], name="hard") == [first]
    assert units_of(study, "hard") == {second}


@pytest.mark.parametrize("name", ["", "  ", "n" * (LONGEST_NAME + 1)])
def test_a_subset_needs_a_name_that_is_not_too_long(study: Study, name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        add_to_subset(study=study, units=[], name=name)


def test_units_of_another_study_do_not_come_into_a_subset(study: Study) -> None:
    other = make_study("other")
    foreign = list(other.units.values_list("pk", flat=True))
    assert add_to_subset(study=study, units=foreign, name="hard") == []
    assert units_of(other, "hard") == set()


def test_only_the_setting_of_the_study_opens_places(study: Study) -> None:
    Place.objects.all().delete()
    assert open_setting(study=study, name="full") == 0
    assert open_setting(study=study, name="") == 0
    assert Place.objects.count() == 0
    assert open_setting(study=study, name="sample") == 2
