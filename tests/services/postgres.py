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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.services.ports import free_port

NOT_AVAILABLE = 77
SERVER_USER = "postgres"
SETTINGS = {
    # The data is thrown away: nothing has to survive a power cut.
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    # What a test leaves behind is gone before any table would need it.
    "autovacuum": "off",
    # Tables that were never analysed look large: plans would be compiled for a handful of rows.
    "jit": "off",
    "max_connections": "400",
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
}


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


@contextmanager
def postgres_server() -> Iterator[str]:
    """Start a fresh server on a loopback port and yield its URL; stop and remove it after."""
    binaries, prefix = find_binaries(), _as_server_user()
    # Not in pytest's own folder: its parents are closed to other users.
    home = Path(tempfile.mkdtemp(prefix="jurybox-postgres-", dir="/tmp"))
    if prefix:
        shutil.chown(home, SERVER_USER)
    data, port = home / "data", free_port()

    def run(program: str, *arguments: str) -> None:
        subprocess.run(
            [*prefix, str(binaries / program), *arguments],
            check=True,
            cwd=home,
            stdout=subprocess.DEVNULL,
        )

    options = " ".join(f"-c {name}={value!r}" for name, value in {**SETTINGS, "port": port}.items())
    try:
        run("initdb", "-D", str(data), "-A", "trust", "-U", "jurybox", "-E", "UTF8", "--no-sync")
        run("pg_ctl", "-D", str(data), "-l", str(home / "log"), "-o", options, "-w", "start")
        try:
            yield f"postgres://jurybox@127.0.0.1:{port}/postgres"
        finally:
            run("pg_ctl", "-D", str(data), "-m", "immediate", "-w", "stop")
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
