"""The contract of the formats that studies are imported from."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from files.errors import ImportFailure
from files.findings import Findings
from files.readers.streams import Watch, unwatched
from files.reading.model import Reading
from files.reading.proposals import Stated
from files.skipped import SkippedRecords
from imports.answer_lines import AnswerLine

# Needed for types alone: a check of files reads them without the program's models.
if TYPE_CHECKING:
    from imports.material.records import MaterialEntry
    from imports.study_file.schema import StudyRecord


@dataclass(frozen=True)
class FormatInput:
    """The input of an import: the files, the options that some formats take, and what is to be
    done with records that cannot be used. config: the configuration of a dataset that the files
    are of. text: the field that holds the outputs. reading: how tables are read; stated: parts of
    that. origin: where they were fetched from, which stays with the study."""

    files: Sequence[Path]
    chains: Path | None = None
    columns: Path | None = None
    level: str = ""
    task_type: str = ""
    config: str = ""
    text: str = ""
    reading: Reading | None = None
    stated: Stated | None = None
    origin: Mapping[str, Any] = field(default_factory=dict)
    watch: Watch = unwatched
    skipped: SkippedRecords = field(default_factory=SkippedRecords)


def with_folders_read(kind: "type[Format]", files: Sequence[Path]) -> Sequence[Path]:
    """The files with those of a folder in its place; ImportFailure for a folder without any."""
    read: list[Path] = []
    for path in files:
        inside = list(kind.files_in(path)) if path.is_dir() else [path]
        if not inside:
            raise ImportFailure(str(path), "file", "a folder without files of this format")
        read.extend(inside)
    return read


@dataclass(frozen=True)
class AcceptedFiles:
    """What a format takes, in words. files: one line on what to give. suffixes: how the names of
    such files end. group: where it is offered in the browser; empty where it is not."""

    title: str
    files: str
    suffixes: tuple[str, ...] = (".jsonl", ".json", ".csv", ".gz")
    group: Literal["tool", "published", ""] = "tool"


class Format(ABC):
    """One kind of file, read as a stream. An object reads one import and is used once.

    Records are read by `skipped.usable`, so that those that cannot be used may be skipped. A
    record is used whole or not at all: its entry is not yielded where its answers cannot be read.
    Of a table a cell that is no answer is left out alone.
    """

    taken: AcceptedFiles
    # The options of `FormatInput` that the format takes, such as ("chains",), and those it needs.
    options: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    # Whether people stand in such files by their accounts, e-mail addresses or the like, so that
    # they get other names unless somebody wants to keep these.
    names_accounts: bool = False

    def __init__(self, format_input: FormatInput) -> None:
        self.input = format_input
        self.skipped = format_input.skipped
        self.findings = Findings()

    @classmethod
    def files_in(cls, folder: Path) -> Sequence[Path]:
        """The files of the format in a folder; none where it is not read from folders."""
        return ()

    @abstractmethod
    def study(self) -> "StudyRecord":
        """What the files say about the study itself; asked before the entries."""

    @abstractmethod
    def entries(self) -> "Iterator[MaterialEntry]":
        """Every record that can be used, in order."""

    def answers(self) -> Iterator[AnswerLine]:
        """The answers that the files hold, in order; asked after all entries are written."""
        return iter(())

    def published(self) -> list[dict[str, Any]]:
        """Estimates that others published, where the files hold those in place of answers."""
        return []

    def told(self) -> dict[str, Any]:
        """What the study keeps of how its files were read, by name."""
        return {}

    def summary(self) -> list[str]:
        """What the format found beyond the counts that all formats share, a line each."""
        return []

    def close(self) -> None:  # noqa: B027 (most have nothing open)
        """Let go of what reading the files has opened, also where it has not come to its end."""


class Forwarded(Format):
    """A format that looks at its input and leaves the rest to another one, `of`."""

    of: Format

    def read_by(self, of: Format) -> None:
        """Leave the rest to that format."""
        self.of, self.findings = of, of.findings

    def study(self) -> "StudyRecord":
        record = self.of.study()
        self.names_accounts = self.of.names_accounts
        return record

    def entries(self) -> "Iterator[MaterialEntry]":
        return self.of.entries()

    def answers(self) -> Iterator[AnswerLine]:
        return self.of.answers()

    def told(self) -> dict[str, Any]:
        return self.of.told()
