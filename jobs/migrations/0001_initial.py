import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from jurybox.first_migration import FirstMigration


class Migration(FirstMigration):

    dependencies = [
        ('annotation', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('worker', models.CharField(max_length=200, primary_key=True, serialize=False)),
                ('at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=40)),
                ('parameters', models.JSONField(default=dict)),
                ('digest', models.CharField(blank=True, max_length=64)),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled'), ('withdrawn', 'Withdrawn')], default='queued', max_length=9)),
                ('reason', models.CharField(blank=True, max_length=1000)),
                ('progress', models.JSONField(default=dict)),
                ('outcome', models.JSONField(null=True)),
                ('revision', models.PositiveBigIntegerField(null=True)),
                ('attempts_before', models.PositiveIntegerField(default=0)),
                ('attempt', models.PositiveIntegerField(default=0)),
                ('seconds', models.FloatField(null=True)),
                ('asked_at', models.DateTimeField()),
                ('next_at', models.DateTimeField(null=True)),
                ('alive_at', models.DateTimeField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('owner', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='jobs', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='annotation.study')),
            ],
            options={
                'indexes': [models.Index(fields=['study', 'kind', '-id'], name='job_by_study'), models.Index(fields=['digest', 'state'], name='job_by_digest'), models.Index(condition=models.Q(('state__in', ['queued', 'running'])), fields=['next_at'], name='job_under_way')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state__in', ['queued', 'running']), models.Q(('digest', ''), _negated=True)), fields=('digest',), name='job_under_way_once')],
            },
        ),
    ]
