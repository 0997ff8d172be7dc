"""The Celery application: ``celery -A config worker`` and ``celery -A config beat``."""

import os
import random
from typing import Any

from celery import Celery, Task
from celery.exceptions import Ignore
from celery.utils.log import get_task_logger
from django.db import OperationalError

from telemetry import messages

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

logger = get_task_logger(__name__)
# What SQLite says while a long transaction, such as an import, holds its write lock.
LOCKED = "database is locked"
TRIES, WAIT_S = 4, 15.0


class PatientTask(Task):
    """A task that tries again later where another program is writing to SQLite.

    After the last try it is given up: periodic tasks come again, and the sweep finds the rest.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return self.run(*args, **kwargs)
        except OperationalError as error:
            if LOCKED not in str(error):
                raise
            if self.request.retries >= TRIES:
                logger.warning("%s: the database stayed locked; given up", self.name)
                raise Ignore from error
            wait = WAIT_S * random.uniform(0.5, 1.5)  # noqa: S311 (jitter, no secret)
            raise self.retry(exc=error, countdown=wait, max_retries=TRIES) from error


app = Celery("jurybox", task_cls=PatientTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
messages.connect()
