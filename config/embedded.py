"""What a machine without any services needs: a place for data, a secret key, a broker of files."""

import os
import secrets
import tempfile
from pathlib import Path
from typing import Any

# One message is read per poll, so the interval bounds the latency of every task.
# Kombu's own second would hold the whole embedded worker to a few tasks per second.
POLLING_SECONDS = 0.02


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
