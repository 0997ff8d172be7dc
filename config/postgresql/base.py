"""The backend: `ENGINE` of the settings names this folder."""

import select
from typing import Any

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that is not asked whether it lives at the beginning of each request, which takes
    as long as asking for what the request is about."""

    def is_usable(self) -> bool:
        """Whether the server still listens. One that ends a connection, or its end of it, says so:
        then there is something to read, though nothing was asked. Only then is the server asked."""
        connection: Any = self.connection
        stands = not connection.closed and _is_silent(connection.pgconn.socket)
        return stands or super().is_usable()


def _is_silent(socket: int) -> bool:
    if not hasattr(select, "poll"):
        return False
    waiting = select.poll()
    waiting.register(socket, select.POLLIN)
    return not waiting.poll(0)
