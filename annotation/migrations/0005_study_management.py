"""Copies of a study for trying it out, invitations that have ended, controls that are retired,
and problems that workers report, found by unit."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0004_consent_texts")]

    operations = [
        migrations.AddField(
            model_name="study",
            name="tryout_of",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="tryouts",
                to="annotation.study",
            ),
        ),
        migrations.AddField(
            model_name="study",
            name="tryout_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddIndex(
            model_name="batchunit",
            index=models.Index(
                condition=models.Q(("problem", ""), _negated=True),
                fields=["unit"],
                name="problem_reported",
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="ended_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="unit",
            name="check_state",
            field=models.CharField(
                choices=[
                    ("not_needed", "Not Needed"),
                    ("proposed", "Proposed"),
                    ("validated", "Validated"),
                    ("rejected", "Rejected"),
                    ("retired", "Retired"),
                ],
                default="not_needed",
                max_length=10,
            ),
        ),
    ]
