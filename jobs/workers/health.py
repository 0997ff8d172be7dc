"""Whether a background worker and beat are alive, and the broker can be reached."""

from datetime import datetime, timedelta

from celery import Celery, current_app
from kombu.exceptions import OperationalError

from jobs.models import BEAT, Heartbeat

ALIVE = timedelta(seconds=15)
# Beat looks at its clock every half a minute, and waits for a database that is away.
BEAT_ALIVE = timedelta(minutes=2)


def worker_alive(now: datetime) -> bool:
    """Whether a background worker has written a heartbeat within 15 seconds."""
    return Heartbeat.objects.of_workers().fresh(now, ALIVE).exists()


def workers_alive(now: datetime) -> list[str]:
    """The names of background workers that have written a heartbeat within 15 seconds."""
    rows = Heartbeat.objects.of_workers().fresh(now, ALIVE).order_by("worker")
    return list(rows.values_list("worker", flat=True))


def beat_alive(now: datetime) -> bool:
    """Whether beat has written a heartbeat within two minutes."""
    return Heartbeat.objects.filter(worker=BEAT).fresh(now, BEAT_ALIVE).exists()


def broker_answers(app: Celery = current_app) -> bool:
    """Whether a message can be sent now; where not, this takes a few seconds at most."""
    try:
        with app.connection_for_write() as connection:
            connection.ensure_connection(max_retries=0, timeout=2)
            connection.default_channel.close()
    except (OperationalError, OSError):
        return False
    return True
