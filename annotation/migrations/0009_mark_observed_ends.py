"""Mark the scales of imported scores whose ends are those of the scores themselves."""

from django.db import migrations


def mark(apps, schema_editor):
    blocks = apps.get_model("annotation", "Block").objects
    for block in blocks.filter(task_type_slug="slider").select_related("study"):
        if "files" in block.study.imported and block.options.get("compared_with"):
            block.options["ends_observed"] = True
            block.save(update_fields=["options"])


class Migration(migrations.Migration):
    dependencies = [("annotation", "0008_preparation")]

    operations = [migrations.RunPython(mark, migrations.RunPython.noop)]
