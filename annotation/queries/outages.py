"""Telling a database that cannot be used just now from a fault of ours."""

import logging
import time
from collections.abc import Iterator

from django.db import Error, InterfaceError, OperationalError

RETRY_AFTER_S = 5
# A restart fails hundreds of requests; each process writes one line for it.
LOG_EVERY_S = 60.0
# PostgreSQL's classes of SQLSTATE: connection lost, rolled back for another transaction's sake, out
# of connections or disk, shutting down or starting up. A query that took too long would again.
POSTGRES_CLASSES, TOO_SLOW = ("08", "40", "53", "57"), "57014"
# SQLite's primary result codes: busy, locked, I/O error, disk full, cannot open the file.
SQLITE_CODES = (5, 6, 10, 13, 14)

log = logging.getLogger("jurybox.database")


def is_outage(error: BaseException | None) -> bool:
    """Whether the database was away or locked: the same request may succeed a little later."""
    if not isinstance(error, Error):
        return False
    return any(_is_away(each) for each in _chain(error))


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error and those that led to it: a lost connection also breaks the transaction."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        yield current
        seen.add(id(current))
        current = current.__cause__ or current.__context__


def _is_away(error: BaseException) -> bool:
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    driver = error.__cause__
    sqlite_code = getattr(driver, "sqlite_errorcode", None)
    if sqlite_code is not None:
        return sqlite_code & 0xFF in SQLITE_CODES
    if driver is None or not hasattr(driver, "sqlstate"):
        return False  # a fault of ours, such as a table that is not there
    state: str | None = driver.sqlstate
    return state is None or (state.startswith(POSTGRES_CLASSES) and state != TOO_SLOW)


class OutageLog:
    """One line for an outage, however many requests it fails."""

    def __init__(self) -> None:
        self.last = float("-inf")

    def write(self, error: BaseException) -> None:
        """Say why, unless that was said within the last `LOG_EVERY_S` seconds."""
        now = time.monotonic()
        if now - self.last < LOG_EVERY_S:
            return
        self.last = now
        reason = str(error).strip().partition("\n")[0]
        log.error("The database cannot be used; requests get 503: %s", reason)


outage_log = OutageLog()
