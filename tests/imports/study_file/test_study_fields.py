"""A new field of a study is one entry of the table and a field of the model."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
ENTRY = '''
    hypothesis: Annotated[
        str,
        StudyField(
            form="method", label="Hypothesis", doors=Door.ALL, long=True, counted=True
        ),
    ] = ""
    """What the study is to show."""
    seed: Annotated['''
MODEL_FIELD = "    hypothesis = models.TextField(blank=True)\n    seed = "
# Run in the changed tree: what each door has of the new field.
LOOK = """
import json, sys
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command

django.setup()
settings.MIGRATION_MODULES = {app.label: None for app in django.apps.apps.get_app_configs()}
call_command("migrate", run_syncdb=True, verbosity=0)

from drf_spectacular.generators import SchemaGenerator

from annotation.models import Study
from api.schema.examples import EXAMPLES
from api.serializers.material import StudySerializer
from desk.set_up.steps.schema_forms import MethodForm
from docs.generate import study_file
from imports.studies.update import apply_study
from imports.study_file.study_fields import long_texts
from imports.study_file.writing import study_keys
from results.exporting.bundle import study_lines
from results.exporting.records import item_lines

file = Path(sys.argv[1])
apply_study(path=file)
file.write_text(file.read_text().replace("Worse", "Better"))
changed = apply_study(path=file).changed
study = Study.objects.get()
(node,) = [node for node in MethodForm(study_keys(study)).nodes if node.name == "k.hypothesis"]
schema = SchemaGenerator().get_schema(request=None, public=True)
print(json.dumps({
    "changed": list(changed),
    "revision": study.revision,
    "file": study_keys(study)["hypothesis"],
    "form": [node.label, node.hint, node.value],
    "api": StudySerializer(study).data["hypothesis"],
    "schema": "hypothesis" in schema["components"]["schemas"]["Study"]["properties"],
    "example": EXAMPLES["Study"]["hypothesis"],
    "records": json.loads(next(item_lines(study)))["study"]["hypothesis"],
    "bundle": json.loads("".join(study_lines(study)))["hypothesis"],
    "lists": "hypothesis" in long_texts(),
    "docs": "| `hypothesis` | text | none | What the study is to show |" in study_file.tables(),
}))
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The program with a field more."""
    tree = tmp_path / "tree"
    tree.mkdir()
    for part in ROOT.iterdir():
        if part.name in ("annotation", "imports"):
            shutil.copytree(part, tree / part.name, ignore=shutil.ignore_patterns("__pycache__"))
        elif not part.name.startswith("."):
            (tree / part.name).symlink_to(part)
    insert(tree / "imports/study_file/study_fields.py", "\n    seed: Annotated[", ENTRY)
    insert(tree / "annotation/models/study.py", "    seed = ", MODEL_FIELD)
    return tree


def insert(file: Path, before: str, text: str) -> None:
    source = file.read_text(encoding="utf-8")
    assert source.count(before) == 1
    file.write_text(source.replace(before, text), encoding="utf-8")


def test_one_entry_and_one_field_of_the_model_open_every_door(tree: Path, tmp_path: Path) -> None:
    file = tmp_path / "study.yaml"
    file.write_text("slug: s\ntitle: S\nblocks: [{task_type: likert}]\nhypothesis: Worse\n")
    env = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": "sqlite://:memory:",
        "JURYBOX_DATA": str(tmp_path / "data"),
        "PYTHONPATH": str(tree),
    }
    command = [sys.executable, "-c", LOOK, str(file)]
    done = subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    doors: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert doors.pop("revision") > 0
    assert doors == {
        "changed": ["hypothesis"],
        "file": "Better",
        "form": ["Hypothesis", "What the study is to show", "Better"],
        "api": "Better",
        "schema": True,
        "example": "",
        "records": "Better",
        "bundle": "Better",
        "lists": True,
        "docs": True,
    }
