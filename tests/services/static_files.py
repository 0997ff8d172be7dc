"""Styles, scripts and fonts as collectstatic finds them."""

from django.contrib.staticfiles import finders
from django.core.files.storage import Storage

from config.static_files import compact, is_ours, joined


def found_files() -> dict[str, tuple[Storage, str]]:
    """Name -> where it lies."""
    found: dict[str, tuple[Storage, str]] = {}
    for finder in finders.get_finders():
        for path, storage in finder.list([]):
            prefix = getattr(storage, "prefix", None)
            found.setdefault(f"{prefix}/{path}" if prefix else path, (storage, path))
    return found


FOUND = found_files()


def served(name: str) -> bytes:
    """A file as collectstatic makes it."""
    storage, path = FOUND[name]
    if is_ours(name, storage):
        return compact(name, joined(name, FOUND)).encode()
    with storage.open(path) as file:
        return bytes(file.read())
