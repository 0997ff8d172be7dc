"""What commands print of a reading before anything is imported."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from files.readers.raw_tables import raw_tables
from files.reading.first_rows import first_rows
from files.reading.model import Reading
from files.reading.proposal_parts import Proposal
from files.reading.proposals import Stated, proposed
from files.reading.reading_files import reading_yaml
from files.reading.samples import SampleRow, read
from files.reading.sentence import sentence_of


def shown_reading(files: Sequence[Path], reading: Reading | None, stated: Stated) -> Iterator[str]:
    """The reading in one sentence, what the first rows become, what is open, and the reading as
    YAML, which `--reading` takes; all but that as comments."""
    tables = first_rows(raw_tables(files))
    if reading is None:
        proposal = proposed(tables, stated)
        reading, more = proposal.reading, _more(proposal)
    else:
        more = []
    found = read(first_rows(tables), reading)
    about = [sentence_of(reading, found.counts), *map(_row, found.rows), found.failure]
    yield from (f"# {line}" for line in filter(None, [*about, *more, *map(str, found.left_out)]))
    yield reading_yaml(reading)


def _more(proposal: Proposal) -> list[str]:
    remarks = [f"{each.text} {each.flags}".rstrip() for each in proposal.remarks]
    return [*remarks, *map(str, proposal.questions)]


def _row(row: SampleRow) -> str:
    named = [row.unit, row.system, row.rater, row.criterion, row.value]
    return "  " + " · ".join(filter(None, named)) + (f": {row.text}" if row.text else "")
