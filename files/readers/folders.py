"""The files that tables are read from: those that were named, and what is in folders and ZIP
archives."""

import os
import shutil
import tempfile
import weakref
import zipfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from files.errors import ImportFailure, files_shown
from files.readers.archives import MOST_MEMBERS, unpack

# Of an archive, unpacked.
_LARGEST = 2 * 2**30
_TABLES = {".csv", ".tsv", ".tab", ".json", ".jsonl", ".ndjson", ".xlsx", ".xlsm", ".parquet"}
_PACKED = ".zip"
# What says something about the files, and is none of them.
_ABOUT = {"readme", "license", "licence", "copying", "notice", "citation", "changelog", "manifest"}
_TOLD = 3


class Unpacked:
    """A folder with what is in an archive, there as long as somebody reads it."""

    def __init__(self, archive: Path) -> None:
        self.archive = archive
        self.folder = Path(tempfile.mkdtemp(prefix="jurybox-"))
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        unpack(archive, self.folder, most=_LARGEST)

    def shown(self, text: str) -> str:
        """The text with the archive in place of the folder."""
        return text.replace(str(self.folder), str(self.archive))


@dataclass(frozen=True)
class TableFile:
    """A file that may hold tables. name, folder: as `RawTable` has them. root: the name of the
    folder or archive in which the file is. note: what was passed over there, told once."""

    path: Path
    name: str
    folder: str = ""
    root: str = ""
    unpacked: Unpacked | None = None
    note: str = ""


def table_files(paths: Iterable[Path]) -> list[TableFile]:
    """The files, with those of folders and archives in the place of these. ImportFailure where
    there is no table in one, or it cannot be unpacked."""
    found = [file for path in paths for file in _files_of(path)]
    times = Counter(file.name for file in found)
    return [file if times[file.name] == 1 else _with_root(file) for file in found]


def _with_root(file: TableFile) -> TableFile:
    root = file.root or file.path.parent.name
    return replace(file, name=f"{root}/{file.name}", folder=file.folder or root)


def _files_of(path: Path) -> Sequence[TableFile]:
    if path.is_dir():
        return _inside(path, path.name)
    if not _is_archive(path):
        return (TableFile(path, path.name),)
    unpacked = Unpacked(path)
    with files_shown(unpacked.shown):
        return _inside(unpacked.folder, path.stem, unpacked)


def _is_archive(path: Path) -> bool:
    """Whether a file is a ZIP archive, and no spreadsheet."""
    try:
        with zipfile.ZipFile(path) as archive:
            return not any(name.startswith("xl/") for name in archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return path.suffix == _PACKED


def _inside(folder: Path, root: str, unpacked: Unpacked | None = None) -> Sequence[TableFile]:
    found: list[TableFile] = []
    passed: list[str] = []
    for path in sorted(_walked(folder)):
        name = path.relative_to(folder)
        if path.suffix == _PACKED and unpacked is None:
            files = _files_of(path)
            found += [replace(f, name=f"{name.with_suffix('')}/{f.name}", root=root) for f in files]
        elif _may_hold_tables(name):
            inside = name.parent.name or root
            found.append(TableFile(path, name.as_posix(), inside, root, unpacked))
        else:
            passed.append(name.as_posix())
    if not found:
        raise ImportFailure(str(folder), "file", "holds no table (CSV, TSV, Excel, JSON, Parquet)")
    if passed:
        more = len(passed) - _TOLD
        told = ", ".join(passed[:_TOLD]) + (f" and {more} more" if more > 0 else "")
        found[0] = replace(found[0], note=f"Passed over in `{root}`: {told}.")
    return found


def _walked(folder: Path) -> list[Path]:
    paths = (Path(place, name) for place, _, names in os.walk(folder) for name in names)
    found = list(islice(paths, MOST_MEMBERS + 1))
    if len(found) > MOST_MEMBERS:
        raise ImportFailure(str(folder), "file", f"holds more than {MOST_MEMBERS} files")
    return found


def _may_hold_tables(name: Path) -> bool:
    if any(part.startswith((".", "__")) for part in name.parts):
        return False
    plain = Path(name.stem) if name.suffix == ".gz" else name
    return plain.suffix.lower() in _TABLES and plain.stem.lower() not in _ABOUT
