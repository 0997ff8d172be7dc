"""How often a batch's lease began anew, and how often a study lets it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0001_initial")]

    operations = [
        migrations.AddField(
            "assignment", "extensions", models.PositiveSmallIntegerField(default=0)
        ),
        migrations.AddField("study", "max_extensions", models.PositiveSmallIntegerField(default=3)),
    ]
