"""Files that researchers upload, kept by their content, so that they can be read again."""

import hashlib
import tempfile
import weakref
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO, Any
from uuid import uuid4

from django.conf import settings

from files.errors import ImportFailure, files_shown
from files.readers.streams import fingerprint
from imports.study_file.judge_texts import FILE, texts_of_judges

STUDY_FILE = "study.yaml"
# Somebody may be about to use what was uploaded so recently.
_FRESH = timedelta(days=1)


class IncomingFile:
    """A file that arrives piece by piece, written to where uploads are kept. What nobody keeps is
    removed, also where the sender goes away in the middle."""

    def __init__(self) -> None:
        folder = uploads_folder()
        self._file = tempfile.NamedTemporaryFile(dir=folder, prefix=".", delete=False)  # noqa: SIM115
        self._path = Path(self._file.name)
        self._digest = hashlib.sha256()
        self._drop = weakref.finalize(self, _remove, self._file, self._path)

    def write(self, chunk: bytes) -> None:
        """Take the next piece; OSError where the disk does not."""
        self._digest.update(chunk)
        self._file.write(chunk)

    def keep(self) -> str:
        """Keep the file; the SHA-256 of its content, by which it is kept."""
        self._file.close()
        self._path.replace(self._path.parent / self._digest.hexdigest())
        self._drop.detach()
        return self._digest.hexdigest()

    def keep_alone(self) -> str:
        """Keep the file under a name of its own, whatever others have uploaded, so that it can be
        removed when it was used; that name."""
        self._file.close()
        name = uuid4().hex
        self._path.replace(self._path.parent / name)
        self._drop.detach()
        return name

    def drop(self) -> None:
        """Remove what has arrived."""
        self._drop()


def _remove(file: IO[bytes], path: Path) -> None:
    file.close()
    path.unlink(missing_ok=True)


def keep_upload(chunks: Iterable[bytes]) -> str:
    """Keep a file; the SHA-256 of its content, by which it is kept."""
    incoming = IncomingFile()
    try:
        for chunk in chunks:
            incoming.write(chunk)
        return incoming.keep()
    finally:
        incoming.drop()


def keep_by_content(name: str) -> str:
    """Keep a file that was kept alone by its content from now on; its digest."""
    path = _root() / name
    digest = fingerprint(path)
    path.replace(path.parent / digest)
    return digest


def kept_upload(digest: str) -> Path | None:
    """The file of that content, if it is kept here."""
    path = _root() / digest
    return path if digest.isalnum() and path.is_file() else None


def remove_upload(name: str) -> None:
    """Remove a file that was kept alone, if it is still there."""
    path = kept_upload(name)
    if path is not None:
        path.unlink(missing_ok=True)


def forget_uploads(*, used: Collection[str], now: datetime) -> int:
    """Remove files that nothing uses; how many."""
    old = (now - _FRESH).timestamp()
    unused = [
        path
        for path in (_root().iterdir() if _root().is_dir() else ())
        if path.name not in used and path.stat().st_mtime < old
    ]
    for path in unused:
        path.unlink(missing_ok=True)
    return len(unused)


@contextmanager
def placed_study_file(text: str, files: Mapping[str, str]) -> Iterator[Path]:
    """A study file in a folder of its own, with uploads beside it: names to digests. An
    ImportFailure names the files without the folder."""
    with tempfile.TemporaryDirectory(prefix="jurybox-") as folder:
        path = Path(folder, STUDY_FILE)
        path.write_text(text, encoding="utf-8")
        for name, digest in files.items():
            upload = kept_upload(digest)
            if upload is not None and Path(name).name == name != STUDY_FILE:
                Path(folder, name).symlink_to(upload)
        with files_shown(lambda text: text.replace(f"{folder}/", "")):
            yield path


def refuse_other_files(keys: Mapping[str, Any], files: Collection[str]) -> None:
    """ImportFailure where a study file names files of the machine that are no uploads: whoever
    writes it in a browser may not read those."""
    items = keys.get("items") or []
    for name in items if isinstance(items, list | tuple) else [items]:
        if not isinstance(name, str) or name not in files:
            raise ImportFailure(STUDY_FILE, "items", f"{name} was not uploaded")
    if any(map(_names_file, texts_of_judges(keys))):
        reason = "a text in a file cannot be named here; write the text itself"
        raise ImportFailure(STUDY_FILE, "judges", reason)


def _names_file(value: Any) -> bool:
    if isinstance(value, Mapping):
        return set(value) == {FILE} or any(map(_names_file, value.values()))
    return isinstance(value, list) and any(map(_names_file, value))


def uploads_folder() -> Path:
    """Where uploads are kept; made where it is not there yet."""
    folder = _root()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _root() -> Path:
    return Path(settings.MEDIA_ROOT, "uploads")
