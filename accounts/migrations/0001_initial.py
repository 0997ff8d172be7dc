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
            name='ColleagueInvitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(blank=True, choices=[('owner', 'Owner'), ('editor', 'Editor'), ('reviewer', 'Reviewer'), ('viewer', 'Viewer')], max_length=8)),
                ('email', models.EmailField(blank=True, max_length=254)),
                ('mailed', models.BooleanField(default=False)),
                ('digest', models.CharField(editable=False, max_length=64, unique=True)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('expires_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('accepted_at', models.DateTimeField(blank=True, null=True)),
                ('accepted_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='colleague_invitations', to='annotation.study')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('role', ''), ('study', None)), models.Q(('study__isnull', False), models.Q(('role', ''), _negated=True)), _connector='OR'), name='colleague_role_in_study')],
            },
        ),
    ]
