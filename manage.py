#!/usr/bin/env python
"""Jurybox's command line: ``manage.py help`` lists the commands."""

import os
import sys

from django.core.management import execute_from_command_line
from django.db import DatabaseError

from config.prepared import missing_database, missing_migrations
from config.without_data import leave_no_data


def main() -> None:
    """Run a command; where there is no prepared database, say so in one line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    leave_no_data(sys.argv[1:])
    if reason := missing_database(sys.argv[1:]):
        sys.exit(f"CommandError: {reason}")
    try:
        execute_from_command_line(sys.argv)
    except DatabaseError:
        if reason := missing_migrations():
            sys.exit(f"CommandError: {reason}")
        raise


if __name__ == "__main__":
    main()
