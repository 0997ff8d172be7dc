"""Celery tasks of recruitment."""

from celery import shared_task
from django.utils import timezone

from recruitment import refresh

# Seconds: Prolific asks to wait now and then, and a study may have thousands of submissions.
PANEL_LIMIT = 900


@shared_task
def read_panels() -> int:
    """Every five minutes: read each study at Prolific in a task of its own, so that one that fails
    or is slow stops no other."""
    keys = refresh.studies_to_read()
    for key in keys:
        read_panel.apply_async((key,), expires=300)
    return len(keys)


@shared_task(time_limit=PANEL_LIMIT)
def read_panel(made_id: int) -> bool:
    """Read the submissions of one study at Prolific, and what became of what was sent there."""
    return refresh.read_study(made_id=made_id, now=timezone.now())
