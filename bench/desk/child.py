"""In the child: fill a database, time what is asked for on its pages, and write its exports.

`python -m bench.desk.child` prints every figure as a line of JSON as soon as it is measured. A
database that has the study already, in the folder or at the address that the environment names, is
used as it is; `--build` stops when there is one.
"""

import importlib
import json
import os
import sys
import time
from collections.abc import Iterable
from typing import Any


def main(*, only_build: bool = False) -> None:
    """Build, time the pages, then the exports with pages beside them, then what changes the study:
    those of them that DESK_PARTS names."""
    _set_up()
    from annotation.models import Study, User
    from bench.desk import exports, pages
    from bench.desk.study import RESEARCHER, SLUG, UNITS, build

    started = time.monotonic()
    user = User.objects.filter(username=RESEARCHER).first()
    if user is None:
        user = build(units=int(os.environ.get("DESK_UNITS", UNITS)))
        say(f"study made in {time.monotonic() - started:.0f} s")
        keep(Study.objects.get(slug=SLUG), user)
    if only_build:
        return
    # As the server's processes begin: what is loaded is kept from the garbage collector.
    importlib.import_module("config.wsgi")
    study = Study.objects.get(slug=SLUG)
    wanted = os.environ.get("DESK_PARTS", "pages,acts,exports").split(",")
    client = pages.signed_in(user)
    if "pages" in wanted:
        tell(pages.time_pages(client, study))
    if "exports" in wanted:
        tell(exports.time_exports(client, study, user))
    if "acts" in wanted:
        tell(pages.time_acts(client, study, user))


def tell(rows: Iterable[dict[str, Any]]) -> None:
    """Each figure on a line of its own, at once."""
    for row in rows:
        print(json.dumps(row), flush=True)


def say(text: str) -> None:
    """What a reader of the terminal wants to know meanwhile."""
    print(text, file=sys.stderr, flush=True)


def keep(study: Any, user: Any) -> None:
    """What workers do in the background before anybody looks; and the study is registered."""
    from django.db import connection

    from desk.data.units.search import keep_texts
    from desk.people.workers.newest import FIGURES
    from estimates.report.recount import recount
    from jobs.queue import ask
    from jobs.runner import work as carry_out
    from results.studies.registration import register
    from results.units.distances import keep_distances

    def keep_figures(*, study: Any) -> None:
        carry_out(job_id=ask(FIGURES, study=study, parameters={}, send=False).pk)

    register(study=study, by=user)
    for work in (keep_texts, recount, keep_distances, keep_figures):
        started = time.monotonic()
        work(study=study)
        say(f"{work.__name__} in {time.monotonic() - started:.1f} s")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")  # as a server does by itself


def _set_up() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    settings.ALLOWED_HOSTS = ["*"]
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    call_command("migrate", verbosity=0)


if __name__ == "__main__":
    main(only_build="--build" in sys.argv[1:])
