"""The words that people agreed to; times that no browser counted; and no links to the places of a
panel's workers."""

import hashlib
import json
from typing import Any

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


def keep_standing_texts(apps: Any, schema_editor: Any) -> None:
    """The words of a consent are known where the study's text still has its hash."""
    consents = apps.get_model("annotation", "Consent").objects
    texts = apps.get_model("annotation", "ConsentText").objects
    for study in apps.get_model("annotation", "Study").objects.all():
        words = json.dumps([study.consent_text, study.ethics], sort_keys=True, ensure_ascii=False)
        standing = {
            "version": study.consent_version,
            "text_hash": hashlib.sha256(words.encode()).hexdigest(),
        }
        given = consents.filter(participation__study=study, **standing).order_by("given_at")
        first = given.values_list("given_at", flat=True).first()
        if first is not None:
            texts.create(
                study=study,
                text=study.consent_text,
                ethics=study.ethics,
                first_given_at=first,
                **standing,
            )


def end_links_to_panels_workers(apps: Any, schema_editor: Any) -> None:
    invitations = apps.get_model("annotation", "Invitation").objects
    invitations.filter(worker__isnull=False).exclude(worker__panel="invitation").delete()


class Migration(migrations.Migration):
    dependencies = [("annotation", "0003_promised_pay")]

    operations = [
        migrations.AlterField(
            "draft", "active_seconds", models.FloatField(null=True, blank=True, default=0)
        ),
        migrations.CreateModel(
            "ConsentText",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.CharField(max_length=40)),
                ("text_hash", models.CharField(max_length=64)),
                ("text", models.TextField()),
                ("ethics", models.JSONField(default=dict)),
                ("first_given_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="consent_texts",
                        to="annotation.study",
                    ),
                ),
            ],
            {
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=["study", "version", "text_hash"], name="consent_text_once"
                    )
                ],
            },
        ),
        migrations.RunPython(keep_standing_texts, migrations.RunPython.noop),
        migrations.RunPython(end_links_to_panels_workers, migrations.RunPython.noop),
    ]
