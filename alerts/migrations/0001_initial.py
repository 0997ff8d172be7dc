import django.db.models.deletion
from django.db import migrations, models

from jurybox.first_migration import FirstMigration


class Migration(FirstMigration):

    dependencies = [
        ('annotation', '0001_initial'),
        ('jobs', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Alert',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=40)),
                ('message', models.CharField(max_length=500)),
                ('since', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='alerts', to='annotation.study')),
            ],
            options={
                'ordering': ['-since', '-pk'],
                'indexes': [models.Index(fields=['study', '-since'], name='alert_by_study')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('study', 'kind'), name='alert_open_once')],
            },
        ),
        migrations.CreateModel(
            name='AlertMemory',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('checked_at', models.DateTimeField()),
                ('memory', models.JSONField(default=dict)),
                ('study', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotation.study')),
            ],
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('channel', models.CharField(choices=[('email', 'E-mail'), ('webhook', 'Webhook')], max_length=7)),
                ('event', models.CharField(choices=[('opened', 'Opened'), ('ended', 'Ended'), ('test', 'Test'), ('answers', 'Answers'), ('round', 'Round'), ('run', 'Run'), ('export', 'Export'), ('drift', 'Drift')], max_length=10)),
                ('content', models.JSONField(blank=True, default=dict)),
                ('subject', models.CharField(blank=True, max_length=80)),
                ('key', models.UUIDField(editable=False, unique=True)),
                ('made_at', models.DateTimeField()),
                ('status', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('alert', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='alerts.alert')),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='delivery', to='jobs.job')),
                ('member', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotation.member')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='annotation.study')),
            ],
            options={
                'ordering': ['-pk'],
                'indexes': [models.Index(fields=['study', '-id'], name='delivery_by_study')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('channel', 'webhook'), ('member', None)), ('channel', 'email'), _connector='OR'), name='delivery_member_by_email'), models.UniqueConstraint(condition=models.Q(('subject', ''), _negated=True), fields=('study', 'event', 'subject'), name='delivery_once_for_subject')],
            },
        ),
        migrations.CreateModel(
            name='Subscription',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('by_email', models.BooleanField(default=False)),
                ('without', models.JSONField(blank=True, default=list)),
                ('member', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='subscription', to='annotation.member')),
            ],
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.CharField(max_length=500)),
                ('secret', models.CharField(max_length=255)),
                ('old_secret', models.CharField(blank=True, default='', max_length=255)),
                ('old_until', models.DateTimeField(blank=True, null=True)),
                ('made_at', models.DateTimeField()),
                ('events', models.JSONField(blank=True, null=True)),
                ('study', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='webhook', to='annotation.study')),
            ],
        ),
        migrations.CreateModel(
            name='WebhookFeed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField()),
                ('through', models.BigIntegerField()),
                ('gaps', models.JSONField(default=list)),
                ('finished', models.JSONField(default=list)),
                ('study', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotation.study')),
            ],
        ),
    ]
