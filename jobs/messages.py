"""Messages to the workers. One only names a row: losing it, or having it twice, does no harm."""

import logging
from datetime import timedelta
from typing import Any

from celery import current_app
from kombu.exceptions import OperationalError

log = logging.getLogger(__name__)


def send_task(name: str, row_id: int, *, expires: timedelta, **options: Any) -> bool:
    """Send a task about one row to the workers; whether the broker took it. options: of Celery.

    Once more for a connection that was kept and has broken meanwhile, then not at all: nobody
    waits for a broker.
    """
    once = {"max_retries": 1, "interval_start": 0, "interval_step": 0, "interval_max": 0}
    options |= {"expires": expires.total_seconds(), "retry_policy": once}
    try:
        current_app.send_task(name, args=[row_id], **options)
    except OperationalError as error:
        log.warning("The broker does not answer; %s(%s) is not sent: %s", name, row_id, error)
        return False
    return True
