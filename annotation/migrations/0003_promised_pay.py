"""What a batch was promised to pay, in which of the panel's sessions it was submitted, and what
the panel pays for a screen-out by itself."""

from typing import Any

from django.db import migrations, models
from django.db.models import OuterRef, Subquery

MONEY = {"max_digits": 8, "decimal_places": 2}
PROMISED = ("base_pay", "bonus_pay", "pass_accuracy", "currency")


def promise(apps: Any, schema_editor: Any) -> None:
    """As far as anybody knows, batches were leased for what their round pays today."""
    rounds = apps.get_model("annotation", "Round").objects.filter(pk=OuterRef("round"))
    assignments = apps.get_model("annotation", "Assignment").objects
    assignments.update(**{name: Subquery(rounds.values(name)[:1]) for name in PROMISED})


def number_sessions(apps: Any, schema_editor: Any) -> None:
    """Sessions were kept with a count of their batches; now each has a number, which the batches
    know. Those before the one at hand come first."""
    participations = apps.get_model("annotation", "Participation").objects
    for participation in participations.exclude(panel_session={}):
        held = participation.panel_session
        done = participation.assignments.filter(state="submitted", round__shows_answers=False)
        keys = list(done.order_by("submitted_at", "pk").values_list("pk", flat=True))
        for number, session in enumerate([*held.get("earlier", []), held], start=1):
            own, keys = keys[: session.get("batches")], keys[session.get("batches", 0) :]
            session["number"] = number
            session.pop("batches", None)
            participation.assignments.filter(pk__in=own).update(visit=number)
        participation.save(update_fields=["panel_session"])


def keep_screenout_pay(apps: Any, schema_editor: Any) -> None:
    participations = apps.get_model("annotation", "Participation").objects
    studies = apps.get_model("annotation", "Study").objects.filter(pk=OuterRef("study"))
    participations.filter(state="screened_out").update(
        screenout_pay=Subquery(studies.values("screenout_pay")[:1])
    )


class Migration(migrations.Migration):
    dependencies = [("annotation", "0002_extensions")]

    operations = [
        migrations.AddField("assignment", "base_pay", models.DecimalField(default=0, **MONEY)),
        migrations.AddField("assignment", "bonus_pay", models.DecimalField(default=0, **MONEY)),
        migrations.AddField(
            "assignment", "pass_accuracy", models.FloatField(null=True, blank=True)
        ),
        migrations.AddField(
            "assignment", "currency", models.CharField(max_length=3, default="USD")
        ),
        migrations.AddField("assignment", "visit", models.PositiveIntegerField(default=0)),
        migrations.AddField(
            "participation",
            "screenout_pay",
            models.DecimalField(null=True, blank=True, **MONEY),
        ),
        migrations.AddField("ledgerrow", "by_panel", models.DecimalField(default=0, **MONEY)),
        migrations.RunPython(promise, migrations.RunPython.noop),
        migrations.RunPython(number_sessions, migrations.RunPython.noop),
        migrations.RunPython(keep_screenout_pay, migrations.RunPython.noop),
    ]
