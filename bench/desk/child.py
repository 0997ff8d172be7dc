"""In the child: fill a database, time what is asked for on its pages, and write its exports.

`python -m bench.desk.child` prints what was measured as the last line. A database that has the
study already, in the folder or at the address that the environment names, is used as it is.
"""

import json
import os
import sys
import time
from typing import Any


def main() -> None:
    """Build, time the pages, then the exports with pages beside them."""
    _set_up()
    from annotation.models import Study, User
    from bench.desk import exports, pages
    from bench.desk.study import RESEARCHER, SLUG, build

    started = time.monotonic()
    user = User.objects.filter(username=RESEARCHER).first()
    if user is None:
        user = build()
        say(f"study made in {time.monotonic() - started:.0f} s")
        keep(Study.objects.get(slug=SLUG))
    study = Study.objects.get(slug=SLUG)
    wanted = os.environ.get("DESK_PARTS", "pages,acts,exports").split(",")
    client, rows = pages.signed_in(user), []
    if "pages" in wanted:
        rows += pages.time_pages(client, study)
    if "exports" in wanted:
        rows += exports.time_exports(client, study, user)
    if "acts" in wanted:
        rows += pages.time_acts(client, study, user)
    print(json.dumps(rows))


def say(text: str) -> None:
    """What a reader of the terminal wants to know meanwhile."""
    print(text, file=sys.stderr, flush=True)


def keep(study: Any) -> None:
    """What workers do in the background before anybody looks."""
    from desk.data.units.search import keep_texts
    from results.report.recount import recount
    from results.units.distances import keep_distances

    for work in (keep_texts, recount, keep_distances):
        started = time.monotonic()
        work(study=study)
        say(f"{work.__name__} in {time.monotonic() - started:.1f} s")


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
    main()
