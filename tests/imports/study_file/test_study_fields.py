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
# One in a form with the posted names of whole places, and one where a key is its field's name.
ENTRY = '''
    hypothesis: str = study_field(
        "", "Hypothesis", form="method", doors=Door.ALL, long=True, counted=True
    )
    """What the study is to show."""
    motto: str = study_field("", form="texts")
    """Shown nowhere."""
    seed: '''
WITHIN = '''
    mood: str = drawn("")
    """Of the board."""
    minimum_age: '''
MODEL_FIELDS = (
    "    hypothesis = models.TextField(blank=True)\n"
    "    motto = models.TextField(blank=True)\n"
    "    seed = "
)
# Run in the changed tree: what each door has of the new field.
LOOK = """
import json, sys
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command

django.setup()
settings.DEBUG = True  # static files without a manifest
settings.MIGRATION_MODULES = {app.label: None for app in django.apps.apps.get_app_configs()}
call_command("migrate", run_syncdb=True, verbosity=0)

from drf_spectacular.generators import SchemaGenerator

from django.http import QueryDict
from django.test import Client

from annotation.models import Member, Study, User
from api.schema.examples import EXAMPLES
from api.serializers.material import StudySerializer
from set_up.steps.keys_forms import MethodForm, TextsForm
from docs.generate import study_file
from imports.studies.update import apply_study
from imports.study_file.study_fields import long_texts
from imports.study_file.writing import study_keys
from exports.bundle import study_lines
from exports.records import item_lines

file = Path(sys.argv[1])
apply_study(path=file)
file.write_text(file.read_text().replace("Worse", "Better"))
changed = apply_study(path=file).changed
study = Study.objects.get()
keys = study_keys(study)
field = MethodForm(keys)["k.hypothesis"]
owner = User.objects.create_user("owner")
Member.objects.create(study=study, user=owner, role=Member.Role.OWNER)
client = Client(headers={"host": "localhost"})
client.force_login(owner)
typed = {
    "method": (MethodForm, "k.hypothesis=Same", "hypothesis"),
    "texts": (TextsForm, "motto=Same", "motto"),
}
pages, values = [], []
for page, (form, posted, key) in typed.items():
    drawn = client.get(f"/studies/s/set-up/{page}/").content.decode()
    pages.append(f'name="{posted.partition("=")[0]}"' in drawn)
    filled = form(keys, QueryDict(posted))
    filled.is_valid()
    values.append(filled.models[0].record[key])
schema = SchemaGenerator().get_schema(request=None, public=True)
print(json.dumps({
    "changed": list(changed),
    "revision": study.revision,
    "file": study_keys(study)["hypothesis"],
    "form": [field.label, field.help_text, field.value()],
    "pages": pages,
    "within": 'name="mood"' in drawn,
    "typed": values,
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
    insert(tree / "imports/study_file/study_fields.py", "\n    seed: ", ENTRY)
    insert(tree / "imports/study_file/parts.py", "\n    minimum_age: ", WITHIN)
    insert(tree / "annotation/models/study.py", "    seed = ", MODEL_FIELDS)
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
        "pages": [True, True],
        "within": True,
        "typed": ["Same", "Same"],
        "api": "Better",
        "schema": True,
        "example": "",
        "records": "Better",
        "bundle": "Better",
        "lists": True,
        "docs": True,
    }
