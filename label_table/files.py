"""Files with how they are read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from files.errors import ImportFailure
from files.readers.raw_tables import RawTable, raw_tables
from files.reading.design_questions import DESIGN
from files.reading.layouts.unwritten import JUDGED, TEXTS
from files.reading.model import Holds, Level, Reading
from files.reading.proposals import Stated, proposed


@dataclass(frozen=True)
class ReadFiles:
    """Files with how they are read, and what is to be known of that."""

    files: Sequence[Path]
    tables: Sequence[RawTable]
    reading: Reading
    stated: Stated = field(default_factory=Stated)
    is_proposed: bool = False
    has_levels: bool = True
    may_repeat: bool = True
    notes: Sequence[str] = ()
    # The title of the tool that wrote them, where one did.
    tool: str = ""
    # Rater or column -> who made the labels, where somebody said so.
    made_by: Mapping[str, str] = field(default_factory=dict)

    @property
    def left_out(self) -> Sequence[str]:
        """Raters whose rows the reading leaves out."""
        return [
            name
            for table in self.reading.tables
            for column in table.columns
            if column.holds is Holds.RATER
            for name in table.left_out.get(column.column, ())
        ]


def read_files(
    files: Sequence[Path],
    stated: Stated,
    *,
    reading: Reading | None = None,
    level: Level | None = None,
    repeated: str = "",
) -> ReadFiles:
    """How files are read: as `reading` says, else as is proposed with what is stated, such as the
    level. OpenQuestion where that leaves something open."""
    tables = raw_tables(files)
    notes = [f"{table.name}: {note}" for table in tables for note in table.notes if reading]
    is_proposed = reading is None
    if reading is None:
        decided = {TEXTS: JUDGED, **({"level": level} if level else {}), **stated.decided}
        proposal = proposed(tables, replace(stated, decided=decided))
        proposal.refuse_open(named(files))
        reading = proposal.reading
        notes += [f"{each.text} {each.flags}".strip() for each in proposal.remarks]
    if repeated:
        reading = reading.model_copy(update={"repeated": repeated})
    if level:
        if level != "nominal" and any(each.form == "choice" for each in reading.answers):
            raise ImportFailure(named(files), "--level", "choices between two texts are nominal")
        answers = [each.model_copy(update={"level": level}) for each in reading.answers]
        reading = reading.model_copy(update={"answers": tuple(answers)})
    return ReadFiles(
        files,
        tables,
        reading,
        stated,
        is_proposed=is_proposed,
        has_levels=not is_proposed or bool(level) or "level" in stated.decided,
        may_repeat=not is_proposed or bool(repeated) or DESIGN in stated.decided,
        notes=notes,
    )


def named(files: Sequence[Path]) -> str:
    """`labels.csv`, or `a1.csv and 4 more files`."""
    paths = [*dict.fromkeys(files)]
    more = len(paths) - 1
    return f"{paths[0]}" + (f" and {more} more file{'s' if more > 1 else ''}" if more else "")
