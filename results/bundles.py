"""The files of a bundle, read back and checked."""

import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from results.exporting.bundle import FILES
from results.exporting.files import MANIFEST


class BundleError(ValueError):
    """What is wrong with a bundle: file, line where there is one, and reason."""


@contextmanager
def opened_bundle(path: Path) -> Iterator["Bundle"]:
    """A bundle that is whole; BundleError where it is not."""
    if not path.is_file():
        raise BundleError(f"{path}: no such file")
    if not zipfile.is_zipfile(path):
        raise BundleError(f"{path}: not a zip archive")
    with zipfile.ZipFile(path) as archive:
        bundle = Bundle(str(path), archive)
        bundle.check()
        yield bundle


@dataclass
class Bundle:
    """The files of a bundle, whatever folder of the archive they are in."""

    path: str
    archive: zipfile.ZipFile

    @cached_property
    def _members(self) -> dict[str, str]:
        return {name.rpartition("/")[2]: name for name in self.archive.namelist()}

    def check(self) -> None:
        """Every file is there and is byte for byte what was exported."""
        for name in (*FILES, MANIFEST):
            if name not in self._members:
                raise BundleError(f"{self.path}: {name}: missing (is it a bundle?)")
        sums = self.whole(MANIFEST)
        for name in FILES:
            with self.archive.open(self._members[name]) as file:
                found = sha256()
                while piece := file.read(1 << 20):
                    found.update(piece)
            if found.hexdigest() != sums.get(name):
                raise BundleError(f"{self.path}: {name}: not as it was exported (SHA-256)")

    def whole(self, name: str) -> dict[str, Any]:
        """A file that is one object."""
        return self._parsed(name, self.archive.read(self._members[name]))

    def lines(self, name: str) -> Iterator[dict[str, Any]]:
        """The objects of a file, one per line."""
        with self.archive.open(self._members[name]) as file:
            for number, line in enumerate(file, start=1):
                yield self._parsed(f"{name}:{number}", line)

    def _parsed(self, where: str, text: bytes) -> dict[str, Any]:
        try:
            found = json.loads(text)
        except ValueError as error:
            raise BundleError(f"{self.path}: {where}: {error}") from error
        if not isinstance(found, dict):
            raise BundleError(f"{self.path}: {where}: not an object")
        return found
