"""What a migration does to rows that are there."""

from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps

from annotation import migrations
from tests.cast import make_study


@pytest.mark.django_db
def test_the_scales_of_imported_scores_are_marked_as_observed() -> None:
    options = {"facet": "score", "compared_with": ["recovery"]}
    blocks = [("citation_recovery", {}), ("slider", options)]
    imported = make_study("imported", blocks=blocks, imported={"files": []})
    written = make_study("written", blocks=blocks)
    (file,) = Path(migrations.__path__[0]).glob("*_mark_observed_ends.py")
    import_module(f"annotation.migrations.{file.stem}").mark(apps, None)
    marked = {
        study.slug: study.blocks.get(key="slider").facets[0].ends_observed
        for study in (imported, written)
    }
    assert marked == {"imported": True, "written": False}
