"""The files that a marking leaves beside the one that is marked, kept up as marks come in."""

import time
from collections.abc import Iterator
from pathlib import Path

from annotation.models import Study
from marking.figures import figures_of, outlook
from marking.labels import label_table, scored_copy
from marking.marks import Marks, marks_of
from marking.reports import report_json, report_page
from marking.sentences import progress, verdict_lines
from marking.studies import has_changed

# Between two looks for new marks.
PAUSE_S = 2.0


class Outputs:
    """Report, table of labels and a scored copy, in the folder of a marking."""

    def __init__(self, study: Study, file: Path, folder: Path) -> None:
        self.study, self.file, self.folder = study, file, folder
        self._revision, self._looked, self._told = -1, 0.0, -1

    @property
    def report(self) -> Path:
        """The page of the report."""
        return self.folder / "report.html"

    def news(self) -> Iterator[str]:
        """A line where marks came in since the last look; files are then written anew."""
        if time.monotonic() - self._looked < PAUSE_S:
            return
        self._looked = time.monotonic()
        revision = Study.objects.values_list("revision", flat=True).get(pk=self.study.pk)
        if revision == self._revision:
            return
        self._revision = revision
        marks = marks_of(self.study)
        try:
            self._write(marks)
        except OSError as error:  # a full disk ends no page on which people are at work
            yield f"The report could not be written: {error.strerror or error}"
        if marks.number not in (self._told, 0):
            yield progress(marks, figures_of(marks), outlook(marks))
        self._told = marks.number

    def write(self) -> Iterator[str]:
        """Write everything; what there is to say at the end, and where it is."""
        marks = marks_of(self.study)
        written = self._write(marks)
        yield from verdict_lines(marks, figures_of(marks))
        yield "Written: " + ", ".join(str(path) for path in written)

    def _write(self, marks: Marks) -> list[Path]:
        texts = {
            "report.html": report_page(self.study, marks),
            "report.json": report_json(marks),
            "labels.csv": label_table(marks),
        }
        if self.file.is_file() and not has_changed(self.study, [self.file]):
            copy = scored_copy(str(self.study.imported["format"]), self.file, marks)
            if copy is not None:
                texts[f"{self.file.stem}.marked{self.file.suffix}"] = copy
        return [self._put(name, text) for name, text in texts.items()]

    def _put(self, name: str, text: str) -> Path:
        """A file whole or as it was, whoever reads it meanwhile."""
        path, aside = self.folder / name, self.folder / f".{name}.part"
        aside.write_text(text, encoding="utf-8")
        aside.replace(path)
        return path
