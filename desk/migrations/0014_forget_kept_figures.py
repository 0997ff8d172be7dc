from typing import Any

from django.db import migrations


def forget(apps: Any, _schema_editor: Any) -> None:
    """They hold another agreement with the others than the report's; they are computed anew."""
    apps.get_model("desk", "KeptFigures").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("desk", "0013_drift_event")]

    operations = [migrations.RunPython(forget, migrations.RunPython.noop, elidable=True)]
