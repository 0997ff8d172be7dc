"""In the child: build a study, or cost the operations on it.

`python -m bench.million.child build UNITS` fills the database that the environment names;
`… child PART` prints the cost of each operation of that part as a line of JSON.
"""

import importlib
import json
import logging
import os
import sys
import time
from dataclasses import asdict


def main(part: str, *arguments: str) -> None:
    """One part, in a process of its own: a worker or a web process would have done it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    if part == "build":
        _build(int(arguments[0]))
        return
    from django.conf import settings

    logging.disable(logging.INFO)  # a line for each request
    from bench.million.operations import PARTS

    settings.ALLOWED_HOSTS = ["*"]
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    importlib.import_module("config.wsgi")  # as the server's processes begin
    for cost in PARTS[part]():
        print(json.dumps(asdict(cost)), flush=True)


def _build(units: int) -> None:
    from django.core.management import call_command

    from bench.million.study import build

    call_command("migrate", verbosity=0)
    began = time.monotonic()
    build(units)
    print(f"{units:,} units made in {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
