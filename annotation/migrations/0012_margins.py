from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0011_what_workers_are_told")]

    operations = [
        migrations.AddField(
            model_name="study",
            name="margins",
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
