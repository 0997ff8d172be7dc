#!/usr/bin/env python
"""Jurybox's command line: ``manage.py help`` lists the commands; installed, it is ``jurybox``."""

import gc
import os
import runpy
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import DatabaseError

from config.prepared import choose_data, failed_migration, missing_database, missing_migrations
from config.without_data import leave_no_data
from jurybox import __version__
from jurybox.packages import take_names

# Run as they are, with the program's packages on the path: `jurybox celery -A config worker`.
SERVERS = ("gunicorn", "celery")


def main() -> None:
    """Run a command; where there is no prepared database, say so in one line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    arguments = sys.argv[1:]
    if arguments in (["--version"], ["version"]):
        print(f"jurybox {__version__}")  # noqa: T201 (what was asked for)
        return
    if arguments and arguments[0] in SERVERS:
        _run_server(arguments)
        return
    leave_no_data(arguments)
    choose_data(arguments)
    if reason := missing_database(arguments):
        sys.exit(f"CommandError: {reason}")
    # Modules and models stay. To look for garbage among them, as often as Python does, took a fifth
    # of the time of `migrate`.
    gc.set_threshold(50_000)
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"CommandError: {error}")
    except DatabaseError as error:
        if reason := failed_migration(arguments, error) or missing_migrations():
            sys.exit(f"CommandError: {reason}")
        raise


def _run_server(arguments: list[str]) -> None:
    """Run gunicorn or Celery, which put the folder that a user works in first on the path."""
    take_names()
    sys.argv = arguments
    runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
