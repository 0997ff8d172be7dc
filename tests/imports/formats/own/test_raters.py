from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError

from tests.imports.small_files import write_bytes, write_json
from tests.imports.tables import answers_of, import_files, refusal

pytestmark = pytest.mark.django_db


def files(folder: Path, people: Any, judges: Any) -> list[Path]:
    return [write_json(folder / "people.json", people), write_json(folder / "judges.json", judges)]


def test_every_key_of_the_files_is_a_rater_of_its_kind(tmp_path: Path) -> None:
    given = files(tmp_path, {"ada": {"u1": 1, "u2": 5}}, {"gpt": {"u2": 4, "u3": 2}})
    study = import_files("raters", *given, level="ordinal")
    assert set(study.raters.values_list("name", "kind")) == {("ada", "human"), ("gpt", "judge")}
    assert answers_of(study, "gpt") == {
        "u2": {"scores": {"rating": 4.0}},
        "u3": {"scores": {"rating": 2.0}},
    }
    (facet,) = study.blocks.get().facets
    assert (facet.name, facet.kind, facet.distance) == ("rating", "number", "ordinal")
    assert (facet.low, facet.high) == (1, 5)


def test_labels_are_kept_as_they_are_at_the_nominal_level(tmp_path: Path) -> None:
    given = files(tmp_path, {"ada": {"u1": "Yes", "u2": 0}}, {"gpt": {"u1": "No"}})
    study = import_files("raters", *given, level="nominal")
    assert answers_of(study, "ada")["u2"] == {"scores": {"rating": "0"}}
    assert study.blocks.get().facets[0].labels == ("0", "No", "Yes")


def test_a_label_is_the_same_whole_number_however_it_is_written(tmp_path: Path) -> None:
    """A table that had gaps writes 1 as 1.0."""
    people = {"ada": {"u1": 1, "u2": 0, "u3": 1.5, "u4": True}}
    given = files(tmp_path, people, {"gpt": {"u1": 1.0, "u2": -0.0, "u3": "1.5", "u4": "true"}})
    study = import_files("raters", *given, level="nominal")
    assert answers_of(study, "ada") == answers_of(study, "gpt")
    assert study.blocks.get().facets[0].labels == ("0", "1", "1.5", "true")


def test_numbers_with_many_values_lie_on_a_line_at_the_interval_level(tmp_path: Path) -> None:
    given = files(tmp_path, {"ada": {"u1": 0.31, "u2": 0.5}}, {"gpt": {"u1": 0.97}})
    study = import_files("raters", *given, level="interval")
    assert answers_of(study, "gpt") == {"u1": {"value": 0.97}}
    assert (study.blocks.get().facets[0].low, study.blocks.get().facets[0].high) == (0, 1)


@pytest.mark.parametrize(
    ("people", "judges", "reason"),
    [
        ({"ada": {"u1": "good"}}, {}, "people.json (rater ada): u1: 'good' is not a number"),
        ({"ada": {"u1": None}}, {}, "people.json (rater ada): u1: 'None' is not a number"),
        ({"ada": [1]}, {}, "people.json (rater ada): ratings: not an object"),
        ({"ada": {"u1": 1}}, {"ada": {"u1": 2}}, "judges.json (rater ada): rater: also in people"),
        ({"ada": {"u1": 1}}, {}, "people.json: rating: a scale needs two different values"),
        ({}, {}, "people.json: ratings: none in this file"),
    ],
)
def test_what_is_no_rating_is_refused(
    tmp_path: Path, people: Any, judges: Any, reason: str
) -> None:
    given = files(tmp_path, people, judges)
    assert refusal("raters", *given, level="ordinal").startswith(reason)


def test_a_unit_given_twice_is_refused(tmp_path: Path) -> None:
    file = write_bytes(tmp_path / "people.json", b'{"ada": {"u1": 1, "u1": 2}}')
    assert refusal("raters", file, level="ordinal") == "people.json: JSON: 'u1' is given twice"


def test_the_level_has_to_be_said(tmp_path: Path) -> None:
    file = write_json(tmp_path / "people.json", {"ada": {"u1": 1, "u2": 2}})
    with pytest.raises(CommandError, match="--level: the format raters needs it"):
        import_files("raters", file)
