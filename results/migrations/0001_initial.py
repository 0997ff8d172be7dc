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
            name='Datasheet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('answers', models.JSONField(default=dict)),
                ('edition', models.PositiveIntegerField(default=0)),
                ('changed_at', models.DateTimeField(auto_now=True)),
                ('changed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='datasheet', to='annotation.study')),
            ],
        ),
        migrations.CreateModel(
            name='KeptDistances',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveBigIntegerField(null=True)),
                ('kept_at', models.DateTimeField(auto_now_add=True)),
                ('study', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotation.study')),
            ],
        ),
        migrations.CreateModel(
            name='KeptMaterial',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stored', models.CharField(max_length=64)),
                ('material', models.JSONField()),
                ('study', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotation.study')),
            ],
        ),
        migrations.CreateModel(
            name='Registration',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('keys', models.JSONField()),
                ('analysis', models.JSONField()),
                ('material', models.JSONField()),
                ('digest', models.CharField(max_length=64)),
                ('answers', models.PositiveBigIntegerField()),
                ('reason', models.TextField(blank=True)),
                ('registered_at', models.DateTimeField(auto_now_add=True)),
                ('registered_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='registrations', to='annotation.study')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='ResultsLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token', models.CharField(max_length=40, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('page', models.TextField(blank=True)),
                ('page_key', models.CharField(blank=True, max_length=64)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results_links', to='annotation.study')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='UnitDistance',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('n', models.PositiveIntegerField()),
                ('distance', models.FloatField(null=True)),
                ('rater', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotation.rater')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotation.study')),
                ('unit', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='distances', to='annotation.unit')),
            ],
            options={
                'indexes': [models.Index(fields=['study', 'rater', 'distance'], name='unit_by_distance')],
                'constraints': [models.UniqueConstraint(fields=('unit', 'rater'), name='distance_once'), models.UniqueConstraint(condition=models.Q(('rater', None)), fields=('unit',), name='distance_of_people_once')],
            },
        ),
    ]
