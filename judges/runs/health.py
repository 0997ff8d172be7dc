"""Whether the background answers: a worker, and the broker that brings it work."""

from datetime import datetime, timedelta

from celery import Celery, current_app
from kombu.exceptions import OperationalError

from judges.models import Heartbeat

ALIVE = timedelta(seconds=15)


def worker_alive(now: datetime) -> bool:
    """Whether some background worker has given a sign of life within 15 seconds."""
    return Heartbeat.objects.filter(at__gt=now - ALIVE).exists()


def broker_answers(app: Celery = current_app) -> bool:
    """Whether a message could be sent now; takes at most a few seconds to say no."""
    try:
        with app.connection_for_write() as connection:
            connection.ensure_connection(max_retries=0, timeout=2)
            connection.default_channel.close()
    except (OperationalError, OSError):
        return False
    return True
