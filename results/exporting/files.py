"""The files of an export, written into a folder or streamed as one archive."""

import json
import zipfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

from annotation.models import Study
from results.data.bundles.layout import MANIFEST
from results.exporting import bundle, frames, readme, workbook
from results.exporting.answers import answer_lines
from results.exporting.calibrated import calibrated_lines
from results.exporting.estimates import estimate_lines
from results.exporting.ratings import rating_lines
from results.exporting.records import item_lines
from results.report.cache import revision_of

# Text line by line, or bytes in pieces.
Lines = Callable[[Study], Iterator[str] | Iterator[bytes]]
FORMATS: dict[str, dict[str, Lines]] = {
    "jsonl": {
        "README.txt": lambda study: readme.readme_lines(study, readme.JSONL),
        "items.jsonl": item_lines,
        "answers.jsonl": answer_lines,
    },
    "csv": {
        "README.txt": lambda study: readme.readme_lines(study, readme.CSV),
        "ratings.csv": rating_lines,
        "estimates.csv": estimate_lines,
        "calibrated.csv": calibrated_lines,
    },
    "parquet": {
        "README.txt": lambda study: readme.readme_lines(study, readme.PARQUET, "standing"),
        "ratings.parquet": frames.rating_pieces,
        "estimates.parquet": frames.estimate_pieces,
    },
    "xlsx": {"results.xlsx": workbook.workbook_pieces},
    "bundle": {
        "README.txt": lambda study: readme.readme_lines(study, readme.BUNDLE, "standing"),
        **bundle.FILES,
    },
}
# Formats that are one archive wherever they go, with the SHA-256 of each of its files at the end.
SEALED = ("bundle",)
PIECE = 1 << 16
TRIES = 3


def write_export(
    *, study: Study, format_name: str, folder: Path, watch: Callable[[int], object] = lambda _n: 0
) -> list[Path]:
    """Write the files of a format into a folder, line by line; a file appears when it is whole."""
    folder.mkdir(parents=True, exist_ok=True)
    if format_name in SEALED:
        return [_write_sealed(study, format_name, folder, watch)]
    written = []
    for name, lines in FORMATS[format_name].items():
        unfinished = folder / f".{name}.part"
        with unfinished.open("wb") as file:
            for line in lines(study):
                file.write(_encoded(line))
                watch(1)
        written.append(unfinished.replace(folder / name))
    return written


def _write_sealed(
    study: Study, format_name: str, folder: Path, watch: Callable[[int], object]
) -> Path:
    """The archive as a file. An answer that comes in meanwhile could be in one of its files and
    missing from another: then it is written once more."""
    path = folder / f"{study.slug}-{format_name}.zip"
    unfinished = folder / f".{path.name}.part"
    for _ in range(TRIES):
        before = revision_of(study)
        with unfinished.open("wb") as file:
            for piece in stream_archive(study, format_name, watch):
                file.write(piece)
        if revision_of(study) == before:
            return unfinished.replace(path)
    unfinished.unlink()
    raise StudyChanging(f"{study.slug}: its answers kept changing; try again in a quiet moment")


class StudyChanging(RuntimeError):
    """New answers came in during every attempt to export."""


def stream_archive(
    study: Study, format_name: str, watch: Callable[[int], object] = lambda _n: 0
) -> Iterator[bytes]:
    """The same files as one zip archive, in pieces, never whole in memory."""
    sink, sums = _Sink(), {}
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, lines in FORMATS[format_name].items():
            inside = f"{study.slug}-{format_name}/{name}"
            digest = sha256()
            with archive.open(inside, "w", force_zip64=True) as member:
                for line in lines(study):
                    piece = _encoded(line)
                    digest.update(piece)
                    member.write(piece)
                    watch(1)
                    if len(sink.held) >= PIECE:
                        yield sink.take()
            sums[name] = digest.hexdigest()
        if format_name in SEALED:
            archive.writestr(f"{study.slug}-{format_name}/{MANIFEST}", json.dumps(sums, indent=1))
    yield sink.take()


def _encoded(line: str | bytes) -> bytes:
    return line.encode() if isinstance(line, str) else line


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
