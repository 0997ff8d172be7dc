"""How gunicorn serves the program: ``gunicorn config.wsgi --config python:config.web_server``.

WEB_CONCURRENCY, which gunicorn reads itself, sets the number of processes; arguments of the command
line come before what is here. No log of requests by gunicorn: addresses hold workers' ids at their
panel, and the keys of invitations.
"""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from telemetry.counters import FOLDER
from telemetry.logs import logging_settings

# Threads wait for the database side by side.
worker_class, threads = "config.threads.WaitingThreads", 4
# The program is loaded once, by the parent, which then splits: each further process takes no time
# and little memory, nor does the one that takes the place of one that was killed. New code needs a
# new parent.
preload_app = True
limit_request_line = 8190  # filters of the API in any script
# It would lie in the user's own folder.
control_socket_disable = True

_in_memory = Path("/dev/shm")  # noqa: S108 (of the system; our folders in it have names nobody knows)
# Else a disk that is slow for a moment makes a process look as if it hung.
_shared = str(_in_memory) if os.access(_in_memory, os.W_OK) else None
worker_tmp_dir = _shared

if FOLDER not in os.environ:
    os.environ[FOLDER] = tempfile.mkdtemp(prefix="jurybox-counters-", dir=_shared)


def _format() -> str:
    """As the settings choose it, which this process, the parent of the others, does not load."""
    served = not os.environ.get("DATABASE_URL", "sqlite:").startswith("sqlite")
    return os.environ.get("LOG_FORMAT", "") or ("json" if served else "text")


_level = os.environ.get("LOG_LEVEL", "") or "INFO"
logconfig_dict = logging_settings(form=_format(), level=_level)


def on_exit(_server: Any) -> None:
    """The parent ends."""
    shutil.rmtree(os.environ[FOLDER], ignore_errors=True)
