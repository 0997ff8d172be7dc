"""The files of an installation that a backup holds beside the database."""

import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from django.conf import settings
from django.core.management.base import CommandError

PREFIX = "files/"


def kept_folders() -> dict[str, Path]:
    """Folders of files by their name in a backup: uploads, exports, the journals of generators."""
    return {
        "media": Path(settings.MEDIA_ROOT),
        "exports": Path(settings.EXPORTS_ROOT),
        "generated": Path(settings.DATA_DIR) / "generated",
    }


def refuse_within(path: Path) -> None:
    """CommandError for a backup in one of these folders: it would pack itself, and never end."""
    for folder in kept_folders().values():
        if path.resolve().is_relative_to(folder.resolve()):
            raise CommandError(f"{path} lies in {folder}, which a backup holds. Put it elsewhere.")


def file_names() -> dict[str, Path]:
    """Where each file lies, by its name in a backup."""
    return {
        f"{PREFIX}{name}/{path.relative_to(folder).as_posix()}": path
        for name, folder in kept_folders().items()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def put_files(archive: zipfile.ZipFile, names: dict[str, Path]) -> list[str]:
    """Write files into the archive; the names of those that have gone."""
    missing = []
    for name, path in names.items():
        try:
            archive.write(path, name)
        except FileNotFoundError:
            missing.append(name)
    return missing


def refuse_files() -> None:
    """CommandError where the installation has files already."""
    for folder in kept_folders().values():
        if folder.is_dir() and any(path.is_file() for path in folder.rglob("*")):
            raise CommandError(f"{folder} holds files. Restore into an empty installation.")


@contextmanager
def restored_files(archive: zipfile.ZipFile) -> Iterator[int]:
    """Put the files of a backup into their folders; they go again where the block fails."""
    put: list[Path] = []
    try:
        for member in archive.infolist():
            if member.filename.startswith(PREFIX) and not member.is_dir():
                put.append(_restore_file(archive, member))
        yield len(put)
    except BaseException:
        for path in put:
            path.unlink(missing_ok=True)
        raise


def _restore_file(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Path:
    target = _target(member.filename)
    target.parent.mkdir(parents=True, exist_ok=True)
    # mkstemp gives it to nobody else; the name comes once the file is whole.
    handle, aside = tempfile.mkstemp(dir=target.parent, prefix=".restoring.")
    try:
        with os.fdopen(handle, "wb") as written, archive.open(member) as read:
            shutil.copyfileobj(read, written, 1 << 20)
        Path(aside).rename(target)
    except BaseException:
        Path(aside).unlink(missing_ok=True)
        raise
    return target


def _target(name: str) -> Path:
    """Where a file of a backup belongs. CommandError for a name that leads elsewhere."""
    parts = PurePosixPath(name).parts
    folder = kept_folders().get(parts[1]) if len(parts) > 2 else None
    if folder is None or ".." in parts or "\\" in name:
        raise CommandError(f"The backup holds a file that belongs nowhere: {name!r}.")
    return folder.joinpath(*parts[2:])
