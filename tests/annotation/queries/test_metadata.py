"""Own columns are listed and filtered alike on both databases."""

import pytest

from annotation.models import Item, Study
from annotation.queries.metadata import having, metadata_names

pytestmark = pytest.mark.django_db

OWN = {"3": "three", 'a "b"': 5, "umlaut ä__x": 0.5, "yes": True, "text": "5", "or": "1 OR 1"}


@pytest.fixture
def own(study: Study) -> Item:
    item = study.items.earliest("pk")
    item.metadata = OWN
    item.save()
    return item


def test_names_are_told_apart_from_numbers(study: Study, own: Item) -> None:
    numbers = {'a "b"', "umlaut ä__x"}
    assert metadata_names(Item, study) == {name: name in numbers for name in sorted(OWN)}


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("name", "value"),
    [("3", "three"), ('a "b"', "5"), ("umlaut ä__x", "0.5"), ("yes", "true"), ("text", "5")],
)
def test_an_own_column_is_filtered_by_its_value_as_text(
    study: Study, own: Item, name: str, value: str
) -> None:
    assert study.items.filter(having(name, value)).get() == own
    assert not study.items.filter(having(name, value + "x")).exists()
    assert not study.items.filter(having(name + "x", value)).exists()
