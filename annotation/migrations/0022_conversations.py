from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("annotation", "0021_browser_sessions")]

    operations = [
        migrations.AddField(
            model_name="source",
            name="turns",
            field=models.JSONField(blank=True, default=list),
        ),
    ]
