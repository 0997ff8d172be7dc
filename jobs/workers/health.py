"""Whether a background worker is alive and the broker can be reached."""

from datetime import datetime, timedelta

from celery import Celery, current_app
from kombu.exceptions import OperationalError

from jobs.models import Heartbeat

ALIVE = timedelta(seconds=15)


def worker_alive(now: datetime) -> bool:
    """Whether a background worker has written a heartbeat within 15 seconds."""
    return Heartbeat.objects.filter(at__gt=now - ALIVE, at__lt=now + ALIVE).exists()


def broker_answers(app: Celery = current_app) -> bool:
    """Whether a message can be sent now; where not, this takes a few seconds at most."""
    try:
        with app.connection_for_write() as connection:
            connection.ensure_connection(max_retries=0, timeout=2)
            connection.default_channel.close()
    except (OperationalError, OSError):
        return False
    return True
