from typing import Any

from django.db import migrations, models


def keep_pages(apps: Any, schema_editor: Any) -> None:
    """A study that people answer goes on as it began: with all parts on one page."""
    begun = apps.get_model("annotation", "Study").objects.exclude(state="draft")
    begun.update(parts_shown="all")


class Migration(migrations.Migration):
    dependencies = [("annotation", "0006_text_form")]

    operations = [
        migrations.AddField(
            model_name="study",
            name="parts_shown",
            field=models.CharField(
                choices=[("one", "One"), ("all", "All")],
                db_default="one",
                default="one",
                max_length=3,
            ),
        ),
        migrations.RunPython(keep_pages, migrations.RunPython.noop, elidable=True),
    ]
