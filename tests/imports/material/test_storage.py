"""Writing what was read: keys are names within a study."""

from pathlib import Path

import pytest

from annotation.models import Study
from imports.material import storage
from tests.imports.small_files import item, record, source, write_lines
from tests.imports.tables import import_files, refused, skipped

pytestmark = pytest.mark.django_db


def test_two_studies_with_the_same_keys_share_nothing(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "lines.jsonl", [record(), record(1)])
    first, second = import_files("jsonl", path, slug="a"), import_files("jsonl", path, slug="b")
    for study in (first, second):
        assert study.sources.count() == study.items.count() == 2
        assert set(study.items.values_list("source__study", flat=True)) == {study.pk}
        assert set(study.units.values_list("source__study", flat=True)) == {study.pk}


@pytest.mark.parametrize("group", [1, 100])
def test_an_item_comes_again_with_another_unit_and_a_unit_never_whatever_the_groups(
    group: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "BATCH", group)
    units = [{"key": f"mill-0/alder/{n}", "focus": {"passage": n}} for n in (1, 2, 1)]
    path = write_lines(tmp_path / "lines.jsonl", [record(unit=unit) for unit in units])
    (said,) = skipped("jsonl", path)
    assert "unit.key: duplicate" in said
    study = Study.objects.get()
    assert (study.items.count(), study.units.count()) == (1, 2)


@pytest.mark.parametrize("group", [1, 100])
def test_an_item_knows_what_it_was_made_from_whichever_group_that_was_in(
    group: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "BATCH", group)
    made = record() | {"items": [item("mill-0/made", perturbed_from="mill-0/alder")]}
    study = import_files("jsonl", write_lines(tmp_path / "lines.jsonl", [record(), made]))
    assert study.items.get(key="mill-0/made").perturbed_from == study.items.get(key="mill-0/alder")


@pytest.mark.parametrize("group", [1, 100])
def test_a_source_that_comes_again_as_something_else_is_refused_whatever_the_groups(
    group: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "BATCH", group)
    other = {"source": source("mill-0", claim="Another claim."), "items": [item("mill-0/birch")]}
    said = refused("jsonl", write_lines(tmp_path / "lines.jsonl", [record(), other]))
    assert "'mill-0' came before as something else" in said
