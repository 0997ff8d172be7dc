"""A Celery application with the program's settings and one task of its own, for a real worker."""

import os
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from config.celery import app


@app.task
def write(path: str, text: str) -> None:
    """Write a file, which the test waits for."""
    Path(path).write_text(text, encoding="utf-8")
