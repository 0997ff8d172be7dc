"""The rows that an import leaves out, kept as a file that can be downloaded."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Self, cast

from django.http import FileResponse

from annotation.models import Study
from annotation.views.downloads import as_download
from files.skipped import SkippedRecords
from imports.uploads import keep_upload, kept_upload

# What of a study's import names the file.
KEY = "skipped_file"
_IN_MEMORY, _PIECE = 2**20, 2**20


class SkippedRows:
    """Rows left out by one import in the browser. strict: none may be, and the first that does not
    fit refuses the import."""

    def __init__(self, *, strict: bool) -> None:
        self._copies = tempfile.SpooledTemporaryFile(  # noqa: SIM115 (closed at the exit)
            _IN_MEMORY, mode="w+", encoding="utf-8"
        )
        copies = cast("tempfile._TemporaryFileWrapper[str]", self._copies)
        self.skipped = SkippedRecords(strict=strict, copies=copies, folders=False)
        self._digest = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_of: object) -> None:
        self._copies.close()

    @property
    def count(self) -> int:
        """How many places are listed."""
        return len(self.skipped.listed)

    def keep(self) -> str:
        """Keep the file; its digest, empty where nothing was left out."""
        if self.count and not self._digest:
            self._copies.seek(0)
            self._digest = keep_upload(self._pieces())
        return self._digest

    def keep_for(self, study: Study) -> None:
        """Keep the file and let the study name it."""
        if digest := self.keep():
            study.imported = {**study.imported, KEY: digest}
            study.save(update_fields=["imported"])

    def _pieces(self) -> Iterator[bytes]:
        while text := self._copies.read(_PIECE):
            yield text.encode("utf-8", "backslashreplace")


def file_of(study: Study) -> Path | None:
    """The file of the rows that a study was made without, if there is one."""
    return kept_upload(str(study.imported.get(KEY, "")))


def download(path: Path, name: str) -> FileResponse:
    """The file, to be saved under a name."""
    return as_download(FileResponse(path.open("rb"), content_type="application/jsonl"), name)
