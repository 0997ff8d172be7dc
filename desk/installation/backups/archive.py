"""The file of a backup: a ZIP of the database, the folders of files, and what is in it.

`backup.json` is written last, and a ZIP lists its members at its end: a file that was cut off is
told by that, a damaged one by the sums that a ZIP keeps of its members.
"""

import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from django.core.management.base import CommandError
from pydantic import BaseModel, ConfigDict, ValidationError

from annotation.models.encryption import secret_keys
from results.reading.wording import counted

FORMAT = 1
MANIFEST = "backup.json"
# Of a manifest that a stranger wrote no more is read.
LONGEST_MANIFEST = 16_000_000


class Manifest(BaseModel):
    """What a backup holds, and what it needs. version: of the program. migrations: (app, name) of
    those that the database had. key: the name of the SECRET_KEY. rows: by table. sequences: the
    last number that each of PostgreSQL's has given. snapshot: of the transactions that PostgreSQL
    saw, as `pg_current_snapshot()` writes it. missing: files that went while it was made."""

    model_config = ConfigDict(extra="forbid", strict=True)

    format: int = FORMAT
    version: str
    commit: str
    made_at: str
    database: str
    migrations: list[list[str]]
    key: str
    rows: dict[str, int]
    columns: dict[str, list[str]] = {}
    sequences: dict[str, int] = {}
    snapshot: str = ""
    files: int
    missing: list[str] = []

    @property
    def content(self) -> str:
        """`23,872 rows and 1 file as of 2026-11-28T18:33:39+00:00, version 0.1.0`."""
        rows, files = counted(sum(self.rows.values()), "row"), counted(self.files, "file")
        return f"{rows} and {files} as of {self.made_at}, version {self.version}"

    @classmethod
    def read(cls, archive: zipfile.ZipFile, name: str) -> Self:
        """The manifest in an archive. CommandError where there is none that this program knows."""
        try:
            with archive.open(MANIFEST) as file:
                written = json.loads(file.read(LONGEST_MANIFEST))
        except (KeyError, ValueError, zipfile.BadZipFile):
            raise CommandError(f"{name} is no backup of Jurybox.") from None
        if isinstance(written, dict) and written.get("format") != FORMAT:
            raise CommandError(f"{name} was made by a newer version of Jurybox. Install that one.")
        try:
            return cls.model_validate(written)
        except ValidationError:
            raise CommandError(f"{name}: its {MANIFEST} cannot be read.") from None


def key_name(secret: str) -> str:
    """The name of a SECRET_KEY, from which nobody learns the key: eight hexadecimal digits."""
    made = hashlib.blake2b(secret.encode(), digest_size=4, person=b"name of key")
    return made.hexdigest()


def present_key() -> str:
    """The name of the SECRET_KEY that the installation encrypts with."""
    return key_name(secret_keys()[0])


def known_keys() -> set[str]:
    """The names of the keys that it can read."""
    return {key_name(secret) for secret in secret_keys()}


@contextmanager
def new_archive(path: Path) -> Iterator[zipfile.ZipFile]:
    """A ZIP that only its owner reads and that bears its name once it is whole.

    CommandError where there is such a file, or where it cannot be written.
    """
    if path.exists():
        raise CommandError(f"{path} exists.")
    aside = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise CommandError(f"{aside}: {error.strerror}.") from None
    try:
        with (
            os.fdopen(handle, "wb") as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        ):
            yield archive
        os.link(aside, path)  # refuses a file that has come meanwhile, which a renaming would not
    except OSError as error:
        raise CommandError(f"{path} could not be written: {error.strerror or error}.") from error
    finally:
        aside.unlink(missing_ok=True)


@contextmanager
def opened(path: Path) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    """A backup that is whole, and its manifest. CommandError, in a sentence, for anything else."""
    try:
        archive = zipfile.ZipFile(path)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}.") from None
    except zipfile.BadZipFile:
        raise CommandError(f"{path} is cut off, or no backup of Jurybox.") from None
    with archive:
        manifest = Manifest.read(archive, str(path))
        if damaged := _damaged_member(archive):
            raise CommandError(f"{path} is damaged: {damaged} is not what was written.")
        yield archive, manifest


def _damaged_member(archive: zipfile.ZipFile) -> str | None:
    try:
        return archive.testzip()
    except (zipfile.BadZipFile, EOFError, ValueError, OSError, zlib.error):
        return "a part"


def put_json(archive: zipfile.ZipFile, manifest: Manifest) -> None:
    """Write the manifest, which ends the archive."""
    value: Any = manifest.model_dump()
    archive.writestr(MANIFEST, json.dumps(value, indent=1))
