"""The files of a bundle, read back and checked."""

import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from estimates.data.bundles.layout import CARDS, FILES, MANIFEST, OPTIONAL
from files.readers.json_values import json_value

# A line, or a file that is one object, is read at once: no study has a longer one.
LONGEST_BYTES = 2**26


class BundleError(ValueError):
    """A bundle is wrong: the file, the line where there is one, and the reason."""


@contextmanager
def opened_bundle(path: Path) -> Iterator["Bundle"]:
    """A bundle that is whole; BundleError where it is not."""
    if not path.is_file():
        raise BundleError(f"{path}: no such file")
    if not zipfile.is_zipfile(path):
        raise BundleError(f"{path}: not a zip archive")
    with zipfile.ZipFile(path) as archive, ExitStack() as files:
        bundle = Bundle(str(path), archive, files)
        bundle.check()
        yield bundle


@dataclass
class Bundle:
    """The files of a bundle, whatever folder of the archive they are in.

    files: closes those that are still being read when something is wrong. place: what was read
    last: a file, with the line.
    """

    path: str
    archive: zipfile.ZipFile
    files: ExitStack
    place: str = field(default="", init=False)

    @cached_property
    def _members(self) -> dict[str, str]:
        return {_known(name): name for name in self.archive.namelist()}

    @cached_property
    def cards(self) -> list[str]:
        """The files of its cards, by name."""
        return sorted(name for name in self._members if name.startswith(CARDS))

    def has(self, name: str) -> bool:
        """Whether it has a file that only some bundles have."""
        return name in self._members

    def text(self, name: str) -> str:
        """A whole file as text."""
        self.place = name
        with self.archive.open(self._members[name]) as file:
            return file.read(LONGEST_BYTES).decode()

    def check(self) -> None:
        """Every file is there and is byte for byte what was exported."""
        for name in (*FILES, MANIFEST):
            if name not in self._members:
                raise BundleError(f"{self.path}: {name}: missing (is it a bundle?)")
        sums = self.whole(MANIFEST)
        there = [name for name in OPTIONAL if name in sums or name in self._members]
        there += sorted({*self.cards, *(name for name in sums if name.startswith(CARDS))})
        for name in (*FILES, *there):
            if name not in self._members:
                raise BundleError(f"{self.path}: {name}: missing (is it a bundle?)")
            with self.archive.open(self._members[name]) as file:
                digest = sha256()
                while piece := file.read(1 << 20):
                    digest.update(piece)
            if digest.hexdigest() != sums.get(name):
                raise BundleError(f"{self.path}: {name}: not as it was exported (SHA-256)")

    def whole(self, name: str) -> dict[str, Any]:
        """A file that is one object."""
        with self.archive.open(self._members[name]) as file:
            return self._parsed(name, file.read(LONGEST_BYTES + 1))

    def lines(self, name: str) -> Iterator[dict[str, Any]]:
        """The objects of a file, one per line."""
        file = self.files.enter_context(self.archive.open(self._members[name]))
        lines = iter(lambda: file.readline(LONGEST_BYTES + 1), b"")
        for number, line in enumerate(lines, start=1):
            yield self._parsed(f"{name}:{number}", line)

    @contextmanager
    def checked(self) -> Iterator[None]:
        """Within the block, whatever a record lacks or holds wrongly is a BundleError that names
        the record."""
        try:
            yield
        except BundleError:
            raise
        except KeyError as error:
            raise self.wrong(f"it lacks or misnames {error.args[0]}") from error
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            reason = str(error).partition("\n")[0]
            raise self.wrong(f"{type(error).__name__}: {reason}") from error

    def wrong(self, reason: object) -> BundleError:
        """An error about the place that was read last."""
        return BundleError(f"{self.path}: {self.place}: {reason}")

    def _parsed(self, place: str, text: bytes) -> dict[str, Any]:
        self.place = place
        if len(text) > LONGEST_BYTES:
            raise self.wrong(f"longer than {LONGEST_BYTES:,} bytes")
        try:
            content = json_value(text)
        except ValueError as error:
            raise self.wrong(error) from error
        if not isinstance(content, dict):
            raise self.wrong("not an object")
        return content


def _known(name: str) -> str:
    """A file by the name that it is known by, whatever folder it is in; a card with its folder."""
    folder, _, base = name.rpartition("/")
    is_card = folder.rpartition("/")[2] == CARDS.rstrip("/")
    return f"{CARDS}{base}" if is_card and base else base
