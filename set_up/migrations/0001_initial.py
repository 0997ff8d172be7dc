import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from jurybox.first_migration import FirstMigration


class Migration(FirstMigration):

    dependencies = [
        ('jobs', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='ImportJob',
            fields=[
            ],
            options={
                'proxy': True,
                'indexes': [],
                'constraints': [],
            },
            bases=('jobs.job',),
        ),
        migrations.CreateModel(
            name='NewStudy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('keys', models.JSONField(default=dict)),
                ('file_name', models.CharField(blank=True, max_length=255)),
                ('digest', models.CharField(blank=True, max_length=64)),
                ('skip_unusable', models.BooleanField(default=False)),
                ('started_at', models.DateTimeField(auto_now_add=True)),
                ('touched_at', models.DateTimeField(auto_now=True)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='new_studies', to=settings.AUTH_USER_MODEL)),
            ],
        ),
    ]
