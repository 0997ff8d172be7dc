"""What is installed: the program, what it runs on, and its optional parts."""

import platform
import shutil
import sqlite3
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

from django.conf import settings

from desk.installation.findings import Finding, note, ok
from jurybox import __version__

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def installed_parts() -> Iterator[Finding]:
    """The program with its versions, then the parts that are optional."""
    yield ok(f"Jurybox {__version__}, in {settings.BASE_DIR}")
    yield ok(
        f"Python {platform.python_version()}, Django {version('django')}, "
        f"SQLite {sqlite3.sqlite_version}"
    )
    yield _local_models()
    yield _browser()


def _local_models() -> Finding:
    versions = {name: _version(name) for name in ("torch", "transformers")}
    if all(versions.values()):
        listed = ", ".join(f"{name} {number}" for name, number in versions.items())
        return ok(f"local models: {listed}")
    return note("local models: not installed; judges that run a model here need the extra models")


def _browser() -> Finding:
    if not _version("playwright"):
        return note("pages made by scripts: playwright is not installed (PAGES_RENDERED needs it)")
    program = next(filter(None, map(shutil.which, BROWSERS)), "")
    return ok(f"pages made by scripts: playwright, with {program or 'its own Chromium'}")


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
