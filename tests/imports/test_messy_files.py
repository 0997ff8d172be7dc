"""Deliberately messy tables: each comes in with these counts, or is refused in this sentence."""

from pathlib import Path

import pytest

from annotation.models import Source, Study
from tests.imports.messy_files import FILES, Messy
from tests.imports.tables import refused, skipped

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_there_are_thirty_at_least() -> None:
    assert len({messy.title for messy in FILES}) == len(FILES) >= 30


@pytest.mark.parametrize("messy", FILES, ids=str)
def test_a_messy_file_comes_in_or_is_refused_with_its_line(messy: Messy, tmp_path: Path) -> None:
    path = tmp_path / messy.name
    path.write_bytes(messy.raw())
    if messy.refused:
        assert refused("table", path, task_type="likert").startswith(messy.refused)
        assert not Study.with_unfinished.exists()
        assert not Source.objects.exists()
        return
    assert tuple(skipped("table", path, task_type="likert")) == messy.left_out
    study = Study.objects.get()
    assert (study.sources.count(), study.items.count()) == messy.counts
    assert study.imported["counts"].get("records_skipped", 0) == len(messy.left_out)
    if messy.texts:
        items = study.items.order_by("pk")
        assert tuple(item.material.sentences[0].text for item in items) == messy.texts
