"""Datasets as the Hugging Face Hub and its library `datasets` lay them out: a folder with a card
and files of rows, or such files alone."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from files.errors import ImportFailure, RecordPlace
from files.findings import Findings
from files.readers.json_values import json_value
from files.readers.objects import ObjectRecord, object_of, object_records
from files.readers.parquet import parquet_metadata
from files.readers.streams import Watch, unwatched
from files.skipped import Placed
from imports.formats.contract import AcceptedFiles, FormatInput, Forwarded
from imports.formats.hub.dataset_cards import (
    CARD,
    ROWS,
    card_header,
    class_columns,
    default_patterns,
    matches,
)
from imports.formats.own.outputs_table import ItemsTable
from imports.formats.own.published_study import LABELS_FILE, RATINGS_FILE, PublishedStudy
from imports.formats.own.ratings import Ratings
from imports.formats.rated_outputs import AskedFacet, RatedOutput, RatedOutputs, Score
from imports.formats.tools.marks import Marks
from imports.formats.tools.named_texts import TOLD, NamedTexts, note_left_out, system_in

# Whose labels a dataset's are, where it does not say.
LABELS = "labels"


class HuggingFace(Forwarded):
    """One unit per row; columns of named classes are labels, others with a map of columns"""

    taken = AcceptedFiles(
        "Hugging Face data set",
        "The downloaded folder with its card, or its Parquet or JSONL files",
        (".parquet", ".jsonl", ".json", ".csv", ".md", ".gz"),
    )

    options = ("columns", "task_type", "text")

    def __init__(self, format_input: FormatInput) -> None:
        super().__init__(format_input)
        rows = [path for path in format_input.files if path.name != CARD]
        if not rows:
            raise ImportFailure(str(format_input.files[0]), "file", "give the files of rows, too")
        of_rows = replace(format_input, files=rows)
        if {path.name for path in rows} == {LABELS_FILE, RATINGS_FILE}:
            self.read_by(PublishedStudy(of_rows))
        elif format_input.task_type:
            self.read_by(ItemsTable(of_rows))
        elif format_input.columns is not None:
            self.read_by(Ratings(of_rows))
        else:
            cards = [path for path in format_input.files if path.name == CARD]
            self.read_by(_Labelled(of_rows, cards))

    @classmethod
    def files_in(cls, folder: Path) -> Sequence[Path]:
        """The card, and the files of its default configuration; without a card all files of
        rows."""
        inside = [p for p in sorted(folder.rglob("*")) if p.suffix in ROWS and p.is_file()]
        card = folder / CARD
        if not card.is_file():
            return inside
        published = [p for p in inside if p.name in (LABELS_FILE, RATINGS_FILE)]
        if len(published) == 2:
            return [card, *published]
        patterns = default_patterns(card_header(card))
        chosen = [p for p in inside if matches(str(p.relative_to(folder)), patterns)]
        if not chosen and not inside:
            return []
        if not chosen:
            raise ImportFailure(str(card), "configs", f"no file here is {', '.join(patterns)}")
        return [card, *chosen]


class _Labelled(RatedOutputs):
    """Rows with texts, and with labels in columns of the type ClassLabel."""

    def __init__(self, format_input: FormatInput, cards: Sequence[Path]) -> None:
        super().__init__(format_input)
        self._texts = NamedTexts(format_input.text)
        self._names = _names_of(format_input.files)
        self._classes: dict[str, Sequence[str]] = {}
        self._several: dict[str, Sequence[str]] = {}
        for card in cards:
            for feature in class_columns(card_header(card), format_input.config):
                self._learn(*feature)
        for path in format_input.files:
            for feature in _file_features(path):
                self._learn(*feature)

    def _learn(self, name: str, classes: Sequence[str], several: bool) -> None:
        (self._several if several else self._classes)[name] = classes

    def _place_of(self, where: RecordPlace) -> str:
        """The number of a row, which is its key where it has no id; with the file where there are
        several."""
        place = where.rpartition(":" if ":" in where else "(")[2].strip("()")
        return f"{self._names[where.file]} {place}".strip()

    def asked(self) -> Mapping[str, AskedFacet]:
        return {name: AskedFacet(values=classes) for name, classes in self._classes.items()}

    def records(self, watch: Watch = unwatched) -> Iterator[ObjectRecord]:
        for path in self.input.files:
            if path.suffix == ".csv":
                reason = "columns of a CSV have no types: give --task-type or --columns"
                raise ImportFailure(str(path), "file", reason)
            yield from object_records(path, watch)

    def read(self, record: Placed) -> Sequence[RatedOutput]:
        where, row = record.where, object_of(record)  # type: ignore[arg-type]
        labels = {*self._classes, *self._several}
        texts = {name: value for name, value in row.items() if name not in labels}
        key = str(row.get("id") or self._place_of(where))
        findings = Findings()
        try:
            output = self._texts.output_field(where, texts)
            source = self._texts.source(where, key, texts)
            item = self._texts.item(where, key, texts, system=system_in(texts))
        except ValueError as error:
            raise ImportFailure.of(where, error) from error
        note_left_out(findings, where, texts, (output, *TOLD))
        scores = [
            Score(LABELS, "human", name, _named(where, name, classes, row[name]))
            for name, classes in self._classes.items()
            if row.get(name) not in (None, -1)
        ]
        marks = [
            Marks(
                LABELS,
                "human",
                name,
                labels=tuple(_named(where, name, classes, value) for value in row[name]),
                offered=tuple(classes),
            )
            for name, classes in self._several.items()
            if isinstance(row.get(name), list)
        ]
        text = str(texts.get(output, ""))
        return [RatedOutput(where, source, item, scores, findings, marks, text)]


def _names_of(files: Sequence[Path]) -> Mapping[Path, str]:
    """The files by what tells them apart: their paths below the folder that they share, without
    endings. Empty where there is one alone."""
    if len(files) == 1:
        return {files[0]: ""}
    folder = os.path.commonpath([path.absolute().parent for path in files])
    return {path: str(path.absolute().relative_to(folder).with_suffix("")) for path in files}


def _named(where: str, name: str, classes: Sequence[str], value: object) -> str:
    """The name of a class that a row gives by number, or by name."""
    if isinstance(value, str) and value in classes:
        return value
    if isinstance(value, int) and 0 <= value < len(classes):
        return classes[value]
    reason = f"{str(value)[:40]!r} is none of {len(classes)} classes ({', '.join(classes)[:80]})"
    raise ImportFailure(where, name, reason)


def _file_features(path: Path) -> Iterator[tuple[str, Sequence[str], bool]]:
    """(column, classes, whether a cell has several) of a Parquet file that `datasets` wrote."""
    if path.suffix != ".parquet":
        return
    told = parquet_metadata(path).get("huggingface", "{}")
    for name, feature in json_value(told).get("info", {}).get("features", {}).items():
        inner = feature.get("feature") if isinstance(feature, Mapping) else None
        kind = inner if isinstance(inner, Mapping) else feature
        if isinstance(kind, Mapping) and kind.get("_type") == "ClassLabel":
            yield name, [str(n) for n in kind.get("names") or ()], kind is inner
