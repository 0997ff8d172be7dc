"""The study file that a study writes: reading it gives the same study."""

from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.importing.study_file.update import apply_study
from annotation.importing.study_file.writing import study_keys, study_yaml
from annotation.models import Study

pytestmark = pytest.mark.django_db
EXAMPLES = sorted(Path("examples").glob("*/study.yaml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_every_example_comes_back_as_it_went_in(path: Path, tmp_path: Path) -> None:
    call_command("apply_study", str(path), verbosity=0)
    study = Study.objects.get()
    text, revision = study_yaml(study), study.revision
    written = tmp_path / "example" / "study.yaml"
    written.parent.mkdir()
    for name in study.imported.get("items", {}):
        (written.parent / name).parent.mkdir(exist_ok=True)
        (written.parent / name).write_bytes((path.parent / name).read_bytes())
    written.write_text(text, encoding="utf-8")
    applied = apply_study(path=written)
    assert (applied.created, applied.changed, applied.loaded) == (False, (), ())
    again = Study.objects.get()
    assert again.revision == revision
    assert study_yaml(again) == text


def test_a_written_file_makes_the_same_study_elsewhere(tmp_path: Path) -> None:
    call_command("apply_study", "examples/likert/study.yaml", verbosity=0)
    keys = study_keys(Study.objects.get())
    written = tmp_path / "study.yaml"
    text = study_yaml(Study.objects.get()).replace("slug: likert", "slug: other")
    written.write_text(text, encoding="utf-8")
    (tmp_path / "items.jsonl").write_bytes(Path("examples/likert/items.jsonl").read_bytes())
    other = apply_study(path=written).study
    assert study_keys(other) == keys | {"slug": "other"}
