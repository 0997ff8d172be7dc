"""Which files an export has, and the two ways out: a folder, or one streamed archive."""

import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from annotation.models import Study
from results.exporting import readme
from results.exporting.answers import answer_lines
from results.exporting.estimates import estimate_lines
from results.exporting.ratings import rating_lines
from results.exporting.records import item_lines

Lines = Callable[[Study], Iterator[str]]
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
    },
}
PIECE = 1 << 16


def write_export(
    *, study: Study, format_name: str, folder: Path, watch: Callable[[int], object] = lambda _n: 0
) -> list[Path]:
    """Write the files of a format into a folder, line by line; a file appears when it is whole."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, lines in FORMATS[format_name].items():
        unfinished = folder / f".{name}.part"
        with unfinished.open("w", encoding="utf-8", newline="") as file:
            for line in lines(study):
                file.write(line)
                watch(1)
        written.append(unfinished.replace(folder / name))
    return written


def stream_archive(study: Study, format_name: str) -> Iterator[bytes]:
    """The same files as one zip archive, in pieces, never whole in memory."""
    sink = _Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, lines in FORMATS[format_name].items():
            inside = f"{study.slug}-{format_name}/{name}"
            with archive.open(inside, "w", force_zip64=True) as member:
                for line in lines(study):
                    member.write(line.encode())
                    if len(sink.held) >= PIECE:
                        yield sink.take()
    yield sink.take()


class _Sink:
    """Takes what the archive writes until somebody fetches it. It cannot seek, so the archive
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
