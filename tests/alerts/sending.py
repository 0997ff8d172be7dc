"""What a worker does with the messages that are due."""

from django.db.models import F, Q
from django.utils import timezone

from alerts.announcements import KIND
from alerts.models import Delivery
from jobs.models import Job, JobState
from jobs.runner import work


def send_due() -> int:
    """Send the messages whose time has come; how many were tried."""
    is_due = Q(attempt=F("attempts_before")) | Q(next_at__lte=timezone.now())
    due = Job.objects.filter(is_due, kind=KIND, state=JobState.QUEUED).order_by("pk")
    keys = list(due.values_list("pk", flat=True))
    for key in keys:
        work(job_id=key)
    return len(keys)


def became_of(row: Delivery) -> tuple[str, int, str]:
    """The state of a message, how often it was tried, and what went wrong last."""
    row.refresh_from_db()
    return row.job.state, row.tries, row.job.reason
