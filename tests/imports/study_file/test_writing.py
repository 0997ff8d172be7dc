"""The study file that a study writes: reading it gives the same study."""

from pathlib import Path

import pytest
import yaml
from django.core.management import call_command

from annotation.models import Study
from files.errors import ImportFailure
from imports.studies.update import apply_study
from imports.study_file.writing import study_keys, study_yaml

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


def test_what_watches_a_study_comes_back_too(tmp_path: Path) -> None:
    keys = {
        "stop": {"metric": "krippendorff_alpha_nominal", "half_width": 0.05},
        "budget": {"amount": "250.00", "pause": True},
        "alerts": {"silent_hours": None, "agreement_below": 0.4},
    }
    file = tmp_path / "study.yaml"
    file.write_text("slug: s\ntitle: S\ntask_type: likert\n" + yaml.safe_dump(keys))
    study = apply_study(path=file).study
    written = study_keys(study)
    assert {name: written[name] for name in keys} == keys
    file.write_text(study_yaml(study))
    assert apply_study(path=file).changed == ()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("budget", {"amount": "0"}),
        ("budget", {"amount": "5.00", "warn_at": 80}),
        ("alerts", {"fast_share": 25}),
        ("alerts", {"fast": 0.25}),
    ],
)
def test_thresholds_that_cannot_be_are_refused_by_name(
    tmp_path: Path, key: str, value: dict[str, object]
) -> None:
    file = tmp_path / "study.yaml"
    described = {"slug": "s", "title": "S", "task_type": "likert", key: value}
    file.write_text(yaml.safe_dump(described))
    with pytest.raises(ImportFailure, match=key):
        apply_study(path=file)
