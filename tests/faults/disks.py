"""Small disks that can be filled: a file with a file system, mounted where root may mount."""

import errno
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

BALLAST = "ballast"


class NoDisk(Exception):
    """Why there can be none here."""


@dataclass(frozen=True)
class Disk:
    """A disk, mounted at a folder."""

    folder: Path

    def fill(self) -> None:
        """Leave not a block."""
        with (self.folder / BALLAST).open("wb", buffering=0) as file:
            for size in (1 << 22, 1 << 12):
                self._write(file.fileno(), b"\0" * size)

    def _write(self, file: int, block: bytes) -> None:
        try:
            while True:
                os.write(file, block)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise

    def relieve(self) -> None:
        (self.folder / BALLAST).unlink(missing_ok=True)


@contextmanager
def small_disk(folder: Path, mib: int) -> Iterator[Disk]:
    """Mount a disk of so many MiB at an empty folder. NoDisk where that is not allowed."""
    if os.geteuid() != 0:
        raise NoDisk("only root may mount a disk")
    image = folder.with_name(f"{folder.name}.image")
    with image.open("wb") as file:
        file.truncate(mib << 20)
    try:
        _run("mkfs.ext4", "-q", "-m", "0", "-O", "^has_journal", str(image))
        _run("mount", "-o", "loop", str(image), str(folder))
    except (OSError, subprocess.CalledProcessError) as error:
        image.unlink()
        raise NoDisk(f"no disk can be mounted: {error}") from None
    try:
        yield Disk(folder)
    finally:
        _run("umount", "--lazy", str(folder))
        image.unlink()


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)
