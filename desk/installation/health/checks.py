"""Whether the parts that the program needs answer."""

from django.db import DatabaseError, connection
from django.utils import timezone

from jobs.workers.health import broker_answers, worker_alive


def failing_parts() -> list[str]:
    """The names of what does not answer: database, broker, worker."""
    checks = {
        "database": _database_answers,
        "broker": broker_answers,
        "worker": lambda: worker_alive(timezone.now()),
    }
    return [name for name, answers in checks.items() if not _holds(answers)]


def _holds(answers: object) -> bool:
    try:
        return bool(answers())  # type: ignore[operator]
    except DatabaseError:
        return False


def _database_answers() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone())
