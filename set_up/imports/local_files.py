"""Tables that lie on the server already: those under a folder that the settings name.

For superusers alone, who could read them anyway. A path never leads out of the folder, whatever
links lie in it.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from annotation.models import User
from files.errors import ImportFailure
from imports.uploads import keep_upload

# Files that are offered, and folders below one another that are looked into.
MOST_LISTED, DEEPEST = 200, 4
_PIECE = 2**20


def may_import_locally(user: User) -> bool:
    """Whether the settings and the account allow it."""
    return bool(settings.IMPORT_ROOT) and user.is_superuser and root().is_dir()


def root() -> Path:
    """The folder, as it really is."""
    return Path(settings.IMPORT_ROOT).resolve()


def local_files() -> list[tuple[str, int]]:
    """(path under the folder, bytes) of the files there, by name."""
    folder = root()
    listed: list[tuple[str, int]] = []
    for path in _files(folder, DEEPEST):
        listed.append((str(path.relative_to(folder)), path.stat().st_size))
        if len(listed) == MOST_LISTED:
            break
    return listed


def _files(folder: Path, deep: int) -> Iterator[Path]:
    with os.scandir(folder) as there:
        entries = sorted(there, key=lambda entry: entry.name)
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_file(follow_symlinks=False):
            yield Path(entry.path)
        elif deep and entry.is_dir(follow_symlinks=False) and os.access(entry.path, os.R_OK):
            yield from _files(Path(entry.path), deep - 1)


def keep_local_file(name: str) -> str:
    """Keep a copy of a file under the folder, as an upload is kept; its digest. ImportFailure where
    there is none, or it is too large to be copied while somebody waits."""
    try:
        descriptor = _opened(root(), name)
        with os.fdopen(descriptor, "rb") as stream:
            about = os.fstat(stream.fileno())
            if not stat.S_ISREG(about.st_mode):
                raise ImportFailure(name, "file", "no file in the folder of IMPORT_ROOT")
            if about.st_size > settings.UPLOAD_MIB * 2**20:
                reason = f"larger than {settings.UPLOAD_MIB} MiB: use the command import_study"
                raise ImportFailure(name, "file", reason)
            return keep_upload(iter(lambda: stream.read(_PIECE), b""))
    except (OSError, ValueError) as error:
        reason = "no file in the folder of IMPORT_ROOT that can be read"
        raise ImportFailure(name, "file", reason) from error


def _opened(folder: Path, name: str) -> int:
    """A descriptor of the file. Each part of the path is opened in the one before and no link is
    followed, so that nobody can put one in its place meanwhile. OSError or ValueError."""
    parts = Path(name).parts
    if not parts or Path(name).is_absolute() or ".." in parts:
        raise ValueError(name)
    # Not blocking, since a named pipe without a writer would keep us waiting.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
    at = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for part in parts[:-1]:
            below = os.open(part, flags | os.O_DIRECTORY, dir_fd=at)
            os.close(at)
            at = below
        return os.open(parts[-1], flags, dir_fd=at)
    finally:
        os.close(at)
