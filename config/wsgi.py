"""The web application, for gunicorn: ``config.wsgi:application``."""

import os
from pathlib import Path

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()


def _warm_up() -> None:
    """Load every page's code and template now: the first visitors would wait for them.

    A panel sends its crowd within seconds of opening, to processes that have just started.
    """
    import gc

    from django.template import engines
    from django.urls import get_resolver

    _ = get_resolver().url_patterns
    for engine in engines.all():
        for folder in map(Path, engine.dirs):
            for file in sorted(folder.rglob("*.html")):
                engine.get_template(str(file.relative_to(folder)))
    # All this stays until the process ends: the garbage collector need not go through it again
    # and again, which would take as long as dozens of pages. What a page leaves behind in circles
    # is little: it is looked for once in dozens of pages, not several times in each.
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


_warm_up()
