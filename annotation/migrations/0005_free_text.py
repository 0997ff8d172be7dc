from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0004_teams'),
    ]

    operations = [
        migrations.AddField(
            model_name='participation',
            name='questionnaire',
            field=models.JSONField(blank=True, db_default={}, default=dict),
        ),
        migrations.AddField(
            model_name='study',
            name='free_text',
            field=models.JSONField(blank=True, db_default={}, default=dict),
        ),
        migrations.AddField(
            model_name='study',
            name='questionnaire',
            field=models.JSONField(blank=True, db_default={}, default=dict),
        ),
    ]
