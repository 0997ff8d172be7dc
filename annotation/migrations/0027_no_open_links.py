"""Remove the tokens that lay in the clear. A migration of its own: PostgreSQL changes no table in the
transaction that has just changed its rows."""

from django.db import migrations, models

import annotation.models.links


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0026_sealed_links"),
    ]

    operations = [
        migrations.RemoveField("worker", "return_token"),
        migrations.RemoveField("invitation", "token"),
        *(
            migrations.AlterField(
                model,
                "sealed_token",
                models.CharField(
                    default=annotation.models.links.sealed_new_token,
                    editable=False,
                    max_length=255,
                ),
            )
            for model in ("participation", "invitation")
        ),
        migrations.AlterField(
            "participation",
            "token_hash",
            models.CharField(db_index=True, editable=False, max_length=64),
        ),
        migrations.AlterField(
            "invitation", "token_hash", models.CharField(editable=False, max_length=64, unique=True)
        ),
    ]
