import django.db.models.deletion
from django.db import migrations, models


def rename(old: str, new: str) -> list[migrations.operations.base.Operation]:
    """Give a model another name and leave its table where it is."""
    return [
        migrations.AlterModelTable(old, f"annotation_{old.lower()}"),
        migrations.RenameModel(old, new),
    ]


class Migration(migrations.Migration):
    dependencies = [("annotation", "0006_epsilon")]

    operations = [
        *rename("Batch", "FixedBatch"),
        *rename("BatchPlace", "FixedBatchPlace"),
        *rename("BatchUnit", "AssignmentUnit"),
        migrations.AlterField(
            model_name='assignmentunit',
            name='assignment',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignment_units', to='annotation.assignment'),
        ),
        migrations.AlterField(
            model_name='assignmentunit',
            name='place',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignment_units', to='annotation.place'),
        ),
        migrations.AlterField(
            model_name='assignmentunit',
            name='unit',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignment_units', to='annotation.unit'),
        ),
        migrations.AlterField(
            model_name='assignmentunit',
            name='worker',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignment_units', to='annotation.worker'),
        ),
    ]
