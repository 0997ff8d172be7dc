"""The program's code once more, one version further: it has a migration that this one lacks."""

import shutil
from pathlib import Path

from bench.serve.databases import ROOT

APP = ROOT / "annotation"
LEFT_OUT = (".*", "var", "dist", "node_modules", "__pycache__", "docs", "staticfiles")
# A column that the new code fills, and the old code knows nothing of.
BEFORE = "    comment = models.TextField(blank=True)\n"
FIELD = 'models.CharField(max_length=20, default="new", db_default="old")'
MIGRATION = """from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "{last}")]
    operations = [
        migrations.AddField("assignment", "made_by", {field}),
    ]
"""


def new_code(folder: Path) -> Path:
    """A copy of the tree in which batches say which version has leased them."""
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*LEFT_OUT))
    last = sorted((APP / "migrations").glob("0*.py"))[-1].stem
    (folder / "annotation" / "migrations" / "9000_made_by.py").write_text(
        MIGRATION.format(last=last, field=FIELD), encoding="utf-8"
    )
    models = folder / "annotation" / "models" / "work.py"
    text = models.read_text(encoding="utf-8")
    assert text.count(BEFORE) == 1
    models.write_text(text.replace(BEFORE, f"{BEFORE}    made_by = {FIELD}\n"), encoding="utf-8")
    return folder
