"""The files of an export, written into a folder or streamed as one archive."""

import zipfile
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from annotation.models import Study
from estimates.report.cache import revision_of
from exports.choice import WHOLE, ExportChoice
from exports.formats import README, SEALED, Pieces, files_of

PIECE = 1 << 16
TRIES = 3
Watch = Callable[[int], object]


def _unwatched(_lines: int) -> None:
    """Nobody wants to know how far it is."""


def write_export(
    *,
    study: Study,
    format_name: str,
    folder: Path,
    choice: ExportChoice = WHOLE,
    watch: Watch = _unwatched,
) -> list[Path]:
    """Write the files of a format into a folder, line by line; a file appears when it is whole.
    Each format has a README of its own there."""
    folder.mkdir(parents=True, exist_ok=True)
    if format_name in SEALED:
        path = folder / f"{study.slug}-{format_name}.zip"
        write_archive(study=study, format_name=format_name, path=path, choice=choice, watch=watch)
        return [path]
    files, sums, written = files_of(study, format_name, choice), dict[str, str](), []
    for name, lines in files.parts.items():
        path = folder / (f"README-{format_name}.txt" if name == README else name)
        sums[name] = _write(path, lines(), watch)
        written.append(path)
    for name, closing in files.closing.items():
        _write(folder / name, closing(sums), watch)
        written.append(folder / name)
    return written


def _write(path: Path, pieces: Pieces, watch: Watch) -> str:
    """Write one file; its SHA-256."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished, digest = path.with_name(f".{path.name}.part"), sha256()
    with unfinished.open("wb") as file:
        for piece in _encoded(pieces):
            digest.update(piece)
            file.write(piece)
            watch(1)
    unfinished.replace(path)
    return digest.hexdigest()


def write_archive(
    *,
    study: Study,
    format_name: str,
    path: Path,
    choice: ExportChoice = WHOLE,
    watch: Watch = _unwatched,
) -> Path:
    """The archive as a file, which appears when it is whole. An answer that comes in meanwhile
    could be in one of its files and missing from another: where their sums vouch for each other
    it is then written once more."""
    unfinished = path.with_name(f".{path.name}.part")
    try:
        for _ in range(TRIES):
            before = revision_of(study)
            with unfinished.open("wb") as file:
                for piece in stream_archive(study, format_name, choice=choice, watch=watch):
                    file.write(piece)
            if format_name not in SEALED or revision_of(study) == before:
                return unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    raise StudyChanging(f"{study.slug}: its answers kept changing; try again later")


class StudyChanging(RuntimeError):
    """New answers came in during every attempt to export."""


def stream_archive(
    study: Study, format_name: str, *, choice: ExportChoice = WHOLE, watch: Watch = _unwatched
) -> Iterator[bytes]:
    """The same files as one zip archive, in pieces, never whole in memory."""
    sink, sums, inside = _Sink(), dict[str, str](), f"{study.slug}-{format_name}"
    files = files_of(study, format_name, choice)
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, lines in files.parts.items():
            digest = sha256()
            with archive.open(f"{inside}/{name}", "w", force_zip64=True) as member:
                for piece in _encoded(lines()):
                    digest.update(piece)
                    member.write(piece)
                    watch(1)
                    if len(sink.held) >= PIECE:
                        yield sink.take()
            sums[name] = digest.hexdigest()
        for name, closing in files.closing.items():
            archive.writestr(f"{inside}/{name}", "".join(closing(sums)))
    yield sink.take()


def _encoded(pieces: Iterable[str | bytes]) -> Iterator[bytes]:
    for piece in pieces:
        yield piece.encode() if isinstance(piece, str) else piece


class _Sink:
    """Holds what the archive writes until it is fetched. It cannot seek, so the archive
    writes sizes after each member instead of going back."""

    def __init__(self) -> None:
        self.held = bytearray()

    def write(self, data: bytes) -> int:
        self.held += data
        return len(data)

    def flush(self) -> None:
        """Nothing waits elsewhere."""

    def close(self) -> None:
        """Nothing to close."""

    def take(self) -> bytes:
        taken, self.held = bytes(self.held), bytearray()
        return taken
