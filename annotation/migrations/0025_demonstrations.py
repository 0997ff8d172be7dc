from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0024_reasons_of_imported_answers"),
    ]

    operations = [
        migrations.AddField(
            model_name="study",
            name="demonstration",
            field=models.BooleanField(default=False, editable=False),
        ),
    ]
