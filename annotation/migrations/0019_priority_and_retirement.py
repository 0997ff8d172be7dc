"""Places that are given out before or after others, and units of which no more answers are wanted.

A generated column cannot be altered: `room` is made anew.
"""

from django.db import migrations, models
from django.db.models import Case, F, Q, Value, When


class Migration(migrations.Migration):
    dependencies = [("annotation", "0018_pauses_and_archive")]

    operations = [
        migrations.RemoveIndex(model_name="place", name="place_open"),
        migrations.AddField(
            model_name="place",
            name="priority",
            field=models.SmallIntegerField(
                choices=[(-1, "later"), (0, "usual"), (1, "sooner"), (2, "first")],
                db_default=0,
                default=0,
            ),
        ),
        migrations.AddField(
            model_name="place",
            name="retired",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="unit",
            name="retired_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.RemoveField(model_name="place", name="room"),
        migrations.AddField(
            model_name="place",
            name="room",
            field=models.GeneratedField(
                db_persist=True,
                expression=Case(
                    When(retired=True, then=Value(0)),
                    default=F("wanted") - F("held") - F("counted"),
                ),
                output_field=models.IntegerField(null=True),
            ),
        ),
        migrations.AddField(
            model_name="place",
            name="turn",
            field=models.GeneratedField(
                db_persist=True,
                expression=F("shuffle") - F("priority") * 2147483648,
                output_field=models.BigIntegerField(),
            ),
        ),
        migrations.AddIndex(
            model_name="place",
            index=models.Index(
                condition=Q(room__gt=0), fields=["round", "role", "turn"], name="place_open"
            ),
        ),
    ]
