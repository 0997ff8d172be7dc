from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0009_mark_observed_ends")]

    operations = [
        migrations.AddField(
            model_name="unit",
            name="part_reasons",
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
