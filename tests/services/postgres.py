"""A PostgreSQL server of the tests' own.

``python -m tests.services.postgres -- COMMAND`` runs COMMAND with ``DATABASE_URL`` naming a fresh
server and stops the server afterwards; exit status 77 says that no server can be had. Where
``DATABASE_URL`` names a PostgreSQL already, COMMAND is run on that one.
"""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.services.ports import free_port

NOT_AVAILABLE = 77
SERVER_USER = "postgres"
SETTINGS = {
    # Tables that were never analysed look large: plans would be compiled for a handful of rows.
    "jit": "off",
    "max_connections": "400",
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
}
THROWN_AWAY = {
    # Nothing has to survive a power cut.
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    # What a test leaves behind is gone before any table would need it.
    "autovacuum": "off",
}
START_SECONDS = 60


class Unavailable(Exception):
    """Why no PostgreSQL server can be started here."""


def find_binaries() -> Path:
    """Return the folder with ``initdb`` and ``pg_ctl``, of the newest version installed."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    installed = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3])
    )
    if not installed:
        raise Unavailable("PostgreSQL's server programs are not installed")
    return installed[-1].parent


def _as_server_user() -> list[str]:
    """The command prefix for PostgreSQL's programs, which refuse to run as root."""
    if os.geteuid() != 0:
        return []
    try:
        pwd.getpwnam(SERVER_USER)
    except KeyError:
        raise Unavailable(f"running as root, and there is no user {SERVER_USER}") from None
    return ["runuser", "-u", SERVER_USER, "--"]


@dataclass
class PostgresServer:
    """A server with a folder of its own, on a port of the loopback interface, which can be stopped
    and started again. home: an empty folder that others may traverse."""

    home: Path
    port: int = field(default_factory=free_port)
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"postgres://jurybox@127.0.0.1:{self.port}/postgres"

    @property
    def data(self) -> Path:
        return self.home / "data"

    def make(self) -> None:
        """Make its files. Unavailable where there are no programs for it."""
        self._binaries, self._prefix = find_binaries(), _as_server_user()
        if self._prefix:
            shutil.chown(self.home, SERVER_USER)
        options = ["-A", "trust", "-U", "jurybox", "-E", "UTF8", "--no-sync"]
        self._run("initdb", "-D", str(self.data), *options)

    def start(self) -> None:
        """Start it, again and again for a while: what is left of one that was killed may still be
        about to end."""
        settings = {**SETTINGS, **self.settings, "port": self.port}
        options = " ".join(f"-c {name}={value!r}" for name, value in settings.items())
        log = ["-l", str(self.home / "log")]
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                self._run("pg_ctl", "-D", str(self.data), *log, "-o", options, "-w", "start")
            except subprocess.CalledProcessError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)
            else:
                return

    def stop(self, mode: str = "immediate") -> None:
        """Stop it. mode: `fast` ends transactions in order, `immediate` leaves that to the next
        start."""
        self._run("pg_ctl", "-D", str(self.data), "-m", mode, "-w", "stop")

    def pid(self) -> int:
        """The process that all others of the server are children of."""
        return int((self.data / "postmaster.pid").read_text().split("\n", 1)[0])

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._prefix, str(self._binaries / program), *arguments]
        subprocess.run(command, check=True, cwd=self.home, stdout=subprocess.DEVNULL)


@contextmanager
def postgres_server(*, safe: bool = False) -> Iterator[str]:
    """Start a fresh server on a loopback port and yield its URL; stop and remove it after. safe:
    what it has stored survives a power cut."""
    # Not in pytest's own folder: its parents are closed to other users.
    home = Path(tempfile.mkdtemp(prefix="jurybox-postgres-", dir="/tmp"))
    server = PostgresServer(home, settings={} if safe else THROWN_AWAY)
    try:
        server.make()
        server.start()
        try:
            yield server.url
        finally:
            server.stop()
    finally:
        shutil.rmtree(home, ignore_errors=True)


def main(arguments: Sequence[str]) -> int:
    """Run a command against a server of its own and return the command's exit status."""
    command = list(arguments[1:] if arguments[:1] == ["--"] else arguments)
    if not command:
        print(__doc__, file=sys.stderr)
        return 2
    if os.environ.get("DATABASE_URL", "").startswith("postgres"):
        return subprocess.run(command, check=False).returncode
    # A terminated run stops its server, too: the signal becomes an exception that unwinds.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        with postgres_server() as url:
            return subprocess.run(
                command, env={**os.environ, "DATABASE_URL": url}, check=False
            ).returncode
    except Unavailable as reason:
        print(f"no PostgreSQL: {reason}", file=sys.stderr)
        return NOT_AVAILABLE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
