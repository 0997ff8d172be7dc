import django.db.models.deletion
from django.db import migrations, models

from jurybox.first_migration import FirstMigration


class Migration(FirstMigration):

    dependencies = [
        ('annotation', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='CachedEstimates',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveBigIntegerField()),
                ('options_hash', models.CharField(max_length=64)),
                ('rows', models.JSONField()),
                ('headline', models.JSONField(null=True)),
                ('versions', models.JSONField(default=dict)),
                ('counts', models.JSONField(default=list)),
                ('seconds', models.FloatField(null=True)),
                ('computed_at', models.DateTimeField(auto_now=True)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='cached_estimates', to='annotation.study')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('study', 'options_hash'), name='cached_once')],
            },
        ),
        migrations.CreateModel(
            name='KeptRatings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveBigIntegerField()),
                ('facet', models.CharField(blank=True, max_length=80)),
                ('columns', models.BinaryField()),
                ('computed_at', models.DateTimeField(auto_now=True)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotation.study')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('study', 'facet'), name='kept_once')],
            },
        ),
    ]
