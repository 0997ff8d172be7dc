"""Records that cannot be used: skipped, counted and listed, or a reason to refuse the import."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Protocol, TypeVar

from pydantic import ValidationError

from files.errors import (
    MISSHAPEN,
    Contradiction,
    ImportFailure,
    OpenQuestion,
    RecordPlace,
    misshapen,
)
from files.findings import LONGEST_LIST, Findings
from files.readers.json_values import json_value

# Names among the findings of an import: three counts and a list.
RECORDS, PARTS, ANSWERS = "records_skipped", "parts_skipped", "answers_skipped"
LISTED = "skipped"


class Placed(Protocol):
    """Anything that knows where in which file it stands."""

    @property
    def where(self) -> RecordPlace: ...


def _nothing() -> None:
    """What is done after a record where nobody asks for more."""


P = TypeVar("P", bound=Placed)
T = TypeVar("T")


def left_out(imported: Mapping[str, Any]) -> int:
    """How many records, and parts of some, a study was made without. imported: what it knows of
    its making."""
    counts = imported.get("counts", {})
    return int(counts.get(RECORDS, 0)) + int(counts.get(PARTS, 0))


@dataclass(frozen=True)
class Skipped:
    """Something that could not be used: its place, the field, and what is wrong with it."""

    where: str
    field: str
    reason: str

    def __str__(self) -> str:
        return str(ImportFailure(self.where, self.field, self.reason))


class SkippedRecords:
    """What one import leaves out.

    strict: nothing; the first record that cannot be used refuses the import. copies: where each
    skipped record is written as it stood in its file, with the reason, a line of JSON each.
    folders: whether places name the folder of their file, which means nothing to those who
    uploaded it.
    A file of which more than half cannot be used is refused even where records may be skipped:
    it is probably of another kind.
    """

    def __init__(
        self, *, strict: bool = True, copies: IO[str] | None = None, folders: bool = True
    ) -> None:
        self.strict = strict
        self._folders = folders
        # Called at each record that is read, which an import of large files does several times.
        self.after_record: Callable[[], object] = _nothing
        # How places and reasons are shown to those for whom the files' real places mean nothing.
        self.shown: Callable[[str], str] = str
        self.counts: Counter[str] = Counter()
        self.listed: list[Skipped] = []
        self._copies = copies
        self._places: set[str] = set()
        self._first: dict[Path, Skipped] = {}
        # For the study's row, which is no place for the folders of this machine.
        self._without_folders: list[str] = []
        self._unusable: Counter[Path] = Counter()
        self._read: Counter[Path] = Counter()

    def usable(self, records: Iterable[P], read: Callable[[P], T]) -> Iterator[T]:
        """What `read` makes of each record. Those that it fails on are skipped, and so are those
        that were skipped when the files were read before."""
        count: Counter[Path] = Counter()
        file, number = Path(), 0
        for record in records:
            where = record.where
            if where.file is not file:  # paths are slow to count by, and change seldom
                count[file] += number
                file, number = where.file, 0
            number += 1
            self.after_record()
            if where in self._places:
                continue
            try:
                value = read(record)
            except ImportFailure as failure:
                self.skip(failure, of=where)
            except ValidationError as error:
                self.skip(ImportFailure.of(where, error), of=where)
            except RecursionError:
                self.skip(ImportFailure(where, "JSON", "nested too deeply"), of=where)
            except MISSHAPEN as error:
                self.skip(misshapen(where, error), of=where)
            else:
                yield value
        count[file] += number
        self._read |= +count
        self._refuse_unusable(count)

    def skip(self, failure: ImportFailure, *, of: str = "") -> None:
        """Leave a record out, that which stands at `of`; in a strict import, raise the failure."""
        self._refuse(failure)
        if self._is_first(of or failure.where, failure):
            self.counts[RECORDS] += 1

    def skip_part(self, failure: ImportFailure) -> None:
        """The same for a part of a record that is imported without it."""
        self._refuse(failure)
        self.counts[PARTS] += 1
        self._list(failure)

    def skip_answer(self, failure: ImportFailure) -> None:
        """The same for an answer; it is listed unless its record is listed already."""
        self._refuse(failure)
        self.counts[ANSWERS] += 1
        self._is_first(failure.where, failure)

    @property
    def places(self) -> frozenset[str]:
        """Where the records stand that are left out by now."""
        return frozenset(self._places)

    @property
    def read(self) -> Counter[Path]:
        """How many records were read, by file."""
        return self._read

    def refuse_unusable(self) -> None:
        """ImportFailure where more than half of the records of some file were skipped."""
        self._refuse_unusable(self._read)

    def refuse_more_than(self, imported: Mapping[str, Any]) -> None:
        """ImportFailure where more was left out than when the study was made."""
        more = self.counts[RECORDS] + self.counts[PARTS] - left_out(imported)
        if more > 0:
            known = set(imported.get("odd", {}).get(LISTED, ()))
            new = [
                s
                for s, told in zip(self.listed, self._without_folders, strict=False)
                if told not in known
            ]
            first = new[0] if new else self.listed[-1]
            told = f"{first.reason} ({more} records that the study has would be left out)"
            raise ImportFailure(first.where, first.field, told)

    def note_in(self, findings: Findings) -> None:
        """Count and list what was skipped among the findings of the import."""
        findings.counts.update(self.counts)
        if self._without_folders:
            findings.list_places(LISTED, self._without_folders)

    def as_json(self) -> list[dict[str, Any]]:
        """Everything that was skipped, in the order in which it was noticed."""
        return [asdict(skipped) for skipped in self.listed]

    def _refuse(self, failure: ImportFailure) -> None:
        if self.strict or isinstance(failure, Contradiction | OpenQuestion):
            raise failure

    def _is_first(self, place: str, failure: ImportFailure) -> bool:
        """List the failure, unless something at that place was listed before."""
        if place in self._places:
            return False
        self._places.add(place)
        skipped = self._list(failure)
        if isinstance(place, RecordPlace):
            self._unusable[place.file] += 1
            self._first.setdefault(place.file, skipped)
        return True

    def _list(self, failure: ImportFailure) -> Skipped:
        where = failure.where
        skipped = Skipped(self.shown(str(where)), failure.field, self.shown(failure.reason))
        if not self._folders and isinstance(where, RecordPlace):
            skipped = _of_the_file_alone(where, skipped)
        self.listed.append(skipped)
        if len(self._without_folders) < LONGEST_LIST:
            self._without_folders.append(_without_folder(where, skipped))
        if self._copies is not None:
            raw = where.raw if isinstance(where, RecordPlace) else None
            line = json.dumps(asdict(skipped) | {"record": _as_json(raw)}, default=str)
            self._copies.write(line + "\n")
        return skipped

    def _refuse_unusable(self, files: Iterable[Path]) -> None:
        for file in files:
            unusable, read = self._unusable[file], self._read[file]
            if unusable * 2 > read:
                first = self._first[file]
                more = f" ({unusable} of {read} records cannot be used)" if read > 1 else ""
                raise ImportFailure(first.where, first.field, first.reason + more)


def _of_the_file_alone(where: RecordPlace, skipped: Skipped) -> Skipped:
    folder = f"{where.file.parent}/"
    return Skipped(
        skipped.where.replace(folder, ""), skipped.field, skipped.reason.replace(folder, "")
    )


def _without_folder(where: str, skipped: Skipped) -> str:
    if not isinstance(where, RecordPlace):
        return str(skipped)
    return str(skipped).replace(str(where.file), where.file.name, 1)


def _as_json(raw: object) -> object:
    """The record as its file has it: a line as JSON where it is that, else as text."""
    if not isinstance(raw, bytes):
        return raw
    text = raw.decode("utf-8", "backslashreplace").removesuffix("\n")
    try:
        return json_value(text)
    except ValueError:
        return text
