"""A Redis server of the tests' own."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

import redis

from tests.services.ports import free_port

START_SECONDS = 10


class Unavailable(Exception):
    """Why no Redis server can be started here."""


def _wait_until_it_answers(client: "redis.Redis", server: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            client.ping()
        except redis.ConnectionError:
            if server.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


@contextmanager
def redis_server(port: int | None = None) -> Iterator[str]:
    """Start a fresh server on a loopback port, keeping nothing on disk, and yield its URL.

    port: the one of a server that was stopped, to take its place; None for a free one.
    """
    program = shutil.which("redis-server")
    if program is None:
        raise Unavailable("redis-server is not installed")
    port = port or free_port()
    settings = {"port": str(port), "bind": "127.0.0.1", "save": "", "appendonly": "no"}
    arguments = [part for name, value in settings.items() for part in (f"--{name}", value)]
    with (
        subprocess.Popen([program, *arguments], stdout=subprocess.DEVNULL) as server,
        redis.Redis(port=port) as client,
    ):
        try:
            _wait_until_it_answers(client, server)
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            server.terminate()
