"""Files of other tools as a researcher uploads them: checked, laid out for one import, removed.

Every attempt of an import has a folder of its own, so that one that was thought dead and goes on
does not disturb the next.
"""

import os
import re
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings

from files.errors import ImportFailure, files_shown
from files.readers.archives import unpack, unpacked_size
from files.readers.streams import Watch
from imports.formats.contract import Format
from imports.sandbox.calls import call_apart
from imports.sandbox.limits import Limits
from imports.uploads import kept_upload, remove_upload
from set_up.imports.hub.addresses import dataset_address
from set_up.imports.hub.downloads import HubDataset, fetch_dataset, token_of_environment
from set_up.models import ImportJob

# What an upload is for: the files themselves, or one of the options that are files.
FILES, COLUMNS, CHAINS = "files", "columns", "chains"
# What the keys of an import hold in place of files: a dataset on the hub, and what of it.
ADDRESS, CONFIG, SPLIT = "address", "config", "split"
# What the keys of an import hold where a reading explains the files.
READING = "reading"
ZIP = ".zip"
_PACKED = "packed"
# An unpacked folder may be so many times as large as the largest upload.
_UNPACKED = 4
# What compressed files are taken to unpack to, to tell small ones from large ones.
_DENSE = 16
# A disk that is full takes no answers, either.
_LEFT_FREE = 256 * 2**20


@dataclass(frozen=True)
class PlacedFiles:
    """The uploads of an import in its folder. files: those of the format, in order. config,
    origin: see `FormatInput`."""

    root: Path
    files: Sequence[Path]
    columns: Path | None
    chains: Path | None
    config: str = ""
    origin: Mapping[str, Any] = field(default_factory=dict)

    def shown(self, text: str) -> str:
        """The text with the names of files as they were uploaded, not where they lie."""
        return shown_names(self.root, text)


def shown_names(root: Path, text: str) -> str:
    """The text without the folders that an import has made."""
    folders = rf"{re.escape(str(root))}/(?:{FILES}/[^/]+|{_PACKED}|{COLUMNS}|{CHAINS})/"
    return re.sub(folders, "", text).replace(f"{root}/{FILES}/", "")


def upload_key(role: str, name: str) -> str:
    """How an upload is called among the files of an import."""
    return f"{role}/{name}"


def checked_size(files: Mapping[str, str], *, packed: bool = False) -> int:
    """The bytes that uploads unpack to, as far as their ZIP files tell. ImportFailure where they
    cannot be imported together. files: tokens by role and name. packed: whether ZIP files are read
    as they are, and may lie beside others."""
    size = 0
    archives = [key for key in _of(files, FILES) if _is_zip(key)]
    if archives and not packed and len(_of(files, FILES)) > 1:
        name = archives[0].partition("/")[2]
        raise ImportFailure(name, "file", "upload one ZIP file, or files without it")
    for key, token in files.items():
        size += _size_of(_kept(key, token), key)
    return size


def _size_of(path: Path, key: str) -> int:
    if not _is_zip(key):
        return path.stat().st_size
    with files_shown(lambda text: text.replace(str(path), key.partition("/")[2])):
        return call_apart(unpacked_size, path, most=_most())


def weight(files: Mapping[str, str]) -> int:
    """About how many bytes are read: compressed files count several times."""
    total = 0
    for key, token in files.items():
        path = _kept(key, token)
        with path.open("rb") as stream:
            is_dense = stream.read(4).startswith((b"\x1f\x8b", b"PK\x03\x04", b"PAR1"))
        total += path.stat().st_size * (_DENSE if is_dense else 1)
    return total


def limits_of(job: ImportJob) -> Limits:
    """How much memory and time reading the files of an import may take: by what they unpack to."""
    return Limits.in_background(job.size)


def place(*, job: ImportJob, kind: type[Format], watch: Watch) -> PlacedFiles:
    """Lay the uploads of an import out in a folder, which is called like the ZIP file or else like
    the study, since some formats tell a model by it; or fetch them from the hub. ImportFailure
    where they are not to be read; it names them as they were uploaded."""
    root = _root_of(job)
    packed = next((key for key in _of(job.files, FILES) if _is_zip(key)), "")
    folder = root / FILES / (Path(packed).stem.strip(".") or str(job.keys["slug"]))
    fetched = HubDataset(folder, (), "")
    with files_shown(partial(shown_names, root)):
        folder.mkdir(parents=True)
        if job.keys.get(ADDRESS):
            fetched = _fetched(job, kind, folder, watch)
            files = fetched.files
        elif packed and READING not in job.keys:
            files = call_apart(_files_of, _unpacked(job, packed, folder, lambda: watch(0)), kind)
        else:
            files = [_linked(job, key, folder) for key in _of(job.files, FILES)]
        columns, chains = (_option(job, root / role, role) for role in (COLUMNS, CHAINS))
    return PlacedFiles(root, files, columns, chains, fetched.config, fetched.origin)


def _fetched(job: ImportJob, kind: type[Format], folder: Path, watch: Watch) -> HubDataset:
    """The dataset of the job's address. What is private to the installation's token is for
    superusers, who could read it anyway."""

    def begun(size: int) -> None:
        # They are read twice: from the hub, and by the import.
        job.parameters["size"] = 2 * size
        job.save(update_fields=["parameters"])

    return fetch_dataset(
        address=dataset_address(str(job.keys[ADDRESS])),
        folder=folder,
        kind=kind,
        config=str(job.keys.get(CONFIG, "")),
        split=str(job.keys.get(SPLIT, "")),
        token=token_of_environment() if job.owner and job.owner.is_superuser else "",
        watch=watch,
        begun=begun,
    )


def _unpacked(job: ImportJob, key: str, folder: Path, tick: Callable[[], object]) -> Path:
    """The folder that was packed: the only one in the archive, or the archive itself."""
    path = _linked(job, key, _root_of(job) / _PACKED)
    if shutil.disk_usage(folder).free < job.size + _LEFT_FREE:
        raise ImportFailure(path.name, "zip", "there is no room to unpack it on the server's disk")
    call_apart(unpack, path, folder, most=_most(), limits=limits_of(job), tick=tick)
    inside = list(folder.iterdir())
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else folder


def _files_of(folder: Path, kind: type[Format]) -> Sequence[Path]:
    """The files that the format reads in a folder, or else all whose names end as it says."""
    suffixes = kind.taken.suffixes
    named = (path for path in folder.rglob("*") if path.name.endswith(suffixes))
    read = list(kind.files_in(folder)) or sorted(path for path in named if path.is_file())
    if not read:
        raise ImportFailure(folder.name, "file", f"no file of this kind ({', '.join(suffixes)})")
    return read


def _option(job: ImportJob, folder: Path, role: str) -> Path | None:
    key = next(iter(_of(job.files, role)), None)
    if key is None:
        return None
    return _linked(job, key, folder)


def remove_folder(job: ImportJob) -> None:
    """Remove what this attempt of an import has laid out."""
    shutil.rmtree(_root_of(job), ignore_errors=True)


def remove_folders(job: ImportJob) -> None:
    """The same of all attempts."""
    for folder in _root().glob(f"{job.pk}-*"):
        shutil.rmtree(folder, ignore_errors=True)


def remove_files(files: Iterable[str]) -> None:
    """Remove uploads of other tools' files."""
    for token in files:
        remove_upload(token)


def forget_folders(*, used: Iterable[int]) -> None:
    """Remove the folders of imports that are no longer under way."""
    kept = {str(job_id) for job_id in used}
    for folder in _root().glob("*-*"):
        if folder.name.partition("-")[0] not in kept:
            shutil.rmtree(folder, ignore_errors=True)


def _linked(job: ImportJob, key: str, folder: Path) -> Path:
    """An upload in a folder, under its own name. No symbolic link, since formats look where a file
    lies."""
    folder.mkdir(parents=True, exist_ok=True)
    upload, path = _kept(key, job.files[key]), folder / key.partition("/")[2]
    try:
        os.link(upload, path)
    except OSError:  # a disk that knows no such links
        shutil.copyfile(upload, path)
    return path


def _kept(key: str, token: str) -> Path:
    path = kept_upload(token)
    if path is None:
        raise ImportFailure(key.partition("/")[2], "file", "no longer kept: upload it again")
    return path


def _of(files: Mapping[str, str], role: str) -> list[str]:
    return sorted(key for key in files if key.startswith(f"{role}/"))


def _is_zip(key: str) -> bool:
    return key.startswith(f"{FILES}/") and key.lower().endswith(ZIP)


def _most() -> int:
    return int(settings.UPLOAD_MIB) * 2**20 * _UNPACKED


def _root() -> Path:
    return Path(settings.MEDIA_ROOT).resolve() / "imports"


def _root_of(job: ImportJob) -> Path:
    return _root() / f"{job.pk}-{job.attempt}"
