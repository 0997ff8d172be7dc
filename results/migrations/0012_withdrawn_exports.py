from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("results", "0011_kept_material")]

    operations = [
        migrations.AlterField(
            model_name="exportjob",
            name="state",
            field=models.CharField(
                choices=[
                    ("queued", "Queued"),
                    ("running", "Running"),
                    ("done", "Done"),
                    ("failed", "Failed"),
                    ("cancelled", "Cancelled"),
                    ("withdrawn", "Withdrawn"),
                ],
                default="queued",
                max_length=9,
            ),
        ),
    ]
