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
            name='UnitAction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('retire', 'Retire'), ('reinstate', 'Reinstate'), ('add', 'Add'), ('remove', 'Remove'), ('ask_again', 'Ask Again'), ('priority', 'Priority'), ('adjudicate', 'Adjudicate')], max_length=12)),
                ('parameters', models.JSONField(default=dict)),
                ('query', models.TextField(blank=True)),
                ('n_units', models.PositiveIntegerField(default=0)),
                ('proposed_at', models.DateTimeField(auto_now_add=True)),
                ('confirmed_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='unit_actions', to='annotation.study')),
            ],
            options={
                'ordering': ['-pk'],
                'indexes': [models.Index(condition=models.Q(('confirmed_at__isnull', True)), fields=['proposed_at'], name='unit_action_proposed')],
            },
        ),
        migrations.CreateModel(
            name='UnitActionUnit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('changed', models.BooleanField(null=True)),
                ('action', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='action_units', to='desk.unitaction')),
                ('unit', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='action_units', to='annotation.unit')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('changed__isnull', True)), fields=['action'], name='unit_action_to_do')],
                'constraints': [models.UniqueConstraint(fields=('action', 'unit'), name='unit_once_per_action')],
            },
        ),
        migrations.CreateModel(
            name='MaterialText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField()),
                ('item', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotation.item')),
                ('source', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotation.source')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotation.study')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('source__isnull', True), ('item__isnull', True), _connector='XOR'), name='text_of_one_thing')],
            },
        ),
        migrations.CreateModel(
            name='SavedView',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80)),
                ('query', models.TextField(blank=True)),
                ('shared', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='saved_views', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='saved_views', to='annotation.study')),
            ],
            options={
                'ordering': ['name', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('study', 'owner', 'name'), name='saved_view_once')],
            },
        ),
    ]
