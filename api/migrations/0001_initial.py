import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from jurybox.first_migration import FirstMigration


class Migration(FirstMigration):

    dependencies = [
        ('annotation', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80)),
                ('scopes', models.JSONField(default=list)),
                ('digest', models.CharField(editable=False, max_length=64, unique=True)),
                ('start', models.CharField(editable=False, max_length=12)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('expires_at', models.DateTimeField()),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('last_used_at', models.DateTimeField(blank=True, null=True)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to='annotation.study')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='KeyedWrite',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=255)),
                ('request_hash', models.CharField(max_length=64)),
                ('status', models.PositiveSmallIntegerField(null=True)),
                ('body', models.JSONField(null=True)),
                ('headers', models.JSONField(blank=True, default=dict)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('token', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='api.apitoken')),
            ],
            options={
                'indexes': [models.Index(fields=['made_at'], name='keyed_write_by_age')],
                'constraints': [models.UniqueConstraint(fields=('token', 'key'), name='keyed_write_once'), models.CheckConstraint(condition=models.Q(('key', ''), _negated=True), name='keyed_write_has_key')],
            },
        ),
    ]
