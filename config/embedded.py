"""What a machine without any services needs: a place for data, a secret key, a broker of files."""

import os
import secrets
import sys
import tempfile
from pathlib import Path
from typing import Any

# One message is read per poll, so the interval bounds the latency of every task.
# Kombu's own second would hold the whole embedded worker to a few tasks per second.
POLLING_SECONDS = 0.02


def data_folder(base: Path) -> Path:
    """The folder of everything that the program writes, which need not exist.

    base: the folder of manage.py. `JURYBOX_DATA` where it is set; `var` in a checkout; for an
    installed package, whose own folder is replaced with the next version, the one that the system
    has for a user's data.
    """
    named = os.environ.get("JURYBOX_DATA")
    chosen = Path(named) if named else _own_folder() if is_installed(base) else base / "var"
    return chosen.expanduser().resolve()


def is_installed(base: Path) -> bool:
    """Whether the program was installed as a package, and is no checkout."""
    return (base / "__init__.py").is_file()


def _own_folder() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "jurybox"
    home = os.environ.get("XDG_DATA_HOME", "")
    return (Path(home) if home.startswith("/") else Path.home() / ".local" / "share") / "jurybox"


def secret_key(data: Path) -> str:
    """Return the key kept in ``data/secret.key``, making it the first time.

    Web and worker process may both start first: the key is written aside and linked into place,
    which succeeds for exactly one of them, and both read what won.
    """
    path = data / "secret.key"
    if not path.exists():
        handle, aside = tempfile.mkstemp(dir=data, prefix=".secret.")  # mode 0600
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(48))
        try:
            os.link(aside, path)
        except FileExistsError:
            pass
        finally:
            Path(aside).unlink()
    return path.read_text(encoding="ascii")


def file_broker_options(folder: Path) -> dict[str, Any]:
    """Create the message folder of ``config.broker`` and return the transport's options."""
    folder.mkdir(parents=True, exist_ok=True)
    return {"folder": str(folder), "polling_interval": POLLING_SECONDS}
