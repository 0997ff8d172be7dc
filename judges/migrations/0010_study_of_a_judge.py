"""Judges belong to studies, in three steps: PostgreSQL changes no table whose rows were changed in
the same transaction."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("annotation", "0025_demonstrations"),
        ("judges", "0009_probe_sets"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="judge", name="judge_version_once"),
        migrations.RemoveConstraint(model_name="judge", name="judge_fingerprint_once"),
        migrations.AddField(
            model_name="judge",
            name="study",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="judge_versions",
                to="annotation.study",
            ),
        ),
        migrations.AlterField(
            model_name="judgerun",
            name="judge",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="runs",
                to="judges.judge",
            ),
        ),
        migrations.AlterField(
            model_name="probeset",
            name="judge",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="probe_sets",
                to="judges.judge",
            ),
        ),
    ]
